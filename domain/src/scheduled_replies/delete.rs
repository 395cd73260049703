//! A user cancels a scheduled reply.

use std::convert::identity;

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::keys;
use crate::scheduled_replies::change::{ChangingUser, next_version, present};
use crate::scheduled_replies::scheduled_reply::{
    ScheduledReply, ScheduledReplyRejection, ScheduledStatus,
};
use crate::scheduled_replies::{ScheduledReplies, ScheduledRepliesEvent};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Cancels a scheduled reply.
#[derive(Clone, Debug)]
pub struct DeleteScheduledReply {
    /// Its number.
    pub number: u64,
    /// The user.
    pub user: ChangingUser,
    /// The user, for the audit log.
    pub by: By,
}

impl Command for DeleteScheduledReply {
    type Of = ScheduledReplies;
    type Reply = ScheduledReply;
    type Rejection = ScheduledReplyRejection;

    fn required_keys(&self, state: &ScheduledReplies) -> Keys {
        Keys::from_iter([keys::team::scheduled_reply(state.conversation, self.number)])
    }

    fn decide(
        self,
        state: &ScheduledReplies,
        moment: &mut Moment<'_, ScheduledRepliesEvent>,
    ) -> Result<Decision<ScheduledRepliesEvent, ScheduledReply>, ScheduledReplyRejection> {
        let mut reply = present(moment)?;
        self.user.check(&reply)?;
        reply.status = ScheduledStatus::Cancelled(self.user.user);
        let object = format!("{}/{}", state.conversation, self.number);
        let account = self.by.account();
        let entry = AuditEntry::new(self.by, "scheduled_reply.delete", object, moment);
        let audit = Some(Box::new(AuditEntry { account, ..entry }));
        Ok(next_version(reply, moment.now, audit, identity))
    }
}
