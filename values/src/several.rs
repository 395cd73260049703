//! What users ask for of several conversations at once: plain data. Each conversation is changed by the commands for one.

use crate::id::{ConversationId, GroupId, UserId};
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
    /// The group that the caller saw; `None` when the caller saw none, or does not say.
    pub replaces_group: Option<GroupId>,
}

/// A new owner, by a user who saw the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap<T> {
    /// The new owner; `None` gives the conversation back.
    pub to: Option<T>,
    /// The owner that the caller saw.
    pub replaces: Option<T>,
}

impl<T> Swap<T> {
    /// The change that undoes this one.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            to: self.replaces,
            replaces: self.to,
        }
    }
}

/// A change of the owners of one conversation; one that is `None` stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnersChange {
    /// The responsible user.
    pub user: Option<Swap<UserId>>,
    /// The group.
    pub group: Option<Swap<GroupId>>,
}

impl OwnersChange {
    /// The change that undoes this one.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            user: self.user.map(Swap::reversed),
            group: self.group.map(Swap::reversed),
        }
    }
}

/// The new owners of several conversations; one that is `None` stays, and `Some(None)` is no owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owners {
    /// The responsible user.
    pub user: Option<Option<UserId>>,
    /// The group.
    pub group: Option<Option<GroupId>>,
}

impl Owners {
    /// The change of one of the conversations.
    #[must_use]
    pub fn change(self, chosen: ChosenConversation) -> OwnersChange {
        let (replaces, replaces_group) = (chosen.replaces, chosen.replaces_group);
        OwnersChange {
            user: self.user.map(|to| Swap { to, replaces }),
            group: self.group.map(|to| Swap {
                to,
                replaces: replaces_group,
            }),
        }
    }
}

/// A change of several conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationsChange {
    /// Their talks are closed.
    Close,
    /// They are assigned to these owners.
    Assign(Owners),
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
