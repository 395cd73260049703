//! The fields that every account has for its contacts, as the known counterpart lists custom fields.

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

    /// Its number, the same in every account.
    #[must_use]
    pub fn id(self) -> u64 {
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
