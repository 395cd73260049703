//! Orders about bots, groups and the clock.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::clock::Moment;

/// A bot to register.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewBot {
    /// The token: the id, a colon and a secret of letters, digits, `_` and `-`.
    pub token: String,
    /// The user name; without it the double chooses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True when the bot gets all messages of groups, not only those for it.
    #[serde(default)]
    pub can_read_all_group_messages: bool,
}

/// Shows everything but the token.
impl fmt::Debug for NewBot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("NewBot")
            .field("username", &self.username)
            .finish_non_exhaustive()
    }
}

/// A bot that is registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registered {
    /// Its id, the part of the token before the colon.
    pub id: i64,
    /// Its user name.
    pub username: String,
}

/// A group to open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The bot; without it the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<i64>,
    /// The id, below 0; without it the double chooses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The title.
    pub title: String,
    /// The people in it.
    pub members: Vec<i64>,
    /// True when it is a supergroup from the beginning.
    #[serde(default)]
    pub is_supergroup: bool,
    /// True when the bot is an administrator: it gets all messages and, by name, reactions.
    #[serde(default)]
    pub is_admin: bool,
}

/// A change of the clock: it is held or runs, then it is advanced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advance {
    /// True to stop the clock, false to let it run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<bool>,
    /// The seconds to move it forward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance_seconds: Option<i64>,
    /// The milliseconds to move it forward.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance_millis: Option<i64>,
}

/// The clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockState {
    /// The present moment, in milliseconds since 1970.
    pub now: Moment,
    /// True while it stands still.
    pub is_held: bool,
}
