//! An account user changes a canned reply.

use crate::Decision;
use crate::canned_replies::canned_reply::{
    CannedReply, CannedReplyChange, CannedReplyEditor, CannedReplyRejection,
};
use crate::canned_replies::{CannedReplies, CannedRepliesEvent};
use crate::id::CannedReplyId;
use switchboard_engine::state::{Command, Moment};

/// Changes a canned reply.
#[derive(Clone, Debug)]
pub struct UpdateCannedReply {
    /// The user.
    pub editor: CannedReplyEditor,
    /// The canned reply.
    pub id: CannedReplyId,
    /// Its change.
    pub change: CannedReplyChange,
}

/// A canned reply that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannedReplyUpdated {
    /// The canned reply after the change.
    pub reply: CannedReply,
    /// True when all users had it before the change.
    pub was_shared: bool,
}

impl Command for UpdateCannedReply {
    type Of = CannedReplies;
    type Reply = CannedReplyUpdated;
    type Rejection = CannedReplyRejection;

    fn decide(
        self,
        state: &CannedReplies,
        moment: &mut Moment<'_, CannedRepliesEvent>,
    ) -> Result<Decision<CannedRepliesEvent, CannedReplyUpdated>, CannedReplyRejection> {
        let before = state.changeable(self.id, &self.editor)?;
        let was_shared = before.settings.is_shared;
        let settings = self.change.apply_to(&before.settings);
        if settings == before.settings {
            let reply = before.clone();
            return Ok(Decision::unchanged(CannedReplyUpdated {
                reply,
                was_shared,
            }));
        }
        state.check(self.id, before.author, &settings)?;
        let after = CannedReply {
            settings,
            updated_at: moment.now,
            ..before.clone()
        };
        let by = self.editor.by;
        let event = state.stored(by, "canned_reply.update", &after, moment);
        Ok(Decision::events(
            vec![event.into()],
            CannedReplyUpdated {
                reply: after,
                was_shared,
            },
        ))
    }
}
