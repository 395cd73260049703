//! Groups of users. Each account has one: the sales department.

use serde::Serialize;

use crate::domain::id::GroupId;

/// A group of users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Its number.
    pub id: GroupId,
    /// Its name.
    pub name: &'static str,
}

impl Group {
    /// Where users are who are put nowhere else. Interface B: «`group_id` null puts the user in the default group (the
    /// sales department)».
    pub const DEFAULT: Self = Self {
        id: GroupId(1),
        name: "Sales department",
    };

    /// The group with this number.
    #[must_use]
    pub fn get(id: GroupId) -> Option<Self> {
        (id == Self::DEFAULT.id).then_some(Self::DEFAULT)
    }
}
