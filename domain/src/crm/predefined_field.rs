//! The fields that every account has for its contacts from the beginning. The known counterpart lists them among the
//! custom fields.

use crate::crm::entity::EntityKind;
use crate::id::FieldId;

/// The numbers of the fields in an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldIds {
    /// That of [`PredefinedField::Phone`].
    pub phone: FieldId,
    /// That of [`PredefinedField::Email`].
    pub email: FieldId,
}

impl Default for FieldIds {
    fn default() -> Self {
        Self {
            phone: PredefinedField::Phone.usual_id(),
            email: PredefinedField::Email.usual_id(),
        }
    }
}

impl FieldIds {
    /// The number of this field.
    #[must_use]
    pub fn id(&self, field: PredefinedField) -> FieldId {
        match field {
            PredefinedField::Phone => self.phone,
            PredefinedField::Email => self.email,
        }
    }

    /// The field with this number.
    #[must_use]
    pub fn field(&self, id: FieldId) -> Option<PredefinedField> {
        PredefinedField::ALL
            .into_iter()
            .find(|field| self.id(*field) == id)
    }
}

/// A field of contacts that every account has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredefinedField {
    /// The phone number.
    Phone,
    /// The e-mail address.
    Email,
}

impl PredefinedField {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Phone, Self::Email];

    /// Those that entries of this kind have.
    #[must_use]
    pub fn of_entity(entity: EntityKind) -> &'static [Self] {
        match entity {
            EntityKind::Leads => &[],
            EntityKind::Contacts => &Self::ALL,
        }
    }

    /// Returns whether entries of this kind have it.
    #[must_use]
    pub fn is_of(self, entity: EntityKind) -> bool {
        Self::of_entity(entity).contains(&self)
    }

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

    /// The field with this code.
    #[must_use]
    pub fn by_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.code() == code)
    }

    /// Its name for people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Phone => "Phone",
            Self::Email => "Email",
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
