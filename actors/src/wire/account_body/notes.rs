//! The bodies of notes. There is one type of notes, `common`, with a text.

use crate::domain::text::MessageText;
use crate::wire::account_body::batch::{self, BatchError};
use crate::wire::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::wire::json::object::{Nulls, ObjectReader};
use crate::wire::json::{self, BodyError};

/// The types of notes.
pub const NOTE_TYPES: [(&str, ()); 1] = [("common", ())];

/// A note to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteBody {
    /// The number of the lead or contact that it is about; `None` when the address says so.
    pub about: Option<u64>,
    /// What it says.
    pub text: MessageText,
}

/// Reads notes, each with what it is about unless the address says so.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8], about_given: bool) -> Result<Vec<Item<NoteBody>>, BatchError> {
    let root = batch::parse(body)?;
    Items::of(&root, "notes", ENTRIES_MAX)?.read(|note| {
        let about = (!about_given).then(|| {
            let id = note.required_integer("entity_id", 1..=i64::MAX);
            id.and_then(|id| u64::try_from(id).ok())
        });
        let kind = note.required_choice("note_type", &NOTE_TYPES);
        let params = note.required_object("params");
        let text = params.and_then(|params| params.required_parsed("text"));
        let about = match about {
            Some(named) => Some(named?),
            None => None,
        };
        kind?;
        Some(NoteBody { about, text: text? })
    })
}

/// Reads what a note is to say; `None`: as before.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(body: &[u8]) -> Result<Option<MessageText>, BodyError> {
    json::read(body, Nulls::Absent, |note: &ObjectReader<'_, '_>| {
        note.optional_choice("note_type", &NOTE_TYPES);
        let params = note.optional_object("params");
        Some(params.and_then(|params| params.optional_parsed("text")))
    })
}
