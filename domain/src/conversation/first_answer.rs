//! An account user answers in a conversation for whose lead no user is responsible: the user is, from then on.
//!
//! The message and the assignment are stored in one step: the CRM records the lead in the same group, and rejects both if the lead
//! has changed.

use crate::Decision;
use crate::conversation::reply::ReplyRejection;
use crate::conversation::reply_if_unanswered::{ReplyIfUnanswered, ReplyOutcome};
use crate::conversation::{Conversation, ConversationEvent};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// An answer, and the assignment of the newest lead to its author.
#[derive(Clone, Debug)]
pub struct FirstAnswer {
    /// The answer.
    pub answer: ReplyIfUnanswered,
    /// True while the lead is neither won nor lost.
    pub open: bool,
}

impl Command for FirstAnswer {
    type Of = Conversation;
    type Reply = ReplyOutcome;
    type Rejection = ReplyRejection;

    fn required_keys(&self, state: &Conversation) -> Keys {
        self.answer.required_keys(state)
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ReplyOutcome>, ReplyRejection> {
        let (open, user) = (self.open, self.answer.reply.by.user);
        let mut decision = self.answer.decide(state, moment)?;
        if !decision.events.is_empty() {
            let responsible = Some(user);
            let event = ConversationEvent::LeadChanged {
                open,
                responsible,
                talk_closed: state.talk_closed,
            };
            decision.events.push(event.into());
        }
        Ok(decision)
    }
}
