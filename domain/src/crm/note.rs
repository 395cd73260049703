//! A note that an account user wrote about a lead or a contact. The customer never sees it.

use serde::{Deserialize, Serialize};

use crate::crm::authorship::Authorship;
use crate::crm::entity::NoteSubject;
use crate::id::{AccountId, NoteId};
use crate::keys;
use crate::keys::changes::{Change, ChangeList};
use crate::tables;
use crate::text::MessageText;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its number.
    pub id: NoteId,
    /// The subject.
    pub about: NoteSubject,
    /// The text.
    pub text: MessageText,
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
