//! An account user marks a conversation as unread.

use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, Mark, Marked};
use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use switchboard_engine::state::{Command, Moment};

/// An account user marks a conversation as unread.
#[derive(Clone, Debug)]
pub struct MarkUnread {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acts for the user.
    pub client: Option<ActingClient>,
}

impl Command for MarkUnread {
    type Of = Conversation;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ()>, Infallible> {
        if state.unread > 0 {
            return Ok(Decision::unchanged(()));
        }
        let event = ConversationEvent::Marked(Marked {
            by: self.by,
            client: self.client,
            at: moment.now,
            mark: Mark::Unread,
        });
        Ok(Decision::event(event, ()))
    }
}
