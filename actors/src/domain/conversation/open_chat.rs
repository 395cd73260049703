//! An integration asks for a conversation before its first message.
//!
//! Neither deal nor contact come of it, and a conversation without messages is in no list.

use crate::domain::Decision;
use crate::domain::conversation::{Conversation, ConversationEvent, Customer, Opened, Origin};
use crate::domain::id::{ClientConversationId, ConversationId, ScopeId};
use crate::domain::text::SourceId;
use switchboard_engine::state::{Command, Moment, Recorded};

/// A conversation is wanted.
#[derive(Clone, Debug)]
pub struct OpenChat {
    /// The scope.
    pub scope: ScopeId,
    /// The integration's id of it.
    pub client_conversation: ClientConversationId,
    /// The customer; `None` when only an account user was named.
    pub customer: Option<Customer>,
    /// Which entrance of the integration it comes through.
    pub source: Option<SourceId>,
}

/// The integration's id means a conversation of another scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such conversation in this account and channel")]
pub struct OfAnotherScope;

impl Command for OpenChat {
    type Of = Conversation;
    type Reply = ConversationId;
    type Rejection = OfAnotherScope;

    fn decide(
        self,
        state: &Conversation,
        _found: &[Option<Recorded<ConversationEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ConversationEvent, ConversationId>, OfAnotherScope> {
        if let Some(origin) = &state.origin {
            // It is there already, and stays as it is.
            return if origin.scope == self.scope {
                Ok(Decision::unchanged(state.id))
            } else {
                Err(OfAnotherScope)
            };
        }
        let opened = Opened {
            at: moment.now,
            origin: Origin {
                scope: self.scope,
                client_id: Some(self.client_conversation),
            },
            customer: self.customer,
            source: self.source,
        };
        Ok(Decision::event(
            ConversationEvent::Opened(Box::new(opened)),
            state.id,
        ))
    }
}
