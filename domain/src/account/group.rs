//! Groups of users. Each account begins with one: the sales department.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::GroupId;
use crate::text::Name;

/// The highest number of groups in an account.
pub const GROUPS_MAX: usize = 1_000;

/// A group of users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Group {
    /// Its number.
    pub id: GroupId,
    /// Its name.
    pub name: Name,
}

impl Group {
    /// The sales department: the group of users who are put in no other. `group_id: null` means this one.
    pub const DEFAULT: GroupId = GroupId(1);

    /// The groups that an account begins with.
    #[must_use]
    pub fn first() -> BTreeMap<GroupId, Self> {
        let name = "Sales department".parse().ok();
        let groups = name.map(|name| Self {
            id: Self::DEFAULT,
            name,
        });
        groups.map(|group| (group.id, group)).into_iter().collect()
    }
}
