//! The notes of a team in one conversation: what colleagues write for each other about a customer.
//!
//! A note is no message, and not a kind of one: callbacks, hooks, the history for integrations and the account interface are
//! made of messages and of the CRM, and have no way to this state.

pub mod create;
pub mod delete;
pub mod note;
pub mod update;

use serde::{Deserialize, Serialize};

use crate::audit::AuditEntry;
use crate::id::ConversationId;
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::team_notes::note::{TeamNote, TeamNoteRejection};
use switchboard_engine::entries::{IndexEntries, Keys};
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The notes in one conversation. The state counts them; their texts are in the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamNotes {
    conversation: ConversationId,
    /// The number of the newest note; 0 before the first.
    pub newest: u64,
}

/// An event of notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TeamNotesEvent {
    /// A note is new, or is as follows now.
    Stored(Box<TeamNote>),
    /// A note was deleted; a mark of it stays.
    Deleted {
        /// The mark.
        note: Box<TeamNote>,
        /// The audit entry.
        audit: Box<AuditEntry>,
    },
}

impl TeamNotesEvent {
    /// The note as it is from then on.
    #[must_use]
    pub fn note(&self) -> &TeamNote {
        match self {
            Self::Stored(note) | Self::Deleted { note, .. } => note,
        }
    }
}

impl TeamNotes {
    /// The key of the newest record of a note.
    fn key_of(&self, number: u64) -> Keys {
        Keys::from_iter([keys::team::note(self.conversation, number)])
    }
}

/// The note that a command requires by [`TeamNotes::key_of`].
fn required_note(moment: &Moment<'_, TeamNotesEvent>) -> Result<TeamNote, TeamNoteRejection> {
    let record = moment.earlier(0).ok_or(TeamNoteRejection::Unknown)?;
    Ok(record.event.note().clone())
}

impl State for TeamNotes {
    type Id = ConversationId;
    type Event = TeamNotesEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::TEAM_NOTES;

    fn initial(id: &ConversationId) -> Self {
        Self {
            conversation: *id,
            newest: 0,
        }
    }

    fn apply(&mut self, event: &TeamNotesEvent) {
        self.newest = self.newest.max(event.note().number);
    }

    fn index(&self, event: &TeamNotesEvent, entries: &mut IndexEntries) {
        let note = event.note();
        entries.key(keys::team::note(self.conversation, note.number));
        if let Some(request) = note.request.as_ref().filter(|_| note.number > self.newest) {
            entries.key(keys::team::note_request(
                self.conversation,
                note.by.user,
                request,
            ));
        }
        if let TeamNotesEvent::Deleted { audit, .. } = event {
            audit.index(entries);
        }
    }
}

#[cfg(test)]
mod tests;
