//! The store: a journal that is the truth, and indexes that can be rebuilt from it.
//!
//! ```text
//! actors ── submit(group) ──► committer ── write, fdatasync ──► journal segments
//!                                 │ then, in this order
//!                                 ├─► waiters of `durable(seq)` wake
//!                                 └─► indexer: keys, rows, stream tails; then listeners hear the notices
//! ```
//!
//! An answer never outruns the disk: whoever submits gets a sequence number, and whoever answers waits for
//! [`Store::durable`](crate::store::Store) of it first.

use bytes::Bytes;

use crate::domain::index::{IndexEntries, StreamKey};
use crate::domain::notice::Notice;

/// The number of a record in the journal: from 1, without gaps, in the order of commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(pub u64);

/// Where a record lies: a segment file and an offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the segment, from 1.
    pub segment: u32,
    /// The offset of the record's first byte.
    pub offset: u32,
}

/// Counts failed groups: who saw an older generation may have seen what was never stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation(pub u64);

/// A record that is to be written.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// The stream it belongs to.
    pub stream: StreamKey,
    /// The event as JSON.
    pub event: Vec<u8>,
    /// Raw bytes beside the event.
    pub blob: Bytes,
    /// What it adds to the indexes.
    pub entries: IndexEntries,
}

/// Records that count together or not at all.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The records, in order; at least one.
    pub records: Vec<NewRecord>,
    /// Who else is to hear of it once it is on disk.
    pub notices: Vec<Notice>,
}

/// A record as it was read back; its checksum was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number.
    pub seq: Seq,
    /// Its stream.
    pub stream: StreamKey,
    /// The event as JSON.
    pub event: Bytes,
    /// Raw bytes beside the event.
    pub blob: Bytes,
}
