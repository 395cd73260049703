//! The bodies that add leads and contacts, and what such bodies share with those that change them: tags, and the fields
//! of contacts. Fields that are not known here are ignored, as in bodies that change.

mod contact_fields;
mod numbers;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use self::contact_fields::ContactFields;
pub use self::numbers::Numbers;
pub(super) use self::numbers::id;
use crate::body;
use crate::domain::account::users::Users;
use crate::domain::crm::Crm;
use crate::domain::crm::add_contacts::NewContact;
use crate::domain::crm::add_leads::NewLead;
use crate::domain::crm::custom_field::{CustomField, FieldIds};
use crate::domain::crm::fields::{DealFields, EntryFields, StageFields};
use crate::domain::crm::tag::{TAGS_OF_ONE_MAX, Tag, TagsChange};
use crate::domain::id::{ContactId, TagId, UserId};
use crate::domain::text::email::Email;
use crate::domain::text::{Name, Phone, TagName};
use crate::domain::violation::ViolationCode;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::wire::account_body::placing::{self, active};
use crate::wire::body::Body;
use crate::wire::body::value::{List, Number};
use crate::wire::json::node::Node;
use crate::wire::json::object::{MISSING, ObjectReader};

body!(
    /// A lead to be added.
    #[body(open)]
    pub struct NewLeadBody {
        #[body(flatten)]
        fields: LeadFields,
        #[body(flatten)]
        added: TagsToAdd,
        #[body(key("_embedded"))]
        embedded: Option<NewLeadEmbedded>,
    }

    /// The fields of a lead.
    #[body(open)]
    pub struct LeadFields {
        #[body(given(Update))]
        entry: EntryFields,
        #[body(given(Update))]
        deal: DealFields,
        #[body(given(Update))]
        stage: StageFields,
    }

    /// The contact and the tags of a new lead.
    #[body(open)]
    pub struct NewLeadEmbedded {
        /// A contact that the caller may see.
        contacts: Option<List<NamedContact, 1>>,
        #[body(flatten)]
        tags: EmbeddedTags,
    }

    /// A contact, by number.
    #[body(open)]
    pub struct NamedContact {
        id: ContactId,
    }

    /// A contact to be added.
    #[body(open)]
    pub struct NewContactBody {
        #[body(given(Update))]
        entry: EntryFields,
        /// With last_name, in place of the name.
        first_name: Option<String>,
        last_name: Option<String>,
        #[body(flatten)]
        values: FieldValues,
        #[body(flatten)]
        added: TagsToAdd,
        #[body(key("_embedded"))]
        embedded: Option<EmbeddedTags>,
    }

    /// The custom fields of a contact.
    #[body(open)]
    pub struct FieldValues {
        /// Fields that are not named keep their values.
        #[body(null)]
        custom_fields_values: Option<List<FieldBody>>,
    }

    /// A custom field.
    #[body(open, check(check_field()))]
    pub struct FieldBody {
        /// The field, unless field_code names it.
        field_id: Option<Number>,
        field_code: Option<CustomField>,
        /// Null for none.
        #[body(null)]
        values: Option<List<ValueBody, 1>>,
    }

    /// A value of a custom field.
    #[body(open)]
    pub struct ValueBody {
        /// The phone number or the e-mail address; empty for none.
        value: Option<String>,
    }

    /// Tags that a lead or a contact gets.
    #[body(open)]
    pub struct TagsToAdd {
        /// Tags that are added to the others: to those of _embedded if it has any.
        #[body(null)]
        tags_to_add: Option<Tags>,
    }

    /// Tags that it loses.
    #[body(open)]
    pub struct TagsToDelete {
        /// Tags that are removed at the end. The account keeps them.
        #[body(null)]
        tags_to_delete: Option<Tags>,
    }

    /// All tags of it.
    #[body(open)]
    pub struct EmbeddedTags {
        /// Replaces the tags. Null for none.
        #[body(null)]
        tags: Option<Tags>,
    }

    /// The tags in a body.
    #[body(open)]
    pub struct TagsBody {
        #[body(flatten)]
        added: TagsToAdd,
        #[body(flatten)]
        removed: TagsToDelete,
        #[body(key("_embedded"))]
        embedded: Option<EmbeddedTags>,
    }

    /// A tag, by number or name.
    #[body(open, check(check_tag()))]
    pub struct TagBody {
        /// A tag of the account; outranks the name.
        id: Option<Number>,
        /// Becomes a tag if it is none.
        name: Option<TagName>,
    }
);

/// Tags of one lead or contact.
type Tags = List<TagBody, TAGS_OF_ONE_MAX>;

fn check_tag(tag: &ObjectReader<'_, '_>) {
    if !tag.has("id") && !tag.has("name") {
        let detail = "a tag needs a name or an id".to_owned();
        tag.reject("name", ViolationCode::FieldMissing, detail);
    }
}

fn check_field(field: &ObjectReader<'_, '_>) {
    if !field.has("field_id") && !field.has("field_code") {
        let detail = "a field needs its field_id or its field_code".to_owned();
        field.reject("field_id", ViolationCode::FieldMissing, detail);
    }
    if field.raw("values").is_none() {
        field.reject("values", ViolationCode::FieldMissing, MISSING.to_owned());
    }
}

/// The entities that bodies name by number, as far as they exist and the caller may see them.
#[derive(Clone, Copy, Debug)]
pub struct KnownReferences<'k> {
    /// The pipelines.
    pub crm: &'k Crm,
    /// The users.
    pub users: &'k Users,
    /// The numbers of the fields of contacts.
    pub fields: FieldIds,
    /// The entities looked up for the body.
    pub mentioned: &'k Mentioned,
}

/// Contacts and tags that a body names, and that there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentioned {
    /// The contacts that the caller may see.
    pub contacts: BTreeSet<ContactId>,
    /// The tags.
    pub tags: BTreeMap<TagId, TagName>,
}

/// Reads leads that `caller` adds, who is responsible where nothing else is said.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_leads(
    body: &[u8],
    known: KnownReferences<'_>,
    caller: UserId,
) -> Result<Vec<Item<NewLead>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "leads", ENTRIES_MAX)?.read(|item| {
        let NewLeadBody {
            fields,
            added,
            embedded,
        } = NewLeadBody::take(item)?;
        let LeadFields { entry, deal, stage } = fields;
        let responsible = responsible(item, &entry, known.users, caller);
        let pipeline = known.crm.pipelines.first();
        let target = pipeline
            .and_then(|pipeline| placing::stage(item, &stage, known.crm, pipeline.id, None));
        let first = pipeline.and_then(|pipeline| known.crm.first_open(pipeline.id));
        let (contacts, all) = embedded.map(|it| (it.contacts, it.tags)).unzip();
        let contact = contacts.flatten().and_then(|it| contact(item, &it, known));
        let tags = tags_of_new(item, added, all, known)?;
        refuse_custom_fields(item);
        Some(NewLead {
            name: entry.name,
            price: deal.price.unwrap_or_default(),
            stage: target.or(first)?,
            responsible,
            contact,
            tags,
        })
    })
}

/// Reads contacts that `caller` adds, as [`parse_leads`] reads leads.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_contacts(
    body: &[u8],
    known: KnownReferences<'_>,
    caller: UserId,
) -> Result<Vec<Item<NewContact>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "contacts", ENTRIES_MAX)?.read(|item| {
        let body = NewContactBody::take(item)?;
        let responsible = responsible(item, &body.entry, known.users, caller);
        let fields = ContactFields::read(item, &body.values, &known.fields);
        let tags = tags_of_new(item, body.added, body.embedded, known)?;
        let (phone, email) = (fields.phone.flatten(), fields.email.flatten());
        let parts = whole_name(item, [body.first_name, body.last_name]);
        let name = body.entry.name.or(parts).or_else(|| {
            let phone = phone.as_ref().map(Phone::as_str);
            let text = phone.or_else(|| email.as_ref().map(Email::as_str))?;
            text.parse().ok()
        });
        if name.is_none() && !item.has("name") {
            let detail = "a contact needs a name, a phone number or an e-mail address";
            item.reject("name", ViolationCode::FieldMissing, detail.to_owned());
        }
        Some(NewContact {
            name: name?,
            phone,
            email,
            responsible,
            tags,
        })
    })
}

/// `first_name` and `last_name` as one name.
fn whole_name(item: &ObjectReader<'_, '_>, parts: [Option<String>; 2]) -> Option<Name> {
    let words = parts.map(Option::unwrap_or_default).join(" ");
    let name = words.trim();
    if name.is_empty() {
        return None;
    }
    item.parsed("first_name", name)
}

/// Reads the responsible user; without one, it is the caller.
fn responsible(
    item: &ObjectReader<'_, '_>,
    given: &EntryFields,
    users: &Users,
    caller: UserId,
) -> Option<UserId> {
    let number = given.responsible_user_id.map(|user| user.0);
    let active_user = active(item, "responsible_user_id", number, None, users);
    // What says null, names no user.
    let says_none = matches!(item.raw("responsible_user_id"), Some(Node::Null));
    active_user.unwrap_or((!says_none).then_some(caller))
}

/// The contact of a lead: `_embedded.contacts`, of which a lead has one here.
fn contact(
    item: &ObjectReader<'_, '_>,
    contacts: &List<NamedContact, 1>,
    known: KnownReferences<'_>,
) -> Option<ContactId> {
    if contacts.0.len() > 1 {
        let detail = "a lead has one contact here".to_owned();
        item.reject("_embedded.contacts", ViolationCode::InvalidValue, detail);
        return None;
    }
    let (_, NamedContact { id }) = contacts.placed().next()?;
    if !known.mentioned.contacts.contains(id) {
        let detail = "expected the id of a contact of this account that you may see".to_owned();
        let code = ViolationCode::NotSupportedChoice;
        item.reject("_embedded.contacts.0.id", code, detail);
    }
    Some(*id)
}

/// The change that a body makes to tags: `_embedded.tags` replaces those that there are, `tags_to_add` and `tags_to_delete` name
/// single ones. The `current` ones may be named by their numbers in any case: what equals them is no change.
pub(super) fn tags(
    item: &ObjectReader<'_, '_>,
    given: &TagsBody,
    known: KnownReferences<'_>,
    current: &[Tag],
) -> TagsChange {
    let known_tags = &known.mentioned.tags;
    let name_of = |id: TagId| {
        let own = current
            .iter()
            .find(|tag| tag.id == id)
            .map(|tag| tag.name.clone());
        own.or_else(|| known_tags.get(&id).cloned())
    };
    let names = |path, tags: Option<&Tags>| tags.map(|tags| tag_names(item, path, tags, name_of));
    let (added, removed) = (&given.added.tags_to_add, &given.removed.tags_to_delete);
    TagsChange {
        all: given.embedded.as_ref().and_then(|all| {
            let embedded = item.inner("_embedded")?;
            if embedded.is_null("tags") {
                return Some(Vec::new());
            }
            names("_embedded.tags", all.tags.as_ref())
        }),
        added: names("tags_to_add", added.as_ref()).unwrap_or_default(),
        removed: names("tags_to_delete", removed.as_ref()).unwrap_or_default(),
    }
}

/// The names of the tags of something new.
fn tags_of_new(
    item: &ObjectReader<'_, '_>,
    added: TagsToAdd,
    embedded: Option<EmbeddedTags>,
    known: KnownReferences<'_>,
) -> Option<Vec<TagName>> {
    let body = TagsBody {
        added,
        removed: TagsToDelete::take(item)?,
        embedded,
    };
    let names = tags(item, &body, known, &[]).names(&[]).unwrap_or_default();
    if names.len() > TAGS_OF_ONE_MAX {
        let detail = format!("expected at most {TAGS_OF_ONE_MAX} tags, with those of _embedded");
        item.reject("tags_to_add", ViolationCode::InvalidValue, detail);
    }
    Some(names)
}

/// The names of the tags in a list. `named` gives the name of a tag with a number.
fn tag_names(
    item: &ObjectReader<'_, '_>,
    path: &str,
    tags: &Tags,
    named: impl Fn(TagId) -> Option<TagName>,
) -> Vec<TagName> {
    if tags.0.len() > TAGS_OF_ONE_MAX {
        let detail = format!("expected at most {TAGS_OF_ONE_MAX} tags");
        item.reject(path, ViolationCode::InvalidValue, detail);
    }
    let name = |(place, tag): (usize, &TagBody)| {
        let Some(Number(id)) = tag.id else {
            return tag.name.clone();
        };
        let name = named(TagId(id));
        if name.is_none() {
            let detail = "expected the id of a tag of this account".to_owned();
            let code = ViolationCode::NotSupportedChoice;
            item.reject(&format!("{path}.{place}.id"), code, detail);
        }
        name
    };
    tags.placed().filter_map(name).collect()
}

/// Leads have no custom fields: a value would be lost.
pub(super) fn refuse_custom_fields(item: &ObjectReader<'_, '_>) {
    let values = item.optional_list("custom_fields_values");
    for field in values.iter().flat_map(|values| values.objects()) {
        let detail = "leads have no custom fields here".to_owned();
        field.reject("field_id", ViolationCode::NotSupportedChoice, detail);
    }
}
