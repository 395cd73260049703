//! An account user deletes a canned reply.

use crate::Decision;
use crate::canned_replies::canned_reply::{CannedReply, CannedReplyEditor, CannedReplyRejection};
use crate::canned_replies::{CannedReplies, CannedRepliesEvent};
use crate::id::CannedReplyId;
use switchboard_engine::state::{Command, Moment};

/// Deletes a canned reply.
#[derive(Clone, Debug)]
pub struct DeleteCannedReply {
    /// The user.
    pub editor: CannedReplyEditor,
    /// The canned reply.
    pub id: CannedReplyId,
}

impl Command for DeleteCannedReply {
    type Of = CannedReplies;
    type Reply = CannedReply;
    type Rejection = CannedReplyRejection;

    fn decide(
        self,
        state: &CannedReplies,
        moment: &mut Moment<'_, CannedRepliesEvent>,
    ) -> Result<Decision<CannedRepliesEvent, CannedReply>, CannedReplyRejection> {
        let before = state.changeable(self.id, &self.editor)?;
        let by = self.editor.by;
        let event = CannedRepliesEvent {
            id: self.id,
            now: None,
            audit: state.audit(by, "canned_reply.delete", Some(before), None, moment),
        };
        Ok(Decision::events(vec![event.into()], before.clone()))
    }
}
