//! The values of custom fields: how each type takes what a client gives, and what an entry holds.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::crm::custom_fields::number::DecimalNumber;
use crate::crm::custom_fields::{CustomField, CustomFields, FieldEnum, FieldSettings, FieldType};
use crate::crm::entity::EntityKind;
use crate::id::{FieldEnumId, FieldId};
use crate::text::url::HttpUrl;

/// The longest text of a field of the type `text`, in bytes.
pub const TEXT_MAX: usize = 4_096;
/// The longest text of a field of the type `textarea`, in bytes.
pub const TEXTAREA_MAX: usize = 32_768;
/// The most bytes that the values of one lead or contact take: a page of a list holds many of them.
pub const VALUES_BYTES_MAX: usize = 65_536;
/// The first and the last second that a date can be: the years 1 to 9999.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
/// The number of offered values that a refusal names.
const NAMED_MAX: usize = 10;

/// The value of a custom field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldValue {
    /// A text, also a long one or an address.
    Text(String),
    /// A number.
    Number(DecimalNumber),
    /// A moment, in seconds since 1970.
    Date(i64),
    /// True or false.
    Switch(bool),
    /// Values that the field offers.
    Enums(BTreeSet<FieldEnumId>),
}

/// A single value as clients give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A text.
    Text(String),
    /// A number, as its digits.
    Number(String),
    /// True or false.
    Switch(bool),
}

impl Scalar {
    /// Returns whether this stands for no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_empty())
    }

    /// The text, or the digits.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text),
            Self::Switch(_) => None,
        }
    }
}

impl FieldSettings {
    /// Reads a value of the field.
    ///
    /// # Errors
    /// With what to give instead.
    pub fn value(&self, scalar: &Scalar) -> Result<FieldValue, String> {
        match self.kind {
            FieldType::Text => bounded(scalar, TEXT_MAX),
            FieldType::Textarea => bounded(scalar, TEXTAREA_MAX),
            FieldType::Url => {
                let text = scalar.text().unwrap_or_default();
                let url = text.parse::<HttpUrl>().map_err(|why| why.to_string())?;
                Ok(FieldValue::Text(url.into()))
            }
            FieldType::Numeric => {
                let number = scalar.text().unwrap_or_default().parse::<DecimalNumber>();
                number
                    .map(FieldValue::Number)
                    .map_err(|why| why.to_string())
            }
            FieldType::Date => {
                let number = scalar.text().and_then(|text| text.parse().ok());
                let seconds = number.filter(|seconds| SECONDS.contains(seconds));
                let why = "expected a Unix time in seconds, of the years 1 to 9999";
                seconds.map(FieldValue::Date).ok_or_else(|| why.to_owned())
            }
            FieldType::Checkbox => match scalar {
                Scalar::Switch(on) => Ok(FieldValue::Switch(*on)),
                Scalar::Text(text) | Scalar::Number(text) => match text.as_str() {
                    "1" | "true" => Ok(FieldValue::Switch(true)),
                    "0" | "false" => Ok(FieldValue::Switch(false)),
                    _ => Err("expected true or false".to_owned()),
                },
            },
            FieldType::Select | FieldType::Multiselect => {
                let text = scalar.text().unwrap_or_default();
                let choice = self.choice(text).ok_or_else(|| self.choices())?;
                Ok(FieldValue::choice(choice.id))
            }
        }
    }

    /// A value of the field as a text for people; none for dates and flags, which have no form of their own in a chat.
    #[must_use]
    pub fn text(&self, value: &FieldValue) -> Option<String> {
        match value {
            FieldValue::Text(text) => Some(text.clone()),
            FieldValue::Number(number) => Some(number.to_string()),
            FieldValue::Enums(_) => {
                let names: Vec<_> = self.chosen(value).map(|it| it.value.as_str()).collect();
                Some(names.join(", "))
            }
            FieldValue::Date(_) | FieldValue::Switch(_) => None,
        }
    }

    /// The refusal of a value that the field does not offer.
    #[must_use]
    pub fn choices(&self) -> String {
        let values = self.enums.iter().take(NAMED_MAX);
        let names: Vec<_> = values
            .map(|it| format!("{} ({})", it.id, it.value.as_str()))
            .collect();
        let more = if self.enums.len() > NAMED_MAX {
            ", …"
        } else {
            ""
        };
        let name = self.name.as_str();
        format!(
            "expected a value of the field «{name}»: {}{more}",
            names.join(", ")
        )
    }

    /// The offered values that a value of the field stands for, in order. A deleted one is none.
    pub fn chosen<'s>(&'s self, value: &'s FieldValue) -> impl Iterator<Item = &'s FieldEnum> {
        let enums = self.enums.iter();
        enums.filter(|it| matches!(value, FieldValue::Enums(ids) if ids.contains(&it.id)))
    }
}

fn bounded(scalar: &Scalar, max: usize) -> Result<FieldValue, String> {
    let text = scalar.text().ok_or("expected a text")?;
    if text.len() > max {
        return Err(format!("expected a text of at most {max} bytes"));
    }
    Ok(FieldValue::Text(text.to_owned()))
}

impl FieldValue {
    /// One of the values that a field offers.
    #[must_use]
    pub fn choice(id: FieldEnumId) -> Self {
        Self::Enums(BTreeSet::from([id]))
    }

    /// The length in bytes, roughly.
    fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Number(_) | Self::Date(_) | Self::Switch(_) => 32,
            Self::Enums(ids) => ids.len().saturating_mul(8),
        }
    }
}

/// The values of the custom fields of a lead or a contact. A field without a value is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldValues(BTreeMap<FieldId, FieldValue>);

/// The changes of values: `None` empties the field. Fields that are not named keep theirs.
pub type FieldValuesChange = BTreeMap<FieldId, Option<FieldValue>>;

impl FieldValues {
    /// Returns whether there are none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The values, by the number of the field.
    pub fn iter(&self) -> impl Iterator<Item = (FieldId, &FieldValue)> {
        self.0.iter().map(|(id, value)| (*id, value))
    }

    /// The values with their fields, in the order of the fields' places in lists. A value of a deleted field is not among
    /// them.
    #[must_use]
    pub fn in_order<'v>(
        &'v self,
        fields: &'v CustomFields,
        entity: EntityKind,
    ) -> Vec<(&'v CustomField, &'v FieldValue)> {
        let mut pairs: Vec<_> = self
            .iter()
            .filter_map(|(id, value)| Some((fields.get(entity, id)?, value)))
            .collect();
        pairs.sort_by_key(|(field, _)| (field.settings.sort, field.id));
        pairs
    }

    /// The value of a field.
    #[must_use]
    pub fn get(&self, id: FieldId) -> Option<&FieldValue> {
        self.0.get(&id)
    }

    /// The values after a change.
    #[must_use]
    pub fn with(&self, change: &FieldValuesChange) -> Self {
        let mut values = self.clone();
        for (id, value) in change {
            match value {
                Some(value) => values.0.insert(*id, value.clone()),
                None => values.0.remove(id),
            };
        }
        values
    }

    /// Returns whether they take no more than [`VALUES_BYTES_MAX`].
    #[must_use]
    pub fn fit(&self) -> bool {
        let sizes = self.0.values().map(FieldValue::size);
        sizes.fold(0, usize::saturating_add) <= VALUES_BYTES_MAX
    }

    /// Drops the values of fields that the entries do not have any more.
    pub(in crate::crm) fn retain_fields(&mut self, fields: &CustomFields, entity: EntityKind) {
        self.0.retain(|id, _| fields.get(entity, *id).is_some());
    }

    /// The fields whose values differ.
    pub(in crate::crm) fn differing<'v>(&'v self, other: &'v Self) -> BTreeSet<FieldId> {
        let ids = self.0.keys().chain(other.0.keys());
        ids.copied()
            .filter(|id| self.get(*id) != other.get(*id))
            .collect()
    }

    /// Masks every value: `text` gives the masked text, or `None` when there is nothing to mask in it. A number that
    /// would be masked goes.
    pub fn mask(&mut self, text: impl Fn(&str) -> Option<String>) {
        self.0.retain(|_, value| match value {
            FieldValue::Text(value) => {
                if let Some(masked) = text(value) {
                    *value = masked;
                }
                true
            }
            FieldValue::Number(number) => text(&number.to_string()).is_none(),
            FieldValue::Date(_) | FieldValue::Switch(_) | FieldValue::Enums(_) => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(kind: FieldType) -> FieldSettings {
        let choice = |id, value: &str| FieldEnum {
            id: FieldEnumId(id),
            value: value.parse().unwrap(),
            sort: 1,
            code: None,
        };
        FieldSettings {
            name: "Size".parse().unwrap(),
            kind,
            code: None,
            sort: 1,
            api_only: false,
            enums: vec![choice(3, "S"), choice(4, "M")],
        }
    }

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.to_owned())
    }

    fn digits(digits: &str) -> Scalar {
        Scalar::Number(digits.to_owned())
    }

    #[test]
    fn each_type_takes_its_values() {
        let number = FieldValue::Number("7.5".parse().unwrap());
        for (kind, scalar, value) in [
            (
                FieldType::Text,
                digits("7"),
                FieldValue::Text("7".to_owned()),
            ),
            (
                FieldType::Textarea,
                text("a\nb"),
                FieldValue::Text("a\nb".to_owned()),
            ),
            (FieldType::Numeric, text("7.50"), number.clone()),
            (FieldType::Numeric, digits("7.5"), number),
            (FieldType::Date, text("-5"), FieldValue::Date(-5)),
            (
                FieldType::Checkbox,
                Scalar::Switch(true),
                FieldValue::Switch(true),
            ),
            (FieldType::Checkbox, digits("0"), FieldValue::Switch(false)),
            (
                FieldType::Url,
                text("https://a.example/x"),
                FieldValue::Text("https://a.example/x".to_owned()),
            ),
            (
                FieldType::Select,
                text("M"),
                FieldValue::choice(FieldEnumId(4)),
            ),
        ] {
            assert_eq!(settings(kind).value(&scalar), Ok(value), "{kind:?}");
        }
    }

    #[test]
    fn each_type_refuses_other_values() {
        for (kind, scalar) in [
            (FieldType::Text, Scalar::Switch(true)),
            (FieldType::Text, text(&"x".repeat(TEXT_MAX + 1))),
            (FieldType::Textarea, text(&"x".repeat(TEXTAREA_MAX + 1))),
            (FieldType::Numeric, text("seven")),
            (FieldType::Numeric, digits("1e300")),
            (FieldType::Date, text("tomorrow")),
            (FieldType::Date, digits("253402300800")),
            (FieldType::Date, digits("1.5")),
            (FieldType::Checkbox, text("yes")),
            (FieldType::Url, text("javascript:alert(1)")),
            (FieldType::Url, text("a.example")),
            (FieldType::Select, text("m")),
            (FieldType::Multiselect, Scalar::Switch(true)),
        ] {
            assert!(
                settings(kind).value(&scalar).is_err(),
                "{kind:?} {scalar:?}"
            );
        }
        let why = settings(FieldType::Select).value(&text("L")).unwrap_err();
        assert_eq!(why, "expected a value of the field «Size»: 3 (S), 4 (M)");
    }

    #[test]
    fn a_change_keeps_the_fields_that_it_does_not_name() {
        let value = |text: &str| Some(FieldValue::Text(text.to_owned()));
        let change = |id, value| FieldValuesChange::from([(FieldId(id), value)]);
        let one = FieldValues::default().with(&change(3, value("a")));
        let two = one.with(&change(4, value("b")));
        assert_eq!(two.differing(&one), [FieldId(4)].into());
        assert_eq!(two.with(&change(4, None)), one);
        let long = FieldValues::default().with(&change(3, value(&"x".repeat(VALUES_BYTES_MAX))));
        assert!(long.fit() && !long.with(&change(4, value("b"))).fit());
    }

    #[test]
    fn texts_are_masked_and_numbers_go() {
        let number = FieldValue::Number("4420".parse().unwrap());
        let change = FieldValuesChange::from([
            (FieldId(3), Some(FieldValue::Text("for Ada".to_owned()))),
            (FieldId(4), Some(number)),
            (FieldId(5), Some(FieldValue::Date(4420))),
        ]);
        let mut values = FieldValues::default().with(&change);
        values.mask(|text| {
            let masked = text.replace("Ada", "*").replace("4420", "*");
            (masked != text).then_some(masked)
        });
        assert_eq!(
            values.get(FieldId(3)),
            Some(&FieldValue::Text("for *".to_owned()))
        );
        assert_eq!(values.get(FieldId(4)), None);
        assert_eq!(values.get(FieldId(5)), Some(&FieldValue::Date(4420)));
    }
}
