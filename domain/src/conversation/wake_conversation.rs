//! The snooze of a conversation ends: it is due, or an account user ends it.

use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, Snooze, WakeCause, Woken};
use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use switchboard_engine::state::{Command, Moment};

/// The snooze of a conversation ends.
#[derive(Clone, Debug)]
pub enum WakeConversation {
    /// Its time came.
    Due,
    /// A user ends it.
    ByUser {
        /// The user.
        by: UserId,
        /// The OAuth client that acts for the user.
        client: Option<ActingClient>,
        /// The only snooze that the user means; `None`: any.
        only: Option<Box<Snooze>>,
    },
}

impl Command for WakeConversation {
    type Of = Conversation;
    type Reply = bool;
    type Rejection = Infallible;

    /// Replies whether a snooze ended.
    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, bool>, Infallible> {
        let Some(snooze) = &state.snooze else {
            return Ok(Decision::unchanged(false));
        };
        let (is_meant, cause, by, client) = match self {
            Self::Due => (snooze.until <= moment.now, WakeCause::Due, None, None),
            Self::ByUser { by, client, only } => {
                let is_meant = only.is_none_or(|only| only == *snooze);
                (is_meant, WakeCause::User, Some(by), client)
            }
        };
        if !is_meant {
            return Ok(Decision::unchanged(false));
        }
        let woken = Woken {
            at: moment.now,
            cause,
            by,
            client,
        };
        Ok(Decision::event(ConversationEvent::Woken(woken), true))
    }
}
