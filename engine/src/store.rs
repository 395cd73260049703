//! The store: a journal that is the truth, and indexes that can be rebuilt from it.
//!
//! ```text
//! actors ── submit(group) ──► committer ── write, fdatasync ──► journal segments
//!                                 │ then, in this order
//!                                 ├─► waiters of `durable(seq)` wake
//!                                 └─► indexer: keys, rows, stream tails; then listeners hear the notices
//! ```
//!
//! No answer leaves before its records are on disk: a submitter gets a sequence number, and the answer waits for
//! [`Journal::durable`](crate::store::committer::Journal::durable) of it first.

pub mod committer;
pub mod disk;
pub mod erasure;
pub mod frontier;
pub mod identity;
pub mod index;
pub(crate) mod lock;
pub mod log_owner;
pub mod owned_file;
pub mod portable;
pub mod reader;
pub mod record;
pub mod recovery;
pub mod schema;
pub(crate) mod segment;
pub mod small_file;
pub mod tables;
#[cfg(test)]
mod testing;
pub mod upgrade;
pub mod verify;
pub(crate) mod width;

use std::fmt;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::entries::IndexEntries;
use crate::stream::StreamKey;

/// The number of a record in the journal: from 1, without gaps, in the order of commit. An erased record keeps its number.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

/// The place of a record: a segment file and an offset in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the segment, from 1.
    pub segment: u32,
    /// The offset of the record's first byte.
    pub offset: u32,
}

/// Counts failed groups: a reader of an older epoch may have seen what was never stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(pub u64);

/// A record that is to be written.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// The stream it belongs to.
    pub stream: StreamKey,
    /// The event as JSON.
    pub event: Vec<u8>,
    /// Raw bytes beside the event.
    pub blob: Bytes,
    /// Its additions to the indexes.
    pub entries: IndexEntries,
}

/// Records that count together or not at all.
#[derive(Clone, Debug)]
pub struct RecordGroup<N = ()> {
    /// The records, in order; at least one.
    pub records: Vec<NewRecord>,
    /// The notices for listeners, once the group is on disk.
    pub notices: Vec<N>,
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

/// A record that is on disk now, with what the submitter said of it.
#[derive(Clone, Debug)]
pub struct Committed {
    /// Its number.
    pub seq: Seq,
    /// Its place.
    pub position: Position,
    /// Its stream.
    pub stream: StreamKey,
    /// Its additions to the indexes.
    pub entries: IndexEntries,
}

/// A batch that is on disk, as the committer reports it: records in order of their numbers.
#[derive(Clone, Debug)]
pub struct Batch<N = ()> {
    /// The records of the batch.
    pub records: Vec<Committed>,
    /// The notices of its groups, in order.
    pub notices: Vec<N>,
}

impl<N> Default for Batch<N> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            notices: Vec::new(),
        }
    }
}

/// A message to a product's listeners once it is on disk. Never stored, always derivable.
pub trait Notice: fmt::Debug + Send + 'static {}

impl<N: fmt::Debug + Send + 'static> Notice for N {}

/// Hears of every batch after it is on disk, in order, on the committer's thread. Must not block for long:
/// the next batch gathers meanwhile.
pub trait CommitSink<N = ()>: Send + Sync + 'static {
    /// These records are on disk.
    fn committed(&self, batch: Batch<N>);
}

/// Reads the journal while it is being written.
pub trait ReadJournal: Send + Sync + 'static {
    /// The record at this place.
    ///
    /// # Errors
    /// When the disk refuses, or the record is damaged: the error names file, offset and what to do.
    fn read(&self, position: Position) -> Result<Record, ReadError>;

    /// Reads many records that are asked for in the order of their places, as [`Self::read`] does, but reads ahead.
    fn read_ahead(&self) -> Box<dyn FnMut(Position) -> Result<Record, ReadError> + '_> {
        Box::new(|position| self.read(position))
    }

    /// All records from `from` (`None`: from the first one there is), in order, up to the last one that is
    /// complete, but for erased ones, whose numbers are left out. Fit for gigabytes: reads ahead in large pieces, keeps little in memory.
    fn scan(
        &self,
        from: Option<Position>,
    ) -> Box<dyn Iterator<Item = Result<(Position, Record), ReadError>> + '_>;
}

/// A record that could not be read back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The record's checksum, length or number is wrong.
    #[error(
        "{file} is damaged at offset {offset}: {reason}; stop the service, see with `switchboard verify` what is touched, and \
         restore the data directory from a backup"
    )]
    Damaged {
        /// The file's name.
        file: String,
        /// The offset of the record in it.
        offset: u64,
        /// The damage.
        reason: String,
    },
    /// A part of the index is not what was written.
    #[error(
        "{file} of the index is damaged: {reason}; no data is lost: the next start rebuilds the index from the journal"
    )]
    Index {
        /// The file's name.
        file: String,
        /// The damage.
        reason: String,
    },
    /// The operating system refused.
    #[error("cannot read {file}: {reason}")]
    Io {
        /// The file's name.
        file: String,
        /// The operating system's words.
        reason: String,
    },
    /// The store was closed before.
    #[error("the store is closed")]
    Closed,
}
