//! A small product: notes that are written once, however often they are asked for.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use switchboard_engine::entries::{IndexEntries, Key, Keys};
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::kernel::{Kernel, Product};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::{Command, Decision, Moment, Recorded, State};
use switchboard_engine::store::schema::Schema;
use switchboard_engine::stream::StreamKind;

mod kinds {
    switchboard_engine::kinds! { pub(crate) const;
        /// A book of notes.
        BOOK: 1, "Book", Often;
    }
}

mod tables {
    switchboard_engine::tables! { pub(crate) const;
        /// Notes by book and number.
        NOTES: 2, "notes", Often;
    }
}

/// The product.
pub(crate) struct Notes {
    books: Directory<Book, Self>,
}

impl Notes {
    pub(crate) fn new() -> Self {
        let books = Directory::new(16);
        Self { books }
    }
}

impl Product for Notes {
    type Notice = ();
}

pub(crate) type Env = Kernel<Notes>;

pub(crate) fn schema() -> Schema {
    Schema::new(tables::ALL).with::<Book>()
}

/// A book of notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Book {
    id: u8,
    count: u64,
}

/// A part of a note was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) note: u32,
    /// The first part, or the second one.
    pub(crate) part: u8,
}

fn key(note: u32) -> Key {
    Key::new("note", &note)
}

impl State for Book {
    type Id = u8;
    type Event = Written;
    type Notice = ();
    const KIND: StreamKind = kinds::BOOK;

    fn initial(id: &u8) -> Self {
        Self { id: *id, count: 0 }
    }

    fn apply(&mut self, _: &Written) {
        self.count += 1;
    }

    fn index(&self, event: &Written, entries: &mut IndexEntries) {
        entries.key(key(event.note));
        let row = [&[self.id][..], &event.note.to_be_bytes()].concat();
        entries.put(tables::NOTES, row, vec![event.part]);
    }
}

impl Owned<Notes> for Book {
    fn directory(notes: &Notes) -> &Directory<Self, Notes> {
        &notes.books
    }
}

/// Writes a note of two parts: both or none.
#[derive(Clone, Debug)]
pub(crate) struct Write(pub(crate) u32);

impl Command for Write {
    type Of = Book;
    type Reply = ();
    type Rejection = std::convert::Infallible;

    fn required_keys(&self, _: &Book) -> Keys {
        [key(self.0)].into_iter().collect()
    }

    fn decide(
        self,
        _: &Book,
        moment: &mut Moment<'_, Written>,
    ) -> Result<Decision<Written, ()>, Self::Rejection> {
        if moment.earlier(0).is_some() {
            return Ok(Decision::unchanged(()));
        }
        let parts = [1, 2].map(|part| Recorded {
            event: Written { note: self.0, part },
            blob: Bytes::from(vec![part; usize::try_from(self.0 * 37 % 600).unwrap()]),
        });
        Ok(Decision::events(parts.into(), ()))
    }
}
