//! What users ask for of several conversations at once: plain data. Each conversation is changed by the commands for one.

use crate::id::{ConversationId, UserId};
use crate::time::UnixMillis;

/// The maximum number of conversations of one request.
pub const CONVERSATIONS_MAX: usize = 250;

/// A conversation to be changed with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenConversation {
    /// The conversation.
    pub id: ConversationId,
    /// The responsible user that the caller saw; `None` when the caller saw none, or does not say.
    pub replaces: Option<UserId>,
}

/// A change of several conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationsChange {
    /// Their talks are closed.
    Close,
    /// They are assigned to this user; `None` gives them back.
    Assign(Option<UserId>),
    /// They are snoozed.
    Snooze(SnoozeRequest),
}

/// A request of a user to snooze a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnoozeRequest {
    /// The end of the snooze.
    pub until: UnixMillis,
    /// True when the customer's next loud message ends it earlier.
    pub wakes_on_message: bool,
}
