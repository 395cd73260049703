//! The users who made and changed a note or a task, and the times at which they did.

use serde::{Deserialize, Serialize};

use crate::audit::By;
use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use crate::time::UnixMillis;

/// The users who made an entry and changed it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authorship {
    /// The author.
    pub created_by: UserId,
    /// The OAuth client that acted for the author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by_client: Option<ActingClient>,
    /// The user of the last change.
    pub updated_by: UserId,
    /// The OAuth client that acted for the user of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_by_client: Option<ActingClient>,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

impl Authorship {
    /// The authorship of what this user makes now.
    #[must_use]
    pub fn new(by: &By, user: UserId, now: UnixMillis) -> Self {
        Self {
            created_by: user,
            created_by_client: by.client().cloned(),
            updated_by: user,
            updated_by_client: by.client().cloned(),
            created_at: now,
            updated_at: now,
        }
    }

    /// The authorship after a change, with the user and the time of `change`.
    #[must_use]
    pub fn changed_by(&self, change: &Self) -> Self {
        Self {
            created_by: self.created_by,
            created_by_client: self.created_by_client.clone(),
            created_at: self.created_at,
            ..change.clone()
        }
    }
}
