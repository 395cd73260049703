//! The body that creates leads, each with its contact.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::entries::{
    self, EmbeddedTags, KnownReferences, LeadFields, NewContactBody, TagsToAdd,
};
use crate::account_body::entry::{new_contact, new_lead};
use crate::account_body::items::{Item, Items};
use crate::account_body::unsorted::{CallBody, DetailText, FormBody, unsorted_stage};
use crate::body::Body;
use crate::body::value::List;
use crate::domain::crm::create_complex_leads::ComplexLead;
use crate::domain::crm::create_contacts::NewContact;
use crate::domain::crm::create_leads::NewLead;
use crate::domain::crm::submission::{Submission, SubmissionDetails};
use crate::domain::id::{ContactId, UserId};
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

/// The number of leads that one request creates with their contacts.
pub const COMPLEX_LEADS_MAX: usize = 50;

/// The categories of unsorted leads that programs create.
const CATEGORIES: [(&str, SubmittedCategory); 2] = [
    ("forms", SubmittedCategory::Form),
    ("sip", SubmittedCategory::Call),
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
        /// The form or the call that opened the lead: it is unsorted then.
        metadata: Option<ComplexMetadata>,
        /// Kept for an unsorted lead alone.
        source: Option<ComplexSource>,
        #[body(flatten)]
        tags: EmbeddedTags,
    }

    /// The form or the call that opened a lead.
    #[body(open)]
    pub struct ComplexMetadata {
        category: SubmittedCategory,
        #[body(flatten)]
        form: FormBody,
        #[body(flatten)]
        call: CallBody,
    }

    /// The source of an unsorted lead.
    #[body(open, lenient)]
    pub struct ComplexSource {
        /// The program's id of the source, such as a site.
        external_id: Option<DetailText>,
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

/// The category of a lead that a program creates as an unsorted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmittedCategory {
    /// A visitor of a site sent a form.
    Form,
    /// A customer called.
    Call,
}

body_values! {
    SubmittedCategory: Schema::choice(&CATEGORIES), |value| value.choice(&CATEGORIES);
}

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
    let parts = embedded.map_or_else(Parts::default, Parts::from);
    let contact_parts = parts
        .contacts
        .and_then(|it| take_contact(item, it, known, caller));
    let (id, contact) = contact_parts.unwrap_or_default();
    refuse_companies(item);
    let tags = entries::tags_of_new(item, added, parts.tags, known.leads)?;
    let lead = new_lead(item, fields, tags, known.leads, caller)?;
    let lead = ComplexLead {
        lead: NewLead {
            contact: id,
            ..lead
        },
        contact,
    };
    match parts.submission {
        Some(submission) => unsorted(item, lead, submission, known),
        None => Some(lead),
    }
}

/// The parts of a lead that are embedded.
#[derive(Default)]
struct Parts {
    contacts: Option<List<ComplexContact, 1>>,
    tags: Option<EmbeddedTags>,
    submission: Option<Submission>,
}

impl From<ComplexLeadEmbedded> for Parts {
    fn from(embedded: ComplexLeadEmbedded) -> Self {
        let source = embedded.source.and_then(|it| it.external_id);
        let source_uid = source.map(DetailText::get).unwrap_or_default();
        let submission = |metadata: ComplexMetadata| match metadata.category {
            SubmittedCategory::Form => {
                let form = metadata.form.details();
                Submission {
                    source_name: form.form_name.clone().unwrap_or_default(),
                    source_uid,
                    details: SubmissionDetails::Form(form),
                }
            }
            SubmittedCategory::Call => {
                let call = metadata.call.details();
                Submission {
                    source_name: call.service_code.clone().unwrap_or_default(),
                    source_uid,
                    details: SubmissionDetails::Call(call),
                }
            }
        };
        Self {
            contacts: embedded.contacts,
            tags: Some(embedded.tags),
            submission: embedded.metadata.map(submission),
        }
    }
}

/// The lead as an unsorted one of its pipeline: the user who accepts it is responsible for it and its new contact.
fn unsorted(
    item: &ObjectReader<'_, '_>,
    complex: ComplexLead,
    submission: Submission,
    known: ComplexReferences<'_>,
) -> Option<ComplexLead> {
    let (pipeline, _) = complex.lead.stage;
    let contact = complex.contact.map(|contact| NewContact {
        responsible: None,
        ..contact
    });
    Some(ComplexLead {
        lead: NewLead {
            stage: unsorted_stage(item, Some(pipeline), known.leads)?,
            responsible: None,
            submission: Some(submission),
            ..complex.lead
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

fn refuse_companies(item: &ObjectReader<'_, '_>) {
    let Some(embedded) = item.inner("_embedded") else {
        return;
    };
    let is_empty = match embedded.find("companies") {
        Some(Node::List(entries)) => entries.is_empty(),
        Some(Node::Object(fields)) => fields.is_empty(),
        Some(_) => false,
        None => true,
    };
    if !is_empty {
        let detail = "there are no companies here; send the lead without one".to_owned();
        embedded.reject("companies", ViolationCode::NotSupportedChoice, detail);
    }
}
