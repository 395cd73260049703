//! A scheduled reply is due: the conversation sends it, or says why not.
//!
//! The writer of the conversation compares and stores in one step, so a message of the customer or an answer at the same instant
//! is either seen, or comes behind the reply.

use std::convert::Infallible;

use crate::Decision;
use crate::conversation::reply::{Reply, ReplyRejection, Sent};
use crate::conversation::{Conversation, ConversationEvent};
use crate::scheduled::DueRejection;
use crate::scheduled_replies::scheduled_reply::SendRule;
use switchboard_engine::state::{Command, Moment};

/// Sends a reply, unless its rule or the conversation keeps it back.
#[derive(Clone, Debug)]
pub struct ReplyWhenDue {
    /// The reply.
    pub reply: Reply,
    /// The messages that keep it back.
    pub rule: SendRule,
}

/// The outcome of a reply that was due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DueOutcome {
    /// It is stored.
    Sent(Sent),
    /// It is not sent.
    Held(DueRejection),
}

impl Command for ReplyWhenDue {
    type Of = Conversation;
    type Reply = DueOutcome;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, DueOutcome>, Infallible> {
        let hold = |reason| Ok(Decision::unchanged(DueOutcome::Held(reason)));
        let newest_answer = state.answers.newest_of_others(self.reply.by.user);
        if self.rule.seen.is_some_and(|seen| newest_answer > seen) {
            return hold(DueRejection::Answered);
        }
        if self.rule.unless_customer_wrote && state.heard > Some(self.rule.written_behind) {
            return hold(DueRejection::CustomerWrote);
        }
        match self.reply.decide(state, moment) {
            Ok(decision) => Ok(Decision {
                events: decision.events,
                notices: decision.notices,
                reply: DueOutcome::Sent(decision.reply),
            }),
            Err(ReplyRejection::WindowClosed { .. }) => hold(DueRejection::WindowClosed),
            Err(_nothing_can_leave) => hold(DueRejection::NotConnected),
        }
    }
}
