//! The fields of a contact that belong to its users.

use serde::{Deserialize, Serialize};

/// The fields of a contact that users have set or emptied: what the customer says does not change them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldsOfUsers {
    /// The name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub name: bool,
    /// The phone number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub phone: bool,
    /// The e-mail address.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub email: bool,
}

impl FieldsOfUsers {
    /// Returns whether there are no fields.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// These and those.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self {
            name: self.name || others.name,
            phone: self.phone || others.phone,
            email: self.email || others.email,
        }
    }
}
