//! The fields that every account has for its contacts, as the known counterpart lists custom fields.

use crate::id::FieldId;

/// The numbers of the fields in an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldIds {
    /// That of [`CustomField::Phone`].
    pub phone: FieldId,
    /// That of [`CustomField::Email`].
    pub email: FieldId,
}

impl Default for FieldIds {
    fn default() -> Self {
        Self {
            phone: CustomField::Phone.usual_id(),
            email: CustomField::Email.usual_id(),
        }
    }
}

impl FieldIds {
    /// The number of this field.
    #[must_use]
    pub fn id(&self, field: CustomField) -> FieldId {
        match field {
            CustomField::Phone => self.phone,
            CustomField::Email => self.email,
        }
    }

    /// The field with this number.
    #[must_use]
    pub fn field(&self, id: FieldId) -> Option<CustomField> {
        CustomField::ALL
            .into_iter()
            .find(|field| self.id(*field) == id)
    }
}

/// A field of contacts beside the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CustomField {
    /// The phone number.
    Phone,
    /// The e-mail address.
    Email,
}

impl CustomField {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Phone, Self::Email];

    /// Its number in an account that has chosen none.
    #[must_use]
    pub fn usual_id(self) -> FieldId {
        match self {
            Self::Phone => FieldId(1),
            Self::Email => FieldId(2),
        }
    }

    /// Its place in lists.
    #[must_use]
    pub fn sort(self) -> u64 {
        match self {
            Self::Phone => 1,
            Self::Email => 2,
        }
    }

    /// Its code, by which clients of every account find it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Phone => "PHONE",
            Self::Email => "EMAIL",
        }
    }
}
