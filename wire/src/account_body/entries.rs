//! The bodies that add leads and contacts, and what such bodies share with those that change them: tags, and the fields
//! of contacts. Fields that are not known here are ignored, as in bodies that change.

mod field_values;
mod numbers;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use self::field_values::FieldChanges;
pub use self::numbers::Numbers;
pub(super) use self::numbers::id;
use crate::account_body::placing::active;
use crate::body;
use crate::body::Body;
use crate::body::value::{List, Number};
use crate::domain::account::users::Users;
use crate::domain::crm::Crm;
use crate::domain::crm::custom_fields::ENUMS_MAX;
use crate::domain::crm::custom_fields::value::Scalar;
use crate::domain::crm::fields::{EntryFields, PriceFields, StageFields};
use crate::domain::crm::predefined_field::FieldIds;
use crate::domain::crm::tag::{TAGS_OF_ONE_MAX, Tag, TagsChange};
use crate::domain::id::{ContactId, TagId, UserId};
use crate::domain::text::{Name, TagName};
use crate::domain::violation::ViolationCode;
use crate::json::node::Node;
use crate::json::object::{MISSING, ObjectReader};

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
        price: PriceFields,
        #[body(given(Update))]
        stage: StageFields,
        #[body(flatten)]
        values: CustomFieldsBody,
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
        values: CustomFieldsBody,
        #[body(flatten)]
        added: TagsToAdd,
        #[body(key("_embedded"))]
        embedded: Option<EmbeddedTags>,
    }

    /// The custom fields of a lead or a contact.
    #[body(open)]
    pub struct CustomFieldsBody {
        /// Fields that are not named keep their values. Of a field that is named twice, the last one counts.
        #[body(null)]
        custom_fields_values: Option<List<FieldBody>>,
    }

    /// A custom field.
    #[body(open, check(check_field()))]
    pub struct FieldBody {
        /// The field, unless field_code names it.
        field_id: Option<Number>,
        field_code: Option<String>,
        /// One value; of a field of the type multiselect, several, and up to 20 phone numbers and e-mail addresses. Null or empty
        /// for none.
        #[body(null)]
        values: Option<List<ValueBody, ENUMS_MAX>>,
    }

    /// A value of a custom field.
    #[body(open)]
    pub struct ValueBody {
        /// A text, a number, or true or false, as the type of the field says. A date is Unix time in seconds. Null or empty
        /// for none.
        #[body(null)]
        value: Option<Scalar>,
        /// One of the values that the field offers; outranks enum_code and value. Of a phone number or an e-mail address, the label
        /// beside the value.
        #[body(null)]
        enum_id: Option<Number>,
        /// The same by its code; outranks value.
        #[body(null)]
        enum_code: Option<String>,
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

/// `first_name` and `last_name` as one name.
pub(super) fn whole_name(item: &ObjectReader<'_, '_>, parts: [Option<String>; 2]) -> Option<Name> {
    let joined_parts = parts.map(Option::unwrap_or_default).join(" ");
    let name = joined_parts.trim();
    if name.is_empty() {
        return None;
    }
    item.parsed("first_name", name)
}

/// Reads the responsible user of a new entry: the user named in the body, else the caller.
pub(super) fn responsible(
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
pub(super) fn contact(
    item: &ObjectReader<'_, '_>,
    contacts: &List<NamedContact, 1>,
    known: KnownReferences<'_>,
) -> Option<ContactId> {
    refuse_second_contact(item, contacts.0.len())?;
    let (_, NamedContact { id }) = contacts.placed().next()?;
    Some(visible_contact(item, *id, known))
}

/// Refuses more contacts than the one that a lead has.
pub(super) fn refuse_second_contact(item: &ObjectReader<'_, '_>, count: usize) -> Option<()> {
    if count <= 1 {
        return Some(());
    }
    let detail = "a lead has one contact here".to_owned();
    item.reject("_embedded.contacts", ViolationCode::InvalidValue, detail);
    None
}

/// The contact that a lead names; refuses one that the caller may not see.
pub(super) fn visible_contact(
    item: &ObjectReader<'_, '_>,
    id: ContactId,
    known: KnownReferences<'_>,
) -> ContactId {
    if !known.mentioned.contacts.contains(&id) {
        let detail = "expected the id of a contact of this account that you may see".to_owned();
        let code = ViolationCode::NotSupportedChoice;
        item.reject("_embedded.contacts.0.id", code, detail);
    }
    id
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
pub(super) fn tags_of_new(
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
