//! The events of the users of an account.

use serde::{Deserialize, Serialize};

use crate::account::group::Group;
use crate::account::roles::RolesChange;
use crate::account::user::User;
use crate::audit::AuditEntry;
use crate::id::{GroupId, UserId};
use crate::oauth::acting_client::ActingClient;

/// An event of the users of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UsersEvent {
    /// The operator made a user, or changed one: as follows now.
    Declared(Box<Declared>),
    /// An administrator added users.
    Added {
        /// The users.
        users: Vec<User>,
        /// The audit entries, one per user.
        audit: Vec<AuditEntry>,
    },
    /// Users were switched on, or off.
    Switched {
        /// The users; each was in the other state before.
        users: Vec<UserId>,
        /// True when they may sign in from now on.
        active: bool,
        /// The OAuth client that acted for the administrator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<ActingClient>,
        /// The audit entries, one per user.
        audit: Vec<AuditEntry>,
    },
    /// The account's roles changed, in the same group as their owner's own record of it.
    Roles(Box<RolesTaken>),
    /// A group is new, or has this name now.
    Group {
        /// The group.
        group: Group,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
    /// A group without users was deleted.
    GroupDeleted {
        /// Its number.
        group: GroupId,
        /// The audit entry.
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
    /// The change of the roles.
    pub change: RolesChange,
    /// The audit entry about the consequences for users, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditEntry>,
}
