//! A user writes a note for the team.

use std::collections::BTreeSet;

use crate::Decision;
use crate::id::{IdempotencyKey, UserId};
use crate::keys;
use crate::team_notes::note::{NoteWriter, StoredNote, TeamNote, TeamNoteRejection};
use crate::team_notes::{TeamNotes, TeamNotesEvent};
use crate::text::MessageText;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Writes a note.
#[derive(Clone, Debug)]
pub struct CreateTeamNote {
    /// The writer.
    pub by: NoteWriter,
    /// The text.
    pub text: MessageText,
    /// The users whom it mentions.
    pub mentions: BTreeSet<UserId>,
    /// The idempotency key of the request; a repeat is the same note.
    pub request: Option<IdempotencyKey>,
}

impl Command for CreateTeamNote {
    type Of = TeamNotes;
    type Reply = StoredNote;
    type Rejection = TeamNoteRejection;

    fn required_keys(&self, state: &TeamNotes) -> Keys {
        let request = self.request.iter();
        request
            .map(|request| keys::team::note_request(state.conversation, self.by.user, request))
            .collect()
    }

    fn decide(
        self,
        state: &TeamNotes,
        moment: &mut Moment<'_, TeamNotesEvent>,
    ) -> Result<Decision<TeamNotesEvent, StoredNote>, TeamNoteRejection> {
        if let Some(earlier) = moment.earlier(0) {
            let note = earlier.event.note().clone();
            if note.text.as_ref() != Some(&self.text) || note.mentions != self.mentions {
                return Err(TeamNoteRejection::OtherRequest);
            }
            return Ok(Decision::unchanged(StoredNote::repeated(note)));
        }
        let note = TeamNote {
            number: state.newest.saturating_add(1),
            by: self.by,
            at: moment.now,
            text: Some(self.text),
            updated_at: None,
            deleted_by: None,
            mentions: self.mentions,
            unmentioned: BTreeSet::new(),
            request: self.request,
        };
        let event = TeamNotesEvent::Stored(Box::new(note.clone()));
        let stored = StoredNote {
            news: note.mentions.clone(),
            note,
            repeated: false,
        };
        Ok(Decision::events(vec![event.into()], stored))
    }
}
