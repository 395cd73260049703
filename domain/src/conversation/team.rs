//! The events by which the team arranges who is with a conversation.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::crm::assignment::AssignmentReason;
use crate::id::{GroupId, LeadId, UserId};
use crate::oauth::acting_client::ActingClient;
use crate::time::UnixMillis;

/// A conversation has another group, or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupAssigned {
    /// The group.
    pub group: Option<GroupId>,
    /// The user who assigned it.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// The reason.
    pub reason: AssignmentReason,
    /// The time of the event.
    pub at: UnixMillis,
}

/// A note of the team mentions users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mentioned {
    /// The users, who were not mentioned in this note before.
    pub users: BTreeSet<UserId>,
    /// The writer of the note.
    pub by: UserId,
    /// The number of the note; `None` when the users have had the news of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<u64>,
    /// The newest lead of the conversation at the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<LeadId>,
    /// The time of the event.
    pub at: UnixMillis,
}
