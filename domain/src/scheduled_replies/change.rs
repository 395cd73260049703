//! A scheduled reply is changed, sent, held or cancelled.
//!
//! What is sent or held at its time compares the version: of a change or a cancellation at the same instant, one is first, and
//! the other finds that.

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::conversation::snooze_conversation::check_time;
use crate::id::{MessageId, UserId};
use crate::keys;
use crate::scheduled::HoldReason;
use crate::scheduled_replies::scheduled_reply::{
    ScheduledReply, ScheduledReplyRejection, ScheduledStatus, SendRule,
};
use crate::scheduled_replies::{ScheduledReplies, ScheduledRepliesEvent};
use crate::text::MessageText;
use crate::time::UnixMillis;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Changes a scheduled reply.
#[derive(Clone, Debug)]
pub struct ChangeScheduledReply {
    /// Its number.
    pub number: u64,
    /// The change.
    pub act: ScheduledReplyAct,
}

/// A change of a scheduled reply.
#[derive(Clone, Debug)]
pub enum ScheduledReplyAct {
    /// This version of it is due: it became this message, or is held.
    Due(u64, Result<MessageId, HoldReason>),
    /// A user sent it as this message, before its time or after it was held.
    SendNow(ChangingUser, MessageId),
    /// A user cancels it.
    Cancel(ChangingUser, Box<By>),
    /// A user changes it.
    Update(ChangingUser, ScheduledReplyUpdate),
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

/// A user who changes a scheduled reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangingUser {
    /// The user.
    pub user: UserId,
    /// True for an administrator, who may change those of others.
    pub is_administrator: bool,
}

/// The outcome of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduledReplyOutcome {
    /// It is as follows now.
    Stored(ScheduledReply),
    /// Another version is stored than the caller has changed; nothing was written.
    Newer(ScheduledReply),
}

impl Command for ChangeScheduledReply {
    type Of = ScheduledReplies;
    type Reply = ScheduledReplyOutcome;
    type Rejection = ScheduledReplyRejection;

    fn required_keys(&self, state: &ScheduledReplies) -> Keys {
        Keys::from_iter([keys::team::scheduled_reply(state.conversation, self.number)])
    }

    fn decide(
        self,
        state: &ScheduledReplies,
        moment: &mut Moment<'_, ScheduledRepliesEvent>,
    ) -> Result<Decision<ScheduledRepliesEvent, ScheduledReplyOutcome>, ScheduledReplyRejection>
    {
        let newest = moment.earlier(0).map(|record| &record.event.reply);
        let open = newest.filter(|reply| reply.status.is_open());
        let present = open.ok_or(ScheduledReplyRejection::Unknown)?.clone();
        let mut reply = present.clone();
        reply.version = present.version.saturating_add(1);
        reply.updated_at = Some(moment.now);
        let mut audit = None;
        match self.act {
            ScheduledReplyAct::Due(version, outcome) => {
                if present.version != version || present.due().is_none() {
                    return Err(ScheduledReplyRejection::Unknown);
                }
                reply.status = outcome.map_or_else(ScheduledStatus::Held, ScheduledStatus::Sent);
            }
            ScheduledReplyAct::SendNow(by, message) => {
                by.check(&present)?;
                reply.status = ScheduledStatus::Sent(message);
            }
            ScheduledReplyAct::Cancel(user, by) => {
                user.check(&present)?;
                reply.status = ScheduledStatus::Cancelled(user.user);
                let object = format!("{}/{}", state.conversation, self.number);
                let account = by.account();
                let entry = AuditEntry::new(*by, "scheduled_reply.delete", object, moment);
                audit = Some(Box::new(AuditEntry { account, ..entry }));
            }
            ScheduledReplyAct::Update(by, update) => {
                by.check(&present)?;
                if present.version != update.based_on {
                    return Ok(Decision::unchanged(ScheduledReplyOutcome::Newer(*present)));
                }
                update.apply(&mut reply, moment.now)?;
            }
        }
        if !reply.status.is_open() {
            reply.content = None;
        }
        let stored = ScheduledReplyOutcome::Stored(reply.as_ref().clone());
        let event = ScheduledRepliesEvent { reply, audit };
        Ok(Decision::event(event, stored))
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

impl ChangingUser {
    /// Checks that the user may change a scheduled reply.
    fn check(self, reply: &ScheduledReply) -> Result<(), ScheduledReplyRejection> {
        if reply.by.user == self.user || self.is_administrator {
            return Ok(());
        }
        Err(ScheduledReplyRejection::OfAnother)
    }
}
