//! The bodies that add leads and contacts, and what such bodies share with those that change them: tags, and the fields
//! of contacts. Fields that are not known here are ignored, as in bodies that change.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::account::users::Users;
use crate::domain::crm::Crm;
use crate::domain::crm::add_contacts::NewContact;
use crate::domain::crm::add_leads::NewLead;
use crate::domain::crm::custom_field::{CustomField, FieldIds};
use crate::domain::crm::fields::{DealFields, EntryFields};
use crate::domain::crm::tag::{TAGS_MAX, TAGS_OF_ONE_MAX, Tag, TagsChange};
use crate::domain::field::When;
use crate::domain::id::{ContactId, FieldId, TagId, UserId};
use crate::domain::text::email::Email;
use crate::domain::text::{Name, Phone, TagName};
use crate::domain::violation::ViolationCode;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::wire::account_body::placing::{active, stage};
use crate::wire::json::fields::BodyFields;
use crate::wire::json::node::{self, Node};
use crate::wire::json::object::ObjectReader;

/// The tags that come to those of a lead or a contact.
const TO_ADD: &str = "tags_to_add";
/// The tags that are taken from it.
const TO_DELETE: &str = "tags_to_delete";

/// What bodies name by number, as far as it is there and the caller may see it.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// The pipelines.
    pub crm: &'k Crm,
    /// The users.
    pub users: &'k Users,
    /// The numbers of the fields of contacts.
    pub fields: FieldIds,
    /// What was looked up for the body.
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

/// The numbers that a body names, to be looked up before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Of contacts.
    pub contacts: BTreeSet<ContactId>,
    /// Of tags.
    pub tags: BTreeSet<TagId>,
}

impl Numbers {
    /// Those in a body; what is wrong with it is reported when it is read.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let mut numbers = Self::default();
        let Ok(root) = node::parse(body) else {
            return numbers;
        };
        let Ok(items) = Items::of(&root, "items", ENTRIES_MAX) else {
            return numbers;
        };
        for item in items.nodes() {
            let embedded = field(item, "_embedded");
            let contacts = embedded.and_then(|embedded| field(embedded, "contacts"));
            let contacts = ids(contacts).map(ContactId);
            numbers.contacts.extend(contacts.take(1));
            let embedded = field(item, "_embedded").and_then(|embedded| field(embedded, "tags"));
            for list in [embedded, field(item, TO_ADD), field(item, TO_DELETE)] {
                let tags = ids(list).filter(|tag| *tag <= TAGS_MAX);
                numbers.tags.extend(tags.map(TagId));
            }
        }
        numbers
    }
}

/// The numbers in a list.
fn ids<'n>(list: Option<&'n Node<'_>>) -> impl Iterator<Item = u64> + 'n {
    let entries: &[Node<'_>] = match list {
        Some(Node::List(entries)) => entries,
        Some(_) | None => &[],
    };
    entries.iter().filter_map(id)
}

/// The number that an object of a body has as its `id`.
pub(super) fn id(entry: &Node<'_>) -> Option<u64> {
    match field(entry, "id") {
        Some(Node::Unsigned(id)) => Some(*id),
        Some(_) | None => None,
    }
}

fn field<'n, 'a>(node: &'n Node<'a>, name: &str) -> Option<&'n Node<'a>> {
    match node {
        Node::Object(object) => object.get(name),
        Node::Null | Node::Bool(_) | Node::Unsigned(_) | Node::Negative(_) => None,
        Node::Float(_) | Node::Text(_) | Node::List(_) => None,
    }
}

/// Reads leads that `caller` adds, who is responsible where nothing else is said.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_leads(
    body: &[u8],
    known: Known<'_>,
    caller: UserId,
) -> Result<Vec<Item<NewLead>>, BatchError> {
    let root = batch::parse(body)?;
    Items::of(&root, "leads", ENTRIES_MAX)?.read(|item| {
        let given = EntryFields::read(&mut BodyFields::of(item, When::Later));
        let DealFields { price } = DealFields::read(&mut BodyFields::of(item, When::Later));
        let responsible = responsible(item, &given, known.users, caller);
        let pipeline = known.crm.pipelines.first();
        let moved = pipeline.and_then(|pipeline| stage(item, known.crm, (pipeline.id, None)));
        let first = pipeline.and_then(|pipeline| known.crm.first_open(pipeline.id));
        let contact = contact(item, known);
        let tags = tags_of_new(item, known);
        refuse_custom_fields(item);
        Some(NewLead {
            name: given.name,
            price: price.unwrap_or_default(),
            stage: moved.or(first)?,
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
    known: Known<'_>,
    caller: UserId,
) -> Result<Vec<Item<NewContact>>, BatchError> {
    let root = batch::parse(body)?;
    Items::of(&root, "contacts", ENTRIES_MAX)?.read(|item| {
        let given = EntryFields::read(&mut BodyFields::of(item, When::Later));
        let responsible = responsible(item, &given, known.users, caller);
        let fields = ContactFields::read(item, &known.fields);
        let tags = tags_of_new(item, known);
        let (phone, email) = (fields.phone.flatten(), fields.email.flatten());
        let parts = whole_name(item);
        let name = given.name.or(parts).or_else(|| {
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
fn whole_name(item: &ObjectReader<'_, '_>) -> Option<Name> {
    let parts = ["first_name", "last_name"];
    let parts = parts.map(|part| item.optional_string(part).unwrap_or_default());
    let name = parts.join(" ");
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    let parsed = name.parse::<Name>();
    parsed
        .map_err(|why| item.reject("first_name", ViolationCode::InvalidValue, why.to_string()))
        .ok()
}

/// Who is responsible: who is named, else the caller.
fn responsible(
    item: &ObjectReader<'_, '_>,
    given: &EntryFields,
    users: &Users,
    caller: UserId,
) -> Option<UserId> {
    let named = given.responsible_user_id.map(|user| user.0);
    let named = active(item, ("responsible_user_id", named), None, users);
    // What says null, names no user.
    let says_none = matches!(item.raw("responsible_user_id"), Some(Node::Null));
    named.unwrap_or((!says_none).then_some(caller))
}

/// The contact of a lead: `_embedded.contacts`, of which a lead has one here.
fn contact(item: &ObjectReader<'_, '_>, known: Known<'_>) -> Option<ContactId> {
    let embedded = item.optional_object("_embedded")?;
    let contacts = embedded.optional_list("contacts")?;
    if contacts.len() > 1 {
        let detail = "a lead has one contact here".to_owned();
        embedded.reject("contacts", ViolationCode::InvalidValue, detail);
        return None;
    }
    let contact = contacts.objects().next()?;
    let id = contact.required_integer("id", 1..=i64::MAX)?;
    let id = ContactId(u64::try_from(id).ok()?);
    if !known.mentioned.contacts.contains(&id) {
        let detail = "expected the id of a contact of this account that you may see".to_owned();
        contact.reject("id", ViolationCode::NotSupportedChoice, detail);
    }
    Some(id)
}

/// What a body says of tags: `_embedded.tags` replaces those that there are, `tags_to_add` and `tags_to_delete` name
/// single ones. The `current` ones may be named by their numbers in any case: what equals them is no change.
pub(super) fn tags(item: &ObjectReader<'_, '_>, known: Known<'_>, current: &[Tag]) -> TagsChange {
    let mentioned = &known.mentioned.tags;
    let named = |id: TagId| {
        let own = current.iter().find(|tag| tag.id == id);
        let own = own.map(|tag| tag.name.clone());
        own.or_else(|| mentioned.get(&id).cloned())
    };
    let embedded = item.optional_object("_embedded");
    TagsChange {
        all: embedded.and_then(|embedded| match embedded.raw("tags") {
            Some(Node::Null) => Some(Vec::new()),
            Some(_) | None => tag_names(&embedded, "tags", named),
        }),
        added: tag_names(item, TO_ADD, named).unwrap_or_default(),
        removed: tag_names(item, TO_DELETE, named).unwrap_or_default(),
    }
}

/// The names of the tags of something new.
fn tags_of_new(item: &ObjectReader<'_, '_>, known: Known<'_>) -> Vec<TagName> {
    let names = tags(item, known, &[]).names(&[]).unwrap_or_default();
    if names.len() > TAGS_OF_ONE_MAX {
        let detail = format!("expected at most {TAGS_OF_ONE_MAX} tags, with those of _embedded");
        item.reject(TO_ADD, ViolationCode::InvalidValue, detail);
    }
    names
}

/// The names of the tags in a list; `None` when there is none. `named` gives the name of a tag with a number.
fn tag_names(
    owner: &ObjectReader<'_, '_>,
    list: &str,
    named: impl Fn(TagId) -> Option<TagName>,
) -> Option<Vec<TagName>> {
    let given = owner.optional_list(list)?;
    if given.len() > TAGS_OF_ONE_MAX {
        let detail = format!("expected at most {TAGS_OF_ONE_MAX} tags");
        owner.reject(list, ViolationCode::InvalidValue, detail);
    }
    let mut names = Vec::with_capacity(given.len().min(TAGS_OF_ONE_MAX));
    for tag in given.objects() {
        let id = tag.optional_integer("id", 1..=i64::MAX);
        let name = tag.optional_parsed::<TagName>("name");
        let known = id.map(|id| u64::try_from(id).ok().map(TagId).and_then(&named));
        match known {
            Some(None) => {
                let detail = "expected the id of a tag of this account".to_owned();
                tag.reject("id", ViolationCode::NotSupportedChoice, detail);
            }
            Some(Some(name)) => names.push(name),
            None if !tag.has("id") && !tag.has("name") => {
                let detail = "a tag needs a name or an id".to_owned();
                tag.reject("name", ViolationCode::FieldMissing, detail);
            }
            None => names.extend(name),
        }
    }
    Some(names)
}

/// What is given of the fields of a contact: `None` when the body does not speak of a field, `Some(None)` when it is to
/// be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ContactFields {
    pub(super) phone: Option<Option<Phone>>,
    pub(super) email: Option<Option<Email>>,
}

impl ContactFields {
    pub(super) fn read(item: &ObjectReader<'_, '_>, ids: &FieldIds) -> Self {
        let mut read = Self::default();
        let Some(fields) = item.optional_list("custom_fields_values") else {
            return read;
        };
        for field in fields.objects() {
            let which = which(&field, ids);
            let values = field.optional_list("values");
            if values.is_none() && field.raw("values").is_none() {
                let detail = "this field is missing".to_owned();
                field.reject("values", ViolationCode::FieldMissing, detail);
            }
            if values.is_some_and(|values| values.len() > 1) {
                let detail = "a contact has one phone number and one e-mail address here";
                field.reject("values", ViolationCode::InvalidValue, detail.to_owned());
            }
            let value = values.and_then(|values| {
                let value = values.objects().next()?;
                match which {
                    Some(CustomField::Phone) => {
                        value.optional_unless_empty("value").map(Value::Phone)
                    }
                    Some(CustomField::Email) => {
                        value.optional_unless_empty("value").map(Value::Email)
                    }
                    None => {
                        value.optional_string("value");
                        None
                    }
                }
            });
            match (which, value) {
                (Some(CustomField::Phone), Some(Value::Phone(phone))) => {
                    read.phone = Some(Some(phone));
                }
                (Some(CustomField::Email), Some(Value::Email(email))) => {
                    read.email = Some(Some(email));
                }
                (Some(CustomField::Phone), _) => read.phone = Some(None),
                (Some(CustomField::Email), _) => read.email = Some(None),
                (None, _) => {}
            }
        }
        read
    }
}

enum Value {
    Phone(Phone),
    Email(Email),
}

/// Which field is meant: by `field_id` or by `field_code`.
fn which(field: &ObjectReader<'_, '_>, ids: &FieldIds) -> Option<CustomField> {
    let codes = CustomField::ALL.map(|field| (field.code(), field));
    let code = field.optional_choice("field_code", &codes);
    let id = field.optional_integer("field_id", 1..=i64::MAX);
    if !field.has("field_id") && !field.has("field_code") {
        let detail = "a field needs its field_id or its field_code".to_owned();
        field.reject("field_id", ViolationCode::FieldMissing, detail);
    }
    let Some(id) = id.and_then(|id| u64::try_from(id).ok()) else {
        return code;
    };
    let found = ids.field(FieldId(id));
    if found.is_none() {
        let known = CustomField::ALL.map(|field| format!("{} ({})", ids.of(field), field.code()));
        let detail = format!(
            "expected the id of a field of contacts: {}",
            known.join(", ")
        );
        field.reject("field_id", ViolationCode::NotSupportedChoice, detail);
    }
    found
}

/// Leads have no custom fields: a value would be lost.
pub(super) fn refuse_custom_fields(item: &ObjectReader<'_, '_>) {
    let given = item.optional_list("custom_fields_values");
    for field in given.iter().flat_map(|given| given.objects()) {
        let detail = "leads have no custom fields here".to_owned();
        field.reject("field_id", ViolationCode::NotSupportedChoice, detail);
    }
}
