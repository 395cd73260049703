//! A note is deleted; a mark of it stays.

use std::collections::BTreeSet;

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::id::AccountId;
use crate::team_notes::note::{NoteWriter, TeamNote, TeamNoteRejection};
use crate::team_notes::{TeamNotes, TeamNotesEvent, required_note};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Deletes a note.
#[derive(Clone, Debug)]
pub struct DeleteTeamNote {
    /// The writer of the request.
    pub by: NoteWriter,
    /// The account, for the audit log.
    pub account: AccountId,
    /// True for an administrator, who may delete notes of others.
    pub is_administrator: bool,
    /// The number of the note.
    pub number: u64,
}

impl Command for DeleteTeamNote {
    type Of = TeamNotes;
    type Reply = TeamNote;
    type Rejection = TeamNoteRejection;

    fn required_keys(&self, state: &TeamNotes) -> Keys {
        state.key_of(self.number)
    }

    fn decide(
        self,
        state: &TeamNotes,
        moment: &mut Moment<'_, TeamNotesEvent>,
    ) -> Result<Decision<TeamNotesEvent, TeamNote>, TeamNoteRejection> {
        let note = required_note(moment)?;
        if note.by.user != self.by.user && !self.is_administrator {
            return Err(TeamNoteRejection::NotDeletable);
        }
        if note.text.is_none() {
            return Ok(Decision::unchanged(note));
        }
        let mark = TeamNote {
            text: None,
            updated_at: Some(moment.now),
            deleted_by: Some(self.by.user),
            mentions: BTreeSet::new(),
            ..note
        };
        let by = By::User {
            account: self.account,
            user: self.by.user,
            name: self.by.name,
            client: self.by.client,
        };
        let object = format!("{}/{}", state.conversation, self.number);
        let audit =
            AuditEntry::new(by, "team_note.delete", object, moment).of_account(self.account);
        let event = TeamNotesEvent::Deleted {
            note: Box::new(mark.clone()),
            audit: Box::new(audit),
        };
        Ok(Decision::events(vec![event.into()], mark))
    }
}
