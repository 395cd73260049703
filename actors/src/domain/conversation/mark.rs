//! An account user marks a conversation: as unread, or its failures as dismissed.

use std::convert::Infallible;

use crate::domain::Decision;
use crate::domain::conversation::{Conversation, ConversationEvent, Mark, Marked};
use crate::domain::id::UserId;
use crate::domain::oauth::acting_client::ActingClient;
use switchboard_engine::state::{Command, Moment, Recorded};

/// An account user marks a conversation.
#[derive(Clone, Debug)]
pub struct MarkConversation {
    /// Who.
    pub by: UserId,
    /// The OAuth client that acts for the user.
    pub client: Option<ActingClient>,
    /// The mark.
    pub mark: Mark,
}

impl Command for MarkConversation {
    type Of = Conversation;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        _found: &[Option<Recorded<ConversationEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ConversationEvent, ()>, Infallible> {
        let changes_nothing = match &self.mark {
            Mark::Unread => state.unread > 0,
            Mark::FailuresDismissed(failed) => failed.is_empty(),
        };
        if changes_nothing {
            return Ok(Decision::unchanged(()));
        }
        let marked = ConversationEvent::Marked(Marked {
            by: self.by,
            client: self.client,
            at: moment.now,
            mark: self.mark,
        });
        Ok(Decision::event(marked, ()))
    }
}
