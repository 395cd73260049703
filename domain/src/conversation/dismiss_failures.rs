//! An account user dismisses the failed messages of a conversation.

use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, Mark, Marked};
use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use switchboard_engine::state::{Command, Moment};

/// An account user dismisses the failed messages of a conversation.
#[derive(Clone, Debug)]
pub struct DismissFailures {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acts for the user.
    pub client: Option<ActingClient>,
    /// The messages, by their numbers among the outgoing ones.
    pub failed: Vec<u64>,
}

impl Command for DismissFailures {
    type Of = Conversation;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        _state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ()>, Infallible> {
        if self.failed.is_empty() {
            return Ok(Decision::unchanged(()));
        }
        let event = ConversationEvent::Marked(Marked {
            by: self.by,
            client: self.client,
            at: moment.now,
            mark: Mark::FailuresDismissed(self.failed),
        });
        Ok(Decision::event(event, ()))
    }
}
