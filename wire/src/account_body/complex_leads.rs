//! The body that creates leads, each with its contact.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::entries::{
    self, EmbeddedTags, KnownReferences, LeadFields, NewContactBody, TagsToAdd,
};
use crate::account_body::entry::{new_contact, new_lead};
use crate::account_body::items::{Item, Items};
use crate::body;
use crate::body::Body;
use crate::body::value::List;
use crate::domain::crm::create_complex_leads::ComplexLead;
use crate::domain::crm::create_contacts::NewContact;
use crate::domain::crm::create_leads::NewLead;
use crate::domain::id::{ContactId, UserId};
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::ObjectReader;

/// The number of leads that one request creates with their contacts.
pub const COMPLEX_LEADS_MAX: usize = 50;

/// The parts of a lead that this request has at the counterpart and not here.
const REFUSED: [(&str, &str); 2] = [
    (
        "companies",
        "there are no companies here; send the lead without one",
    ),
    (
        "metadata",
        "unsorted leads of forms and calls are not offered; send the lead without metadata",
    ),
];

body!(
    /// A lead that is created with its contact.
    #[body(open)]
    pub struct ComplexLeadBody {
        #[body(flatten)]
        fields: LeadFields,
        #[body(flatten)]
        added: TagsToAdd,
        #[body(key("_embedded"))]
        embedded: Option<ComplexLeadEmbedded>,
    }

    /// The contact and the tags of the lead.
    #[body(open)]
    pub struct ComplexLeadEmbedded {
        /// A contact that the caller may see, or a new one.
        contacts: Option<List<ComplexContact, 1>>,
        #[body(flatten)]
        tags: EmbeddedTags,
    }

    /// A contact: an existing one by its number, or a new one.
    #[body(open)]
    pub struct ComplexContact {
        /// An existing contact; the request changes none of its fields.
        id: Option<ContactId>,
        #[body(flatten)]
        fields: NewContactBody,
    }
);

/// What the body names: contacts and the tags of leads, and the tags of contacts.
#[derive(Clone, Copy, Debug)]
pub struct ComplexReferences<'k> {
    /// What leads name.
    pub leads: KnownReferences<'k>,
    /// What new contacts name.
    pub contacts: KnownReferences<'k>,
}

/// Reads the leads that `caller` creates with their contacts.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse(
    body: &[u8],
    known: ComplexReferences<'_>,
    caller: UserId,
) -> Result<Vec<Item<ComplexLead>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "leads", COMPLEX_LEADS_MAX)?.read(|item| take(item, known, caller))
}

fn take(
    item: &ObjectReader<'_, '_>,
    known: ComplexReferences<'_>,
    caller: UserId,
) -> Option<ComplexLead> {
    let ComplexLeadBody {
        fields,
        added,
        embedded,
    } = ComplexLeadBody::take(item)?;
    let (contacts, all) = embedded.map(|it| (it.contacts, it.tags)).unzip();
    let taken = contacts
        .flatten()
        .and_then(|it| take_contact(item, it, known, caller));
    let (id, contact) = taken.unwrap_or_default();
    refuse_parts(item);
    let tags = entries::tags_of_new(item, added, all, known.leads)?;
    let lead = new_lead(item, fields, tags, known.leads, caller)?;
    Some(ComplexLead {
        lead: NewLead {
            contact: id,
            ..lead
        },
        contact,
    })
}

/// The contact of a lead: the number of an existing one, or a new one.
fn take_contact(
    item: &ObjectReader<'_, '_>,
    contacts: List<ComplexContact, 1>,
    known: ComplexReferences<'_>,
    caller: UserId,
) -> Option<(Option<ContactId>, Option<NewContact>)> {
    entries::refuse_second_contact(item, contacts.0.len())?;
    let ComplexContact { id, fields } = contacts.0.into_iter().next()??;
    if let Some(id) = id {
        let id = entries::visible_contact(item, id, known.leads);
        return Some((Some(id), None));
    }
    let embedded = item.inner("_embedded")?;
    let list = embedded.optional_list("contacts")?;
    let contact = list.objects().next()?;
    Some((None, new_contact(&contact, fields, known.contacts, caller)))
}

fn refuse_parts(item: &ObjectReader<'_, '_>) {
    let Some(embedded) = item.inner("_embedded") else {
        return;
    };
    for (part, detail) in REFUSED {
        let is_empty = match embedded.find(part) {
            Some(Node::List(entries)) => entries.is_empty(),
            Some(Node::Object(fields)) => fields.is_empty(),
            Some(_) => false,
            None => true,
        };
        if !is_empty {
            let code = ViolationCode::NotSupportedChoice;
            embedded.reject(part, code, detail.to_owned());
        }
    }
}
