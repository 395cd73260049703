//! An account user has read a conversation: nothing in it is unread any more.

use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, Read};
use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use switchboard_engine::state::{Command, Moment};

/// An account user has read what there is.
#[derive(Clone, Debug)]
pub struct MarkRead {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acts for the user.
    pub client: Option<ActingClient>,
}

impl Command for MarkRead {
    type Of = Conversation;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ()>, Infallible> {
        if state.unread == 0 {
            return Ok(Decision::unchanged(()));
        }
        let read = ConversationEvent::Read(Read {
            by: self.by,
            client: self.client,
            at: moment.now,
        });
        Ok(Decision::event(read, ()))
    }
}
