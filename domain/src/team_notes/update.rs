//! The writer of a note changes it.

use std::collections::BTreeSet;

use crate::Decision;
use crate::id::UserId;
use crate::team_notes::note::{StoredNote, TeamNote, TeamNoteRejection, UPDATABLE};
use crate::team_notes::{TeamNotes, TeamNotesEvent, required_note};
use crate::text::MessageText;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Changes a note.
#[derive(Clone, Debug)]
pub struct UpdateTeamNote {
    /// The user.
    pub by: UserId,
    /// The number of the note.
    pub number: u64,
    /// The new text.
    pub text: MessageText,
    /// The users whom it mentions from then on; `None`: the same as before.
    pub mentions: Option<BTreeSet<UserId>>,
}

impl Command for UpdateTeamNote {
    type Of = TeamNotes;
    type Reply = StoredNote;
    type Rejection = TeamNoteRejection;

    fn required_keys(&self, state: &TeamNotes) -> Keys {
        state.key_of(self.number)
    }

    fn decide(
        self,
        _state: &TeamNotes,
        moment: &mut Moment<'_, TeamNotesEvent>,
    ) -> Result<Decision<TeamNotesEvent, StoredNote>, TeamNoteRejection> {
        let note = required_note(moment)?;
        if note.by.user != self.by {
            return Err(TeamNoteRejection::OfAnother);
        }
        let text = note.text.as_ref().ok_or(TeamNoteRejection::Deleted)?;
        let mentions = self.mentions.unwrap_or_else(|| note.mentions.clone());
        if *text == self.text && mentions == note.mentions {
            return Ok(Decision::unchanged(StoredNote::repeated(note)));
        }
        if moment.now >= note.at.plus(UPDATABLE) {
            return Err(TeamNoteRejection::TooLate);
        }
        let earlier: BTreeSet<UserId> = note.mentions.union(&note.unmentioned).copied().collect();
        let news = mentions.difference(&earlier).copied().collect();
        let changed = TeamNote {
            text: Some(self.text),
            updated_at: Some(moment.now),
            unmentioned: earlier.difference(&mentions).copied().collect(),
            mentions,
            ..note
        };
        let event = TeamNotesEvent::Stored(Box::new(changed.clone()));
        let stored = StoredNote {
            note: changed,
            repeated: false,
            news,
        };
        Ok(Decision::events(vec![event.into()], stored))
    }
}
