//! The parts that all changes of a scheduled reply share.

use crate::Decision;
use crate::audit::AuditEntry;
use crate::id::UserId;
use crate::scheduled_replies::ScheduledRepliesEvent;
use crate::scheduled_replies::scheduled_reply::{ScheduledReply, ScheduledReplyRejection};
use crate::time::UnixMillis;
use switchboard_engine::state::Moment;

/// A user who changes a scheduled reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangingUser {
    /// The user.
    pub user: UserId,
    /// True for an administrator, who may change those of others.
    pub is_administrator: bool,
}

/// The outcome of a change by a user who names the version that they have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduledReplyOutcome {
    /// It is as follows now.
    Stored(ScheduledReply),
    /// Another version is stored than the caller has changed; nothing was written.
    Newer(ScheduledReply),
}

/// The scheduled reply as it is stored, if it waits or is held.
pub(super) fn present(
    moment: &Moment<'_, ScheduledRepliesEvent>,
) -> Result<Box<ScheduledReply>, ScheduledReplyRejection> {
    let newest = moment.earlier(0).map(|record| &record.event.reply);
    let open = newest.filter(|reply| reply.status.is_open());
    Ok(open.ok_or(ScheduledReplyRejection::Unknown)?.clone())
}

/// Stores a scheduled reply as its next version. One that is at its end keeps no text.
pub(super) fn next_version<R>(
    mut reply: Box<ScheduledReply>,
    now: UnixMillis,
    audit: Option<Box<AuditEntry>>,
    answer: impl FnOnce(ScheduledReply) -> R,
) -> Decision<ScheduledRepliesEvent, R> {
    reply.version = reply.version.saturating_add(1);
    reply.updated_at = Some(now);
    if !reply.status.is_open() {
        reply.content = None;
    }
    let answer = answer(reply.as_ref().clone());
    Decision::event(ScheduledRepliesEvent { reply, audit }, answer)
}

impl ChangingUser {
    /// Checks that the user may change a scheduled reply.
    pub(super) fn check(self, reply: &ScheduledReply) -> Result<(), ScheduledReplyRejection> {
        if reply.by.user == self.user || self.is_administrator {
            return Ok(());
        }
        Err(ScheduledReplyRejection::OfAnother)
    }
}
