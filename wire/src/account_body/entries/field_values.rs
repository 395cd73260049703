//! The custom fields in bodies of leads and contacts: those that the account defines, and the phone number and the e-mail
//! address of a contact.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use super::{CustomFieldsBody, FieldBody, KnownReferences, ValueBody};
use crate::body::value::{List, Number};
use crate::domain::crm::contact_addresses::{ADDRESSES_MAX, AddressLabel, Addresses, Labelled};
use crate::domain::crm::custom_fields::value::{FieldValue, FieldValuesChange, Scalar};
use crate::domain::crm::custom_fields::{CustomField, ENUMS_MAX, FieldSettings, FieldType};
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::predefined_field::{FieldIds, PredefinedField};
use crate::domain::id::{FieldEnumId, FieldId};
use crate::domain::text::Phone;
use crate::domain::text::email::Email;
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;

/// The changes that a body makes to fields: `None` when the body does not name the field, `Some(None)` when it empties it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::account_body) struct FieldChanges {
    pub(in crate::account_body) phones: Option<Addresses<Phone>>,
    pub(in crate::account_body) emails: Option<Addresses<Email>>,
    pub(in crate::account_body) values: FieldValuesChange,
}

impl FieldChanges {
    /// Reads the fields of an entry of this kind.
    pub(in crate::account_body) fn read(
        item: &ObjectReader<'_, '_>,
        body: &CustomFieldsBody,
        entity: EntityKind,
        known: KnownReferences<'_>,
    ) -> Self {
        let mut changes = Self::default();
        let fields = body.custom_fields_values.iter().flat_map(List::placed);
        for (place, field) in fields {
            let path = format!("custom_fields_values.{place}");
            let reader = FieldReader { item, path, field };
            match reader.target(entity, known) {
                Some(Target::Predefined(field @ PredefinedField::Phone)) => {
                    changes.phones = Some(reader.addresses(field, known.fields));
                }
                Some(Target::Predefined(field @ PredefinedField::Email)) => {
                    changes.emails = Some(reader.addresses(field, known.fields));
                }
                Some(Target::Own(custom_field)) => {
                    let value = reader.value(&custom_field.settings);
                    changes.values.insert(custom_field.id, value);
                }
                None => {}
            }
        }
        changes
    }
}

/// The field that a part of a body names.
enum Target<'k> {
    /// A field that every account has.
    Predefined(PredefinedField),
    /// A field that the account defines.
    Own(&'k CustomField),
}

/// Reads one field of a body.
struct FieldReader<'f, 'r, 'a> {
    item: &'f ObjectReader<'r, 'a>,
    /// The path of the field from the item on.
    path: String,
    field: &'f FieldBody,
}

impl FieldReader<'_, '_, '_> {
    /// Finds the field that `field_id` or `field_code` names.
    fn target<'k>(&self, entity: EntityKind, known: KnownReferences<'k>) -> Option<Target<'k>> {
        let fields = &known.crm.custom_fields;
        if let Some(Number(number)) = self.field.field_id {
            let id = FieldId(number);
            let predefined = known.fields.field(id);
            let target = match predefined.filter(|field| field.is_of(entity)) {
                Some(field) => Some(Target::Predefined(field)),
                None => fields.get(entity, id).map(Target::Own),
            };
            if target.is_none() {
                let own_name = fields.find(id).map(|field| field.settings.name.as_str());
                let foreign = own_name.or(predefined.map(PredefinedField::code));
                self.reject_choice("field_id", unknown_field(entity, foreign));
            }
            return target;
        }
        let code = self.field.field_code.as_deref()?;
        let predefined = PredefinedField::by_code(code);
        let target = match predefined.filter(|field| field.is_of(entity)) {
            Some(field) => Some(Target::Predefined(field)),
            None => fields.by_code(entity, code).map(Target::Own),
        };
        if target.is_none() {
            let is_foreign = predefined.is_some() || fields.by_code(other(entity), code).is_some();
            let foreign = is_foreign.then_some(code);
            self.reject_choice("field_code", unknown_field(entity, foreign));
        }
        target
    }

    /// Reads phone numbers or e-mail addresses.
    fn addresses<T: FromStr<Err: Display>>(
        &self,
        field: PredefinedField,
        ids: FieldIds,
    ) -> Addresses<T> {
        if self.count() > ADDRESSES_MAX {
            let detail = format!("a contact has at most {ADDRESSES_MAX} of them");
            self.reject("values", ViolationCode::InvalidValue, detail);
        }
        let labelled = |(place, value): (usize, &ValueBody)| {
            let label = self.label(place, value, field, ids);
            let value = self.address(place, value)?;
            Some(Labelled { value, label })
        };
        self.values().filter_map(labelled).collect()
    }

    /// Reads a phone number or an e-mail address; `None` for none.
    fn address<T: FromStr<Err: Display>>(&self, place: usize, value: &ValueBody) -> Option<T> {
        let path = format!("values.{place}.value");
        match value.value.as_ref()? {
            Scalar::Text(text) if text.is_empty() => None,
            Scalar::Text(text) => {
                let path = format!("{}.{path}", self.path);
                self.item.parsed(&path, text)
            }
            Scalar::Number(_) | Scalar::Switch(_) => {
                let detail = "expected a string".to_owned();
                self.reject(&path, ViolationCode::InvalidType, detail);
                None
            }
        }
    }

    /// Reads the label of a phone number or an e-mail address, by its number or its code; the usual one when neither is there.
    fn label(
        &self,
        place: usize,
        value: &ValueBody,
        field: PredefinedField,
        ids: FieldIds,
    ) -> AddressLabel {
        let mut labels = AddressLabel::of_field(field).iter();
        let field_id = ids.id(field);
        let (key, label) = match (value.enum_id, value.enum_code.as_deref()) {
            (Some(Number(id)), _) => {
                let has_number = |it: &&AddressLabel| it.number(field_id) == FieldEnumId(id);
                ("enum_id", labels.find(has_number))
            }
            (None, Some(code)) => ("enum_code", labels.find(|it| it.code() == code)),
            (None, None) => return AddressLabel::default(),
        };
        label.copied().unwrap_or_else(|| {
            let labels = AddressLabel::of_field(field).iter();
            let words: Vec<_> = labels
                .map(|it| format!("{} ({})", it.code(), it.number(field_id)))
                .collect();
            let detail = format!("expected one of {}", words.join(", "));
            self.reject_choice(&format!("values.{place}.{key}"), detail);
            AddressLabel::default()
        })
    }

    /// Reads the value of a field that the account defines; `None` for none.
    fn value(&self, settings: &FieldSettings) -> Option<FieldValue> {
        let most = match settings.kind {
            FieldType::Multiselect => ENUMS_MAX,
            FieldType::Text | FieldType::Textarea | FieldType::Numeric | FieldType::Select => 1,
            FieldType::Checkbox | FieldType::Date | FieldType::Url => 1,
        };
        if self.count() > most {
            let name = settings.name.as_str();
            let detail = format!("the field «{name}» has at most {most} of them");
            self.reject("values", ViolationCode::InvalidValue, detail);
            return None;
        }
        if settings.kind.has_enums() {
            let choices = self.values();
            let ids: BTreeSet<FieldEnumId> = choices
                .filter_map(|(at, value)| self.choice(at, value, settings))
                .collect();
            return (!ids.is_empty()).then_some(FieldValue::Enums(ids));
        }
        let (place, value) = self.values().next()?;
        let scalar = value.value.as_ref().filter(|scalar| !scalar.is_empty())?;
        let wrong = |why| {
            let path = format!("values.{place}.value");
            self.reject(&path, ViolationCode::InvalidValue, why);
        };
        settings.value(scalar).map_err(wrong).ok()
    }

    /// Reads one of the values that a field offers, by its number, its code, or as text, in this order.
    fn choice(
        &self,
        place: usize,
        value: &ValueBody,
        settings: &FieldSettings,
    ) -> Option<FieldEnumId> {
        let mut enums = settings.enums.iter();
        let (key, choice) = match (value.enum_id, value.enum_code.as_deref()) {
            (Some(Number(id)), _) => ("enum_id", enums.find(|it| it.id == FieldEnumId(id))),
            (None, Some(code)) => ("enum_code", enums.find(|it| it.code() == Some(code))),
            (None, None) => {
                let scalar = value.value.as_ref().filter(|scalar| !scalar.is_empty())?;
                ("value", settings.choice(scalar.text().unwrap_or_default()))
            }
        };
        if choice.is_none() {
            self.reject_choice(&format!("values.{place}.{key}"), settings.choices());
        }
        choice.map(|it| it.id)
    }

    fn values(&self) -> impl Iterator<Item = (usize, &ValueBody)> {
        self.field.values.iter().flat_map(List::placed)
    }

    /// The number of values, also of wrong ones.
    fn count(&self) -> usize {
        self.field
            .values
            .as_ref()
            .map_or(0, |values| values.0.len())
    }

    fn reject_choice(&self, path: &str, detail: String) {
        self.reject(path, ViolationCode::NotSupportedChoice, detail);
    }

    fn reject(&self, path: &str, code: ViolationCode, detail: String) {
        self.item
            .reject(&format!("{}.{path}", self.path), code, detail);
    }
}

/// The refusal of a field that entries of this kind do not have; `foreign` is its name if the others have it.
fn unknown_field(entity: EntityKind, foreign: Option<&str>) -> String {
    let (own, others) = (entity.word(), other(entity).word());
    let place = foreign.map(|name| format!("; «{name}» is a field of {others}"));
    let why = place.unwrap_or_default();
    format!("expected a field of {own}, as GET /api/v4/{own}/custom_fields lists them{why}")
}

/// The other kind of entries.
fn other(entity: EntityKind) -> EntityKind {
    match entity {
        EntityKind::Leads => EntityKind::Contacts,
        EntityKind::Contacts => EntityKind::Leads,
    }
}
