//! A draft became a message: it goes in the same group of records.

use std::convert::Infallible;

use crate::Decision;
use crate::drafts::draft::{Draft, DraftContent, DraftKind};
use crate::drafts::{Drafts, DraftsEvent};
use crate::id::UserId;
use switchboard_engine::state::{Command, Moment};

/// Deletes the version of a draft that was sent. A newer one stays: its writer has gone on in another page.
#[derive(Clone, Copy, Debug)]
pub struct DeleteSentDraft {
    /// The writer.
    pub user: UserId,
    /// The kind of the draft.
    pub kind: DraftKind,
    /// The number of the version that was sent.
    pub number: u64,
}

impl Command for DeleteSentDraft {
    type Of = Drafts;
    type Reply = ();
    type Rejection = Infallible;

    /// The message goes whether there is a draft or not.
    const OPTIONAL: bool = true;

    fn decide(
        self,
        state: &Drafts,
        moment: &mut Moment<'_, DraftsEvent>,
    ) -> Result<Decision<DraftsEvent, ()>, Infallible> {
        if self.number == 0 || state.number(self.user, self.kind) != self.number {
            return Ok(Decision::unchanged(()));
        }
        let draft = Draft {
            user: self.user,
            kind: self.kind,
            number: self.number.saturating_add(1),
            at: moment.now,
            content: DraftContent::default(),
        };
        let event = DraftsEvent::Updated(Box::new(draft));
        Ok(Decision::events(vec![event.into()], ()))
    }
}
