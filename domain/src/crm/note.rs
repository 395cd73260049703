//! A note about a lead or a contact, which an account user or a service wrote. The customer never sees it.

use serde::{Deserialize, Serialize};

use crate::crm::authorship::Authorship;
use crate::crm::entity::NoteSubject;
use crate::id::{AccountId, NoteId};
use crate::keys;
use crate::keys::changes::{Change, ChangeList};
use crate::tables;
use crate::text::{MessageText, Name};
use crate::time::UnixMillis;
use crate::words;
use switchboard_engine::entries::IndexEntries;

words! {
    /// A type of notes.
    pub enum NoteType {
        /// A user wrote it.
        Common = "common",
        /// A service says it, under its name.
        ServiceMessage = "service_message",
        /// As a service message; the counterpart shows more of it.
        ExtendedServiceMessage = "extended_service_message",
    }
}

/// The type of a note, with what only notes of this type have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A user wrote it.
    #[default]
    Common,
    /// A service with this name says it.
    ServiceMessage(Name),
    /// As a service message; the counterpart shows more of it.
    ExtendedServiceMessage(Name),
}

impl NoteKind {
    /// A note of this type; `None` when the service is missing whose name it has.
    #[must_use]
    pub fn new(note_type: NoteType, service: Option<Name>) -> Option<Self> {
        match note_type {
            NoteType::Common => Some(Self::Common),
            NoteType::ServiceMessage => service.map(Self::ServiceMessage),
            NoteType::ExtendedServiceMessage => service.map(Self::ExtendedServiceMessage),
        }
    }

    /// The type.
    #[must_use]
    pub fn note_type(&self) -> NoteType {
        match self {
            Self::Common => NoteType::Common,
            Self::ServiceMessage(_) => NoteType::ServiceMessage,
            Self::ExtendedServiceMessage(_) => NoteType::ExtendedServiceMessage,
        }
    }

    /// The name of the service that says it; `None` for what a user wrote.
    #[must_use]
    pub fn service(&self) -> Option<&Name> {
        match self {
            Self::Common => None,
            Self::ServiceMessage(service) | Self::ExtendedServiceMessage(service) => Some(service),
        }
    }

    /// The same type, with another service; unchanged where there is none.
    #[must_use]
    pub fn with_service(&self, service: Name) -> Self {
        Self::new(self.note_type(), Some(service)).unwrap_or_default()
    }

    fn is_common(&self) -> bool {
        *self == Self::Common
    }
}

/// The content of a note, which users set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteContent {
    /// The type.
    #[serde(default, skip_serializing_if = "NoteKind::is_common")]
    pub kind: NoteKind,
    /// The text.
    pub text: MessageText,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its number.
    pub id: NoteId,
    /// The subject.
    pub about: NoteSubject,
    /// Its content.
    #[serde(flatten)]
    pub content: NoteContent,
    /// The users who wrote and changed it.
    #[serde(flatten)]
    pub authorship: Authorship,
}

/// A note is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteChanged {
    /// The note.
    pub note: Note,
    /// The time of the change before; `None` for a new note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_before: Option<UnixMillis>,
}

impl NoteChanged {
    pub(super) fn index(&self, account: AccountId, entries: &mut IndexEntries) {
        let note = &self.note;
        entries.key(keys::notes::note(account, note.id));
        let all = keys::notes::note_row(account, note.about.kind, note.id);
        entries.put(tables::NOTES, all, Vec::new());
        let of_one = keys::notes::note_of_row(account, note.about, note.id);
        entries.put(tables::NOTES_OF, of_one, Vec::new());
        for list in [
            ChangeList::NotesOf(note.about.kind),
            ChangeList::NotesAbout(note.about),
        ] {
            let change = Change {
                before: self.updated_before,
                now: note.authorship.updated_at,
            };
            list.index(account, note.id.0, change, entries);
        }
    }
}
