//! The bodies of notes: those of users, `common`, have a text, and those of services a name, too.

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{ENTRIES_MAX, Item, Items};
use crate::body::Body;
use crate::body::value::Number;
use crate::domain::crm::note::{NoteContent, NoteKind, NoteType};
use crate::domain::text::{MessageText, Name};
use crate::domain::violation::ViolationCode;
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

    /// The content of a note.
    #[body(open)]
    pub struct NewNoteParams {
        /// 1 to 65,536 bytes.
        text: MessageText,
        /// The name of the service that says it, which notes of the types `service_message` and `extended_service_message` need.
        service: Option<Name>,
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

    /// The new content of a note; as before where it is left out.
    #[body(open, lenient)]
    pub struct ChangedNoteParams {
        /// 1 to 65,536 bytes.
        text: Option<MessageText>,
        /// The name of the service that says it; ignored in notes of the type `common`.
        service: Option<Name>,
    }
);

body_values! {
    NoteType: Schema::words(Self::WORDS), |found| found.choice(&Self::NAMES);
}

/// A note to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteBody {
    /// The number of the lead or contact that it is about; `None` when the address says so.
    pub about: Option<u64>,
    /// Its content.
    pub content: NoteContent,
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
        let (note_type, params) = (note.note_type?, note.params?);
        let Some(kind) = NoteKind::new(note_type, params.service) else {
            let detail = format!("is required in a note of the type {note_type}");
            let params = item.inner("params")?;
            params.reject("service", ViolationCode::FieldMissing, detail);
            return None;
        };
        let content = NoteContent {
            kind,
            text: params.text,
        };
        Some(NoteBody { about, content })
    })
}
