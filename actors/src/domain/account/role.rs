//! A role: rights under a name, which users hold instead of rights of their own.

use serde::{Deserialize, Serialize};

use crate::domain::account::rights::granted::Rights;
use crate::domain::id::RoleId;
use crate::domain::text::RoleName;

/// A role of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// Its number, never given again.
    pub id: RoleId,
    /// Its name; two roles may have the same.
    pub name: RoleName,
    /// What it gives its holders.
    pub rights: Rights,
}
