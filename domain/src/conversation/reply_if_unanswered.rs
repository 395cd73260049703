//! An account user answers what they have seen: nothing is sent when another answered meanwhile.
//!
//! The writer of the conversation compares and stores in one step, so of two answers at the same instant one is sent.

use crate::Decision;
use crate::conversation::reply::{Reply, ReplyRejection, Sent};
use crate::conversation::{Conversation, ConversationEvent};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// An account user answers, unless a colleague, the integration or a bot has answered since.
#[derive(Clone, Debug)]
pub struct ReplyIfUnanswered {
    /// The answer.
    pub reply: Reply,
    /// The number of the newest message that its writer has seen; `None` when nothing is to be compared.
    pub seen: Option<u64>,
}

/// The outcome of such an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyOutcome {
    /// The answer is stored, or was before.
    Sent(Sent),
    /// Another has answered; nothing was written.
    AnsweredMeanwhile,
}

impl Command for ReplyIfUnanswered {
    type Of = Conversation;
    type Reply = ReplyOutcome;
    type Rejection = ReplyRejection;

    fn required_keys(&self, state: &Conversation) -> Keys {
        self.reply.required_keys(state)
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ReplyOutcome>, ReplyRejection> {
        let is_repeat = moment.earlier(0).is_some();
        let newest_answer = state.answers.newest_of_others(self.reply.by.user);
        if !is_repeat && self.seen.is_some_and(|seen| newest_answer > seen) {
            // No rejection: the caller waits until the other answer is on disk, and gets its text.
            return Ok(Decision::unchanged(ReplyOutcome::AnsweredMeanwhile));
        }
        let decision = self.reply.decide(state, moment)?;
        Ok(Decision {
            events: decision.events,
            notices: decision.notices,
            reply: ReplyOutcome::Sent(decision.reply),
        })
    }
}
