//! The custom fields that an account gives its leads and contacts. Administrators set them.
//!
//! The state of the CRM holds the definitions. The values stand in the leads and contacts, by the number of the field. So
//! the deletion of a field touches no lead and no contact: its values are hidden, and they go with the next change of
//! values there.

pub mod create;
pub mod delete;
pub mod number;
mod plan;
pub mod update;
pub mod value;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::audit::{AuditEntry, By};
use crate::crm::CrmEvent;
use crate::crm::entity::EntityKind;
use crate::id::{AccountId, FieldEnumId, FieldId};
use crate::text::{FieldCode, FieldName};
use crate::words;
use switchboard_engine::state::Moment;

/// The most custom fields of leads, and as many of contacts.
pub const FIELDS_MAX: usize = 100;
/// The most values that a field with a list of values offers.
pub const ENUMS_MAX: usize = 200;
/// The largest place in lists.
pub const SORT_MAX: u32 = 1_000_000;

words! {
    /// The type of the values of a custom field.
    pub enum FieldType {
        /// A short text.
        Text = "text",
        /// A long text.
        Textarea = "textarea",
        /// A number.
        Numeric = "numeric",
        /// One of the values that the field offers.
        Select = "select",
        /// Several of the values that the field offers.
        Multiselect = "multiselect",
        /// True or false.
        Checkbox = "checkbox",
        /// A moment.
        Date = "date",
        /// The address of a page.
        Url = "url",
    }
}

impl FieldType {
    /// Returns whether a field of this type offers its values.
    #[must_use]
    pub fn has_enums(self) -> bool {
        matches!(self, Self::Select | Self::Multiselect)
    }

    /// Returns whether values of fields of this type have a text of their own.
    #[must_use]
    pub fn has_text(self) -> bool {
        match self {
            Self::Text
            | Self::Textarea
            | Self::Numeric
            | Self::Select
            | Self::Multiselect
            | Self::Url => true,
            Self::Checkbox | Self::Date => false,
        }
    }
}

/// The definition of a custom field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomField {
    /// Its number, unique among the fields of leads and contacts.
    pub id: FieldId,
    /// The kind of entries that have the field.
    pub entity: EntityKind,
    /// The settings.
    #[serde(flatten)]
    pub settings: FieldSettings,
}

/// The settings of a custom field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSettings {
    /// Its name.
    pub name: FieldName,
    /// The type of its values, which never changes.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// The word by which clients name it instead of the number; unique among the fields of the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<FieldCode>,
    /// Its place in lists.
    pub sort: u32,
    /// True when pages are not to offer it for input. Only answers show it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub api_only: bool,
    /// The values that it offers, in the order of their places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enums: Vec<FieldEnum>,
}

impl FieldSettings {
    /// The word by which clients name the field.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_ref().map(FieldCode::as_str)
    }

    /// The value that the field offers under this text.
    #[must_use]
    pub fn choice(&self, text: &str) -> Option<&FieldEnum> {
        self.enums.iter().find(|it| it.value.as_str() == text)
    }
}

/// A value that a field offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldEnum {
    /// Its number, unique in the account.
    pub id: FieldEnumId,
    /// The value for people, unique in the field.
    pub value: FieldName,
    /// Its place in lists.
    pub sort: u32,
    /// The word by which clients name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<FieldCode>,
}

impl FieldEnum {
    /// The word by which clients name the value.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_ref().map(FieldCode::as_str)
    }
}

/// The definitions of an account, by number. A copy costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions(Arc<Vec<CustomField>>);

impl Serialize for Definitions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Definitions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(|fields| Self(Arc::new(fields)))
    }
}

/// The custom fields of an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomFields {
    /// The definitions.
    pub definitions: Definitions,
    /// The number of the last field that was created.
    pub last: u64,
    /// The number of the last value that a field was given to offer.
    pub last_enum: u64,
}

impl CustomFields {
    /// Returns whether there were never any.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.last == 0
    }

    /// The field of this number, whatever has it.
    #[must_use]
    pub fn find(&self, id: FieldId) -> Option<&CustomField> {
        let fields = &self.definitions.0;
        let place = fields.binary_search_by_key(&id, |field| field.id).ok()?;
        fields.get(place)
    }

    /// The field of this number that these entries have.
    #[must_use]
    pub fn get(&self, entity: EntityKind, id: FieldId) -> Option<&CustomField> {
        self.find(id).filter(|field| field.entity == entity)
    }

    /// The field with this code that these entries have.
    #[must_use]
    pub fn by_code(&self, entity: EntityKind, code: &str) -> Option<&CustomField> {
        self.of_entity(entity)
            .find(|field| field.settings.code() == Some(code))
    }

    /// The fields that these entries have, by number.
    pub fn of_entity(&self, entity: EntityKind) -> impl Iterator<Item = &CustomField> {
        let fields = self.definitions.0.iter();
        fields.filter(move |field| field.entity == entity)
    }

    /// The same, in the order of their places in lists.
    #[must_use]
    pub fn in_order(&self, entity: EntityKind) -> Vec<&CustomField> {
        let mut fields: Vec<_> = self.of_entity(entity).collect();
        fields.sort_by_key(|field| (field.settings.sort, field.id));
        fields
    }

    /// Takes note of a change.
    pub(super) fn apply(&mut self, changed: &CustomFieldChanged) {
        let fields = Arc::make_mut(&mut self.definitions.0);
        fields.retain(|field| field.id != changed.id);
        self.last = self.last.max(changed.id.0);
        let Some(settings) = changed.now.clone() else {
            return;
        };
        let enums = settings.enums.iter().map(|it| it.id.0);
        self.last_enum = enums.fold(self.last_enum, u64::max);
        let place = fields.partition_point(|field| field.id < changed.id);
        let field = CustomField {
            id: changed.id,
            entity: changed.entity,
            settings,
        };
        fields.insert(place, field);
    }
}

/// The rejection of a change of custom fields.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldRejection {
    /// There is none of this number.
    #[error("there is no such custom field")]
    Unknown,
    /// The entity has as many as it can have.
    #[error("leads have at most {FIELDS_MAX} custom fields, and contacts too; delete unused ones")]
    TooMany,
    /// Another field of the entity has this code: the one at this place of the request.
    #[error("another field of the same entity has this code")]
    CodeTaken(usize),
    /// Another field has the number that was chosen: for the one at this place of the request.
    #[error("another custom field has this number")]
    NumberTaken(usize),
}

/// A custom field is new, is as follows now, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomFieldChanged {
    /// The field.
    pub id: FieldId,
    /// The kind of entries that have it.
    pub entity: EntityKind,
    /// The settings after the change; `None` after the deletion.
    pub now: Option<FieldSettings>,
    /// The audit entry.
    pub audit: AuditEntry,
}

/// The author of changes of custom fields, with what they change.
#[derive(Clone, Debug)]
struct FieldAuthor {
    by: By,
    account: AccountId,
    entity: EntityKind,
}

impl FieldAuthor {
    /// The event of a field that had the settings `before`, and has the settings `now`.
    fn event(
        &self,
        id: FieldId,
        before: Option<&FieldSettings>,
        now: Option<FieldSettings>,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> CustomFieldChanged {
        let action = match (before, &now) {
            (None, _) => "custom_field.create",
            (Some(_), Some(_)) => "custom_field.update",
            (Some(_), None) => "custom_field.delete",
        };
        let entry = AuditEntry::new(self.by.clone(), action, id, moment).of_account(self.account);
        let fields: [(&str, fn(&FieldSettings) -> Value); 6] = [
            ("name", |it| it.name.as_str().into()),
            ("type", |it| it.kind.as_str().into()),
            ("code", |it| it.code().into()),
            ("sort", |it| it.sort.into()),
            ("is_api_only", |it| it.api_only.into()),
            ("enums", |it| {
                let values = it.enums.iter().map(|it| it.value.as_str());
                it.kind
                    .has_enums()
                    .then(|| values.collect::<Vec<_>>())
                    .into()
            }),
        ];
        let audit = fields.into_iter().fold(entry, |entry, (name, value)| {
            let before = before.map_or(Value::Null, value);
            entry.change(name, before, now.as_ref().map_or(Value::Null, value))
        });
        CustomFieldChanged {
            id,
            entity: self.entity,
            now,
            audit,
        }
    }
}
