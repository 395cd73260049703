//! An account user creates a canned reply.

use crate::Decision;
use crate::audit::By;
use crate::canned_replies::canned_reply::{CannedReply, CannedReplyRejection, CannedReplySettings};
use crate::canned_replies::{CannedReplies, CannedRepliesEvent};
use crate::id::{CannedReplyId, IdempotencyKey, UserId};
use crate::keys;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Creates a canned reply.
#[derive(Clone, Debug)]
pub struct CreateCannedReply {
    /// The actor, for the audit log.
    pub by: By,
    /// The user.
    pub author: UserId,
    /// The canned reply.
    pub settings: CannedReplySettings,
    /// The idempotency key of the request; a repeat is the same canned reply.
    pub request: Option<IdempotencyKey>,
}

impl Command for CreateCannedReply {
    type Of = CannedReplies;
    type Reply = CannedReply;
    type Rejection = CannedReplyRejection;

    fn required_keys(&self, state: &CannedReplies) -> Keys {
        let request = self.request.iter();
        request
            .map(|request| keys::team::canned_reply_request(state.account, self.author, request))
            .collect()
    }

    fn decide(
        self,
        state: &CannedReplies,
        moment: &mut Moment<'_, CannedRepliesEvent>,
    ) -> Result<Decision<CannedRepliesEvent, CannedReply>, CannedReplyRejection> {
        if let Some(earlier) = moment.earlier(0) {
            let reply = earlier.event.now.as_deref().cloned();
            let same = reply.filter(|it| it.settings == self.settings);
            let reply = same.ok_or(CannedReplyRejection::OtherRequest)?;
            return Ok(Decision::unchanged(reply));
        }
        let id = CannedReplyId(state.last.saturating_add(1));
        state.check(id, self.author, &self.settings)?;
        let reply = CannedReply {
            id,
            author: self.author,
            settings: self.settings,
            created_at: moment.now,
            updated_at: moment.now,
            request: self.request,
        };
        let event = state.stored(self.by, "canned_reply.create", &reply, moment);
        Ok(Decision::events(vec![event.into()], reply))
    }
}
