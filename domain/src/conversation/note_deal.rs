//! The newest deal of the conversation moves, or its responsible user changes. The CRM decides that. The conversation
//! takes note of it, since it knows whether the next loud message needs another deal, and in which users' lists it
//! stands.

use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::{ConversationId, UserId};
use switchboard_engine::state::{Command, Moment};

/// Takes note.
#[derive(Clone, Copy, Debug)]
pub struct NoteDeal {
    /// The conversation.
    pub conversation: ConversationId,
    /// True while the deal is neither won nor lost.
    pub open: bool,
    /// The new responsible user.
    pub responsible: Option<UserId>,
}

impl Command for NoteDeal {
    type Of = Conversation;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        _state: &Conversation,
        _moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ()>, Infallible> {
        let event = ConversationEvent::DealChanged {
            open: self.open,
            responsible: self.responsible,
        };
        Ok(Decision::event(event, ()))
    }
}
