//! The bodies of notes. There is one type of notes, `common`, with a text.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::body::Body;
use crate::body::value::Number;
use crate::domain::text::MessageText;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// A note to be written.
    #[body(open)]
    pub struct NewNote {
        #[body(needed)]
        note_type: Option<NoteType>,
        #[body(needed)]
        params: Option<NewNoteParams>,
    }

    /// Its text.
    #[body(open)]
    pub struct NewNoteParams {
        /// 1 to 65,536 bytes.
        text: MessageText,
    }

    /// The subject of a note, where the address does not say so.
    #[body(open)]
    pub struct NoteAbout {
        entity_id: Number,
    }

    /// A change of a note.
    #[body(open, lenient)]
    pub struct ChangedNote {
        note_type: Option<NoteType>,
        params: Option<ChangedNoteParams>,
    }

    /// Its new text; as before if it is left out.
    #[body(open, lenient)]
    pub struct ChangedNoteParams {
        /// 1 to 65,536 bytes.
        text: Option<MessageText>,
    }
);

/// The one type of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteType;

body_values! {
    NoteType: Schema::words(["common"]), |found| found.choice(&[("common", Self)]);
}

/// A note to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteBody {
    /// The number of the lead or contact that it is about; `None` when the address says so.
    pub about: Option<u64>,
    /// Its text.
    pub text: MessageText,
}

/// Reads notes, each with what it is about unless the address says so.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8], about_given: bool) -> Result<Vec<Item<NoteBody>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "notes", ENTRIES_MAX)?.read(|item| {
        let about = (!about_given).then(|| NoteAbout::take(item));
        let note = NewNote::take(item)?;
        let about = match about {
            Some(about) => Some(about?.entity_id.0),
            None => None,
        };
        note.note_type?;
        let text = note.params?.text;
        Some(NoteBody { about, text })
    })
}
