//! The newest lead of the conversation moves, or its responsible user changes. The CRM decides that. The conversation
//! takes note of it, since it knows whether the next loud message needs another lead, and in which users' lists it
//! stands.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::{ConversationId, UserId};
use switchboard_engine::state::{Command, Moment};

/// Takes note, and replies with the followers of the conversation.
#[derive(Clone, Copy, Debug)]
pub struct NoteLead {
    /// The conversation.
    pub conversation: ConversationId,
    /// True while the lead is neither won nor lost.
    pub open: bool,
    /// The new responsible user.
    pub responsible: Option<UserId>,
}

impl Command for NoteLead {
    type Of = Conversation;
    type Reply = BTreeSet<UserId>;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        _moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, BTreeSet<UserId>>, Infallible> {
        let event = ConversationEvent::LeadChanged {
            open: self.open,
            responsible: self.responsible,
        };
        Ok(Decision::event(event, state.followers.clone()))
    }
}
