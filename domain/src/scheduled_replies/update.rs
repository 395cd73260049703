//! A user changes a scheduled reply.

use crate::Decision;
use crate::conversation::snooze_conversation::check_time;
use crate::keys;
use crate::scheduled_replies::change::{
    ChangingUser, ScheduledReplyOutcome, next_version, present,
};
use crate::scheduled_replies::scheduled_reply::{
    ScheduledReply, ScheduledReplyRejection, ScheduledStatus, SendRule,
};
use crate::scheduled_replies::{ScheduledReplies, ScheduledRepliesEvent};
use crate::text::MessageText;
use crate::time::UnixMillis;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Changes a scheduled reply, if the version that the user changed is the stored one.
#[derive(Clone, Debug)]
pub struct UpdateScheduledReply {
    /// Its number.
    pub number: u64,
    /// The user.
    pub by: ChangingUser,
    /// The new values.
    pub update: ScheduledReplyUpdate,
}

/// New values of a scheduled reply. `None` leaves a field as it is. One that was held waits again, if it gets a new time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScheduledReplyUpdate {
    /// The number of the version that the caller has changed.
    pub based_on: u64,
    /// The new text; an empty caption is `Some(None)`.
    pub text: Option<Option<MessageText>>,
    /// The new time.
    pub send_at: Option<UnixMillis>,
    /// The new rule about messages of the customer.
    pub unless_customer_wrote: Option<bool>,
    /// The newest message that the caller has seen, by its number.
    pub seen: Option<u64>,
    /// The newest message of the conversation.
    pub newest: u64,
}

impl Command for UpdateScheduledReply {
    type Of = ScheduledReplies;
    type Reply = ScheduledReplyOutcome;
    type Rejection = ScheduledReplyRejection;

    fn required_keys(&self, state: &ScheduledReplies) -> Keys {
        Keys::from_iter([keys::team::scheduled_reply(state.conversation, self.number)])
    }

    fn decide(
        self,
        _state: &ScheduledReplies,
        moment: &mut Moment<'_, ScheduledRepliesEvent>,
    ) -> Result<Decision<ScheduledRepliesEvent, ScheduledReplyOutcome>, ScheduledReplyRejection>
    {
        let mut reply = present(moment)?;
        self.by.check(&reply)?;
        if reply.version != self.update.based_on {
            return Ok(Decision::unchanged(ScheduledReplyOutcome::Newer(*reply)));
        }
        self.update.apply(&mut reply, moment.now)?;
        let answer = ScheduledReplyOutcome::Stored;
        Ok(next_version(reply, moment.now, None, answer))
    }
}

impl ScheduledReplyUpdate {
    fn apply(
        self,
        reply: &mut ScheduledReply,
        now: UnixMillis,
    ) -> Result<(), ScheduledReplyRejection> {
        if let Some(text) = self.text {
            let content = reply.content.take().filter(|it| it.template.is_none());
            let content = content.and_then(|content| content.with_text(text));
            reply.content = Some(Box::new(content.ok_or(ScheduledReplyRejection::Text)?));
        }
        if let Some(send_at) = self.send_at {
            check_time(send_at, now).map_err(ScheduledReplyRejection::Time)?;
            reply.send_at = send_at;
            reply.status = ScheduledStatus::Waiting;
        }
        if let Some(unless_customer_wrote) = self.unless_customer_wrote {
            reply.rule.unless_customer_wrote = unless_customer_wrote;
        }
        let seen = self.seen.or(reply.rule.seen);
        reply.rule = SendRule {
            // Without a message that was seen, the time of writing counts, which is now.
            written_behind: seen.unwrap_or(self.newest),
            seen,
            ..reply.rule
        };
        Ok(())
    }
}
