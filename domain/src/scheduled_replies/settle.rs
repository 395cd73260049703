//! A scheduled reply becomes a message, or is held.
//!
//! The version that is due is compared: of a change or a cancellation at the same instant, one is first, and the other finds that.

use std::convert::identity;

use crate::Decision;
use crate::id::MessageId;
use crate::keys;
use crate::scheduled::DueRejection;
use crate::scheduled_replies::change::{ChangingUser, next_version, present};
use crate::scheduled_replies::scheduled_reply::{
    ScheduledReply, ScheduledReplyRejection, ScheduledStatus,
};
use crate::scheduled_replies::{ScheduledReplies, ScheduledRepliesEvent};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Settles a scheduled reply.
#[derive(Clone, Debug)]
pub struct SettleScheduledReply {
    /// Its number.
    pub number: u64,
    /// The way.
    pub way: Settlement,
}

/// The way in which a scheduled reply is settled.
#[derive(Clone, Copy, Debug)]
pub enum Settlement {
    /// This version of it is due: it became this message, or is held.
    Due(u64, Result<MessageId, DueRejection>),
    /// A user sent it as this message, before its time or after it was held.
    SentNow(ChangingUser, MessageId),
}

impl Command for SettleScheduledReply {
    type Of = ScheduledReplies;
    type Reply = ScheduledReply;
    type Rejection = ScheduledReplyRejection;

    fn required_keys(&self, state: &ScheduledReplies) -> Keys {
        Keys::from_iter([keys::team::scheduled_reply(state.conversation, self.number)])
    }

    fn decide(
        self,
        _state: &ScheduledReplies,
        moment: &mut Moment<'_, ScheduledRepliesEvent>,
    ) -> Result<Decision<ScheduledRepliesEvent, ScheduledReply>, ScheduledReplyRejection> {
        let mut reply = present(moment)?;
        reply.status = match self.way {
            Settlement::Due(version, outcome) => {
                if reply.version != version || reply.due().is_none() {
                    return Err(ScheduledReplyRejection::Unknown);
                }
                outcome.map_or_else(ScheduledStatus::Held, ScheduledStatus::Sent)
            }
            Settlement::SentNow(by, message) => {
                by.check(&reply)?;
                ScheduledStatus::Sent(message)
            }
        };
        Ok(next_version(reply, moment.now, None, identity))
    }
}
