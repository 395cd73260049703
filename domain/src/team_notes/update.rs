//! The writer of a note changes it.

use crate::Decision;
use crate::id::UserId;
use crate::team_notes::note::{TeamNote, TeamNoteRejection, UPDATABLE};
use crate::team_notes::{TeamNotes, TeamNotesEvent, required_note};
use crate::text::MessageText;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Changes the text of a note.
#[derive(Clone, Debug)]
pub struct UpdateTeamNote {
    /// The user.
    pub by: UserId,
    /// The number of the note.
    pub number: u64,
    /// The new text.
    pub text: MessageText,
}

impl Command for UpdateTeamNote {
    type Of = TeamNotes;
    type Reply = TeamNote;
    type Rejection = TeamNoteRejection;

    fn required_keys(&self, state: &TeamNotes) -> Keys {
        state.key_of(self.number)
    }

    fn decide(
        self,
        _state: &TeamNotes,
        moment: &mut Moment<'_, TeamNotesEvent>,
    ) -> Result<Decision<TeamNotesEvent, TeamNote>, TeamNoteRejection> {
        let note = required_note(moment)?;
        if note.by.user != self.by {
            return Err(TeamNoteRejection::OfAnother);
        }
        let text = note.text.as_ref().ok_or(TeamNoteRejection::Deleted)?;
        if *text == self.text {
            return Ok(Decision::unchanged(note));
        }
        if moment.now >= note.at.plus(UPDATABLE) {
            return Err(TeamNoteRejection::TooLate);
        }
        let changed = TeamNote {
            text: Some(self.text),
            updated_at: Some(moment.now),
            ..note
        };
        let event = TeamNotesEvent::Stored(Box::new(changed.clone()));
        Ok(Decision::events(vec![event.into()], changed))
    }
}
