//! A role: rights under a name, which users hold instead of rights of their own.

use serde::{Deserialize, Serialize};

use crate::account::rights::granted::Rights;
use crate::field::{Shape, given, text_fields};
use crate::id::RoleId;
use crate::text::RoleName;

/// A role of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// Its number, never given again.
    pub id: RoleId,
    /// Its name; two roles may have the same.
    pub name: RoleName,
    /// The rights of its holders.
    pub rights: Rights,
}

given! {
    /// The fields of a role besides its rights; a field that is `None` stays.
    pub struct RoleFields {
        name: RoleName, "The name.", like "Sellers";
    }
}

text_fields! {
    RoleName: Shape::Line(255);
}

impl RoleFields {
    /// The fields of a role that is there.
    pub(crate) fn from_role(role: &Role) -> Self {
        Self {
            name: Some(role.name.clone()),
        }
    }
}
