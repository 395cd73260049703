//! A user writes a new version of a draft.

use crate::Decision;
use crate::drafts::draft::{Draft, DraftContent, DraftKind};
use crate::drafts::{Drafts, DraftsEvent, WRITERS_MAX};
use crate::id::UserId;
use switchboard_engine::state::{Command, Moment};

/// Writes a new version of a draft, or deletes it with an empty content.
#[derive(Clone, Debug)]
pub struct UpdateDraft {
    /// The writer.
    pub user: UserId,
    /// The kind of the draft.
    pub kind: DraftKind,
    /// The number of the version that the writer has changed; 0 when there was none.
    pub based_on: u64,
    /// The new content.
    pub content: DraftContent,
}

/// The outcome of such a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftOutcome {
    /// The version with this number is stored.
    Stored(u64),
    /// Another page of the same user has stored a newer version; nothing was written.
    Newer,
}

/// The rejection of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftRejection {
    /// The conversation has drafts of as many users as it can have.
    #[error(
        "this conversation has drafts of {WRITERS_MAX} users, which is the most; the draft stays in your browser"
    )]
    TooManyWriters,
}

impl Command for UpdateDraft {
    type Of = Drafts;
    type Reply = DraftOutcome;
    type Rejection = DraftRejection;

    fn decide(
        self,
        state: &Drafts,
        moment: &mut Moment<'_, DraftsEvent>,
    ) -> Result<Decision<DraftsEvent, DraftOutcome>, DraftRejection> {
        let newest = state.number(self.user, self.kind);
        if newest != self.based_on {
            return Ok(Decision::unchanged(DraftOutcome::Newer));
        }
        if newest == 0 {
            if self.content.is_empty() {
                return Ok(Decision::unchanged(DraftOutcome::Stored(0)));
            }
            if !state.has_room(self.user) {
                return Err(DraftRejection::TooManyWriters);
            }
        }
        let number = newest.saturating_add(1);
        let draft = Draft {
            user: self.user,
            kind: self.kind,
            number,
            at: moment.now,
            content: self.content,
        };
        let event = DraftsEvent::Updated(Box::new(draft));
        Ok(Decision::events(
            vec![event.into()],
            DraftOutcome::Stored(number),
        ))
    }
}
