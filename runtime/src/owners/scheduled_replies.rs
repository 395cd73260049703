//! The owner of the scheduled replies in a conversation, and the reply that settles one of them.

use std::error::Error;

use crate::shared::Shared;
use switchboard_domain::conversation::reply_if_unanswered::ReplyOutcome;
use switchboard_domain::conversation::reply_when_due::DueOutcome;
use switchboard_domain::id::{ConversationId, MessageId};
use switchboard_domain::scheduled::DueRejection;
use switchboard_domain::scheduled_replies::ScheduledReplies;
use switchboard_domain::scheduled_replies::change::ChangingUser;
use switchboard_domain::scheduled_replies::scheduled_reply::{
    ScheduledReply, ScheduledReplyRejection,
};
use switchboard_domain::scheduled_replies::settle::{SettleScheduledReply, Settlement};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::joint::{Joint, RejectedBy};
use switchboard_engine::runtime::owner::{Execute, Owned};
use switchboard_engine::state::Command;

impl Owned<Shared> for ScheduledReplies {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.scheduled_replies
    }
}

/// A scheduled reply that a command settles.
#[derive(Clone, Copy, Debug)]
pub struct ScheduledTarget {
    /// The conversation.
    pub conversation: ConversationId,
    /// The number of the scheduled reply.
    pub number: u64,
    /// The user who sends it now, or its version that is due.
    pub cause: Result<ChangingUser, u64>,
}

/// The outcome of a command that may settle a scheduled reply.
pub trait SettlingOutcome {
    /// The new message, or the reason for which there is none; `None` when nothing is settled.
    fn outcome(&self) -> Option<Result<MessageId, DueRejection>>;
}

impl SettlingOutcome for ReplyOutcome {
    fn outcome(&self) -> Option<Result<MessageId, DueRejection>> {
        match self {
            Self::Sent(sent) if !sent.repeated => Some(Ok(sent.replied.id)),
            Self::Sent(_) | Self::AnsweredMeanwhile => None,
        }
    }
}

impl SettlingOutcome for DueOutcome {
    fn outcome(&self) -> Option<Result<MessageId, DueRejection>> {
        Some(match self {
            Self::Sent(sent) => Ok(sent.replied.id),
            Self::Held(reason) => Err(*reason),
        })
    }
}

/// A scheduled reply becomes a message or is held, in one group of records.
#[derive(Debug)]
pub struct SettleWith<C> {
    /// The command that makes a message, or holds the scheduled reply.
    pub command: C,
    /// The scheduled reply that comes to its end by it.
    pub target: ScheduledTarget,
}

/// The rejection of such a change.
#[derive(Debug, thiserror::Error)]
pub enum SettleRejection<F: Error> {
    /// The conversation rejects it.
    #[error("{0}")]
    Conversation(F),
    /// The scheduled reply is at its end, or is another version by now.
    #[error("{0}")]
    Scheduled(ScheduledReplyRejection),
}

impl<C> Joint for SettleWith<C>
where
    C: Command<Of: Owned<Shared>, Reply: SettlingOutcome, Rejection: Error>,
{
    type Product = Shared;
    type First = C;
    type Second = Execute<SettleScheduledReply>;
    type SecondInput = ScheduledTarget;
    type Reply = (C::Reply, Option<ScheduledReply>);
    type Rejection = SettleRejection<C::Rejection>;

    fn first(self) -> (C, ScheduledTarget) {
        (self.command, self.target)
    }

    fn second(
        target: ScheduledTarget,
        outcome: &C::Reply,
    ) -> Option<(ConversationId, Execute<SettleScheduledReply>)> {
        let number = target.number;
        let way = match (target.cause, outcome.outcome()?) {
            (Err(version), outcome) => Settlement::Due(version, outcome),
            (Ok(by), outcome) => Settlement::SentNow(by, outcome.ok()?),
        };
        let command = Execute::at_once(SettleScheduledReply { number, way });
        Some((target.conversation, command))
    }

    fn reply(
        outcome: Option<C::Reply>,
        settled: Option<ScheduledReply>,
    ) -> Option<(C::Reply, Option<ScheduledReply>)> {
        Some((outcome?, settled))
    }

    fn rejection(
        by: RejectedBy<C::Rejection, ScheduledReplyRejection>,
    ) -> SettleRejection<C::Rejection> {
        match by {
            RejectedBy::First(rejection) => SettleRejection::Conversation(rejection),
            RejectedBy::Second(rejection) => SettleRejection::Scheduled(rejection),
        }
    }
}
