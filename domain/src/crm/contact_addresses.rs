//! The phone numbers and the e-mail addresses of a contact, each with its label.

use serde::{Deserialize, Serialize};

use crate::crm::predefined_field::PredefinedField;
use crate::id::{FieldEnumId, FieldId};

/// The most phone numbers, and the most e-mail addresses, of a contact.
pub const ADDRESSES_MAX: usize = 20;

/// The use of a phone number or an e-mail address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressLabel {
    /// At work.
    #[default]
    Work,
    /// At work, without a switchboard.
    WorkDirect,
    /// A mobile phone.
    Mobile,
    /// A fax.
    Fax,
    /// At home.
    Home,
    /// In private.
    Private,
    /// Another use.
    Other,
}

/// The distance between the numbers of the labels of two fields.
const STEP: u64 = 1_000;

impl AddressLabel {
    /// The labels of a field, in the order of lists.
    #[must_use]
    pub fn of_field(field: PredefinedField) -> &'static [Self] {
        match field {
            PredefinedField::Phone => &[
                Self::Work,
                Self::WorkDirect,
                Self::Mobile,
                Self::Fax,
                Self::Home,
                Self::Other,
            ],
            PredefinedField::Email => &[Self::Work, Self::Private, Self::Other],
        }
    }

    /// The counterpart's word for it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Work => "WORK",
            Self::WorkDirect => "WORKDD",
            Self::Mobile => "MOB",
            Self::Fax => "FAX",
            Self::Home => "HOME",
            Self::Private => "PRIV",
            Self::Other => "OTHER",
        }
    }

    /// Its number in the field with this number. It never changes: the first label has the number of the field, and the others
    /// follow from it.
    #[must_use]
    pub fn number(self, field: FieldId) -> FieldEnumId {
        let behind_first = field.0.saturating_mul(STEP);
        let place = match self {
            Self::Work => return FieldEnumId(field.0),
            Self::WorkDirect => 2,
            Self::Mobile => 3,
            Self::Fax => 4,
            Self::Home => 5,
            Self::Private => 6,
            Self::Other => 7,
        };
        FieldEnumId(behind_first.saturating_add(place))
    }

    /// Returns whether it is the usual one.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A phone number or an e-mail address with its label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labelled<T> {
    /// The address.
    pub value: T,
    /// Its use.
    #[serde(default, skip_serializing_if = "AddressLabel::is_usual")]
    pub label: AddressLabel,
}

/// The phone numbers or the e-mail addresses of a contact, in their order. The first one stands for the contact where there
/// is room for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Addresses<T>(Vec<Labelled<T>>);

impl<T> Default for Addresses<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> From<Option<T>> for Addresses<T> {
    fn from(value: Option<T>) -> Self {
        let label = AddressLabel::default();
        Self(
            value
                .into_iter()
                .map(|value| Labelled { value, label })
                .collect(),
        )
    }
}

impl<T> FromIterator<Labelled<T>> for Addresses<T> {
    fn from_iter<I: IntoIterator<Item = Labelled<T>>>(addresses: I) -> Self {
        Self(addresses.into_iter().collect())
    }
}

impl<T> Addresses<T> {
    /// Returns whether there are none.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The first one.
    #[must_use]
    pub fn first(&self) -> Option<&T> {
        self.0.first().map(|it| &it.value)
    }

    /// All of them, each with its label.
    pub fn iter(&self) -> impl Iterator<Item = &Labelled<T>> {
        self.0.iter()
    }

    /// All of them.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|it| &it.value)
    }

    /// Drops those that are not to stay.
    pub fn retain(&mut self, mut stays: impl FnMut(&T) -> bool) {
        self.0.retain(|it| stays(&it.value));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::crm::predefined_field::FieldIds;

    #[test]
    fn each_label_of_an_account_has_a_number_of_its_own() {
        let ids = FieldIds::default();
        let labels = PredefinedField::ALL.into_iter().flat_map(|field| {
            let labels = AddressLabel::of_field(field).iter();
            labels.map(move |label| label.number(ids.id(field)))
        });
        let numbers: Vec<_> = labels.collect();
        assert_eq!(numbers.first(), Some(&FieldEnumId(1)));
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), numbers.len());
    }

    #[test]
    fn the_usual_label_is_not_stored() {
        let one: Addresses<u8> = Some(7).into();
        assert_eq!(serde_json::to_string(&one).unwrap(), r#"[{"value":7}]"#);
        let label = AddressLabel::Private;
        let two: Addresses<u8> = one
            .iter()
            .cloned()
            .chain([Labelled { value: 8, label }])
            .collect();
        let text = serde_json::to_string(&two).unwrap();
        assert_eq!(text, r#"[{"value":7},{"value":8,"label":"private"}]"#);
        assert_eq!(serde_json::from_str::<Addresses<u8>>(&text).unwrap(), two);
        assert_eq!((two.first(), two.values().count()), (Some(&7), 2));
    }
}
