//! What can happen to the users of an account.

use serde::{Deserialize, Serialize};

use crate::account::group::Group;
use crate::account::roles::RolesChange;
use crate::account::user::User;
use crate::audit::AuditEntry;
use crate::id::{GroupId, UserId};
use crate::oauth::acting_client::ActingClient;

/// What can happen to the users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UsersEvent {
    /// The operator made a user, or changed one: as follows now.
    Declared(Box<Declared>),
    /// An administrator added users.
    Added {
        /// The users.
        users: Vec<User>,
        /// Who did it: an entry of the audit log for each.
        audit: Vec<AuditEntry>,
    },
    /// Users were switched on, or off.
    Switched {
        /// Who; each was in the other state before.
        users: Vec<UserId>,
        /// Whether they may come in now.
        active: bool,
        /// The OAuth client that acted for the administrator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<ActingClient>,
        /// Who did it: an entry of the audit log for each.
        audit: Vec<AuditEntry>,
    },
    /// The account's roles changed, in the same group as their owner's own record of it.
    Roles(Box<RolesTaken>),
    /// A group is new, or has this name now.
    Group {
        /// The group.
        group: Group,
        /// Who did it.
        audit: Box<AuditEntry>,
    },
    /// A group without users was deleted.
    GroupDeleted {
        /// Its number.
        group: GroupId,
        /// Who did it.
        audit: Box<AuditEntry>,
    },
}

/// The operator made a user, or changed one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The user as they are now.
    pub user: User,
    /// The entry in the audit log.
    pub audit: AuditEntry,
}

/// The account's roles changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RolesTaken {
    /// What happened.
    pub change: RolesChange,
    /// What it means for users, if it means anything: an entry in the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditEntry>,
}
