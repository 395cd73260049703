//! Keys and rows of notes and tags.

use crate::crm::entity::{EntityKind, NoteSubject};
use crate::id::{AccountId, NoteId, TagId};
use crate::text::TagName;
use crate::text::normal_form::composed;
use switchboard_engine::entries::Key;

/// A tag by its number.
#[must_use]
pub fn tag(account: AccountId, of: EntityKind, tag: TagId) -> Key {
    Key::new("tag", &(account, of, tag))
}

/// A tag by its name, however its letters are composed.
#[must_use]
pub fn tag_named(account: AccountId, of: EntityKind, name: &TagName) -> Key {
    Key::new("tag named", &(account, of, composed(name.as_str())))
}

/// The newest state of a note.
#[must_use]
pub fn note(account: AccountId, note: NoteId) -> Key {
    Key::new("note", &(account, note))
}

/// The place of a note among those about leads, or about contacts: by number.
#[must_use]
pub fn note_row(account: AccountId, of: EntityKind, note: NoteId) -> Vec<u8> {
    let mut key = notes_prefix(account, of);
    key.extend(note.0.to_be_bytes());
    key
}

/// Returns the prefix of the rows of notes about leads, or about contacts.
#[must_use]
pub fn notes_prefix(account: AccountId, of: EntityKind) -> Vec<u8> {
    let mut key = account.bytes().to_vec();
    key.push(of.code());
    key
}

/// The place of a note among those about one lead or contact: by number.
#[must_use]
pub fn note_of_row(account: AccountId, about: NoteSubject, note: NoteId) -> Vec<u8> {
    let mut key = notes_of_prefix(account, about);
    key.extend(note.0.to_be_bytes());
    key
}

/// Returns the prefix of the rows of notes about one lead or contact.
#[must_use]
pub fn notes_of_prefix(account: AccountId, about: NoteSubject) -> Vec<u8> {
    let mut key = notes_prefix(account, about.kind);
    key.extend(about.id.to_be_bytes());
    key
}
