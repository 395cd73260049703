//! The snooze of a conversation: it is out of the way until a time, or until the customer writes.
//!
//! A conversation has one timer, in its state. Its row is in the list of what is due, so a service that was down wakes the
//! conversation after its start.

use serde::{Deserialize, Serialize};

use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use crate::time::UnixMillis;
use crate::words;

/// A snooze, as an account user set it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snooze {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acted for the user; `None` when the user did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
    /// The time of the event.
    pub at: UnixMillis,
    /// The end of the snooze.
    pub until: UnixMillis,
    /// True when the customer's next loud message ends it earlier.
    pub wakes_on_message: bool,
}

/// The end of a snooze before a message ended it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Woken {
    /// The time of the event.
    pub at: UnixMillis,
    /// The cause.
    pub cause: WakeCause,
    /// The user who ended it; `None` when it was due, or ended with the talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<UserId>,
    /// The OAuth client that acted for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
}

words! {
    /// The cause of the end of a snooze.
    pub enum WakeCause {
        /// Its time came.
        Due = "due",
        /// A user ended it.
        User = "user",
        /// The talk was closed, or its lead was won or lost.
        Closed = "closed",
    }
}
