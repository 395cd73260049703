//! The settings of an index, and its reports.

use std::fmt;
use std::sync::Arc;

use super::record_location::RecordLocation;
use crate::entries::Row;
use crate::store::disk::Disk;
use crate::store::identity::content::InstallationTag;
use crate::store::schema::Schema;
use crate::store::tables::{TablesError, TablesHome};
use crate::store::{ReadError, Seq};

/// The number of records between two checkpoints by default, fewer when they belong to many streams: the first record
/// of a stream counts as six. A start after a kill replays up to twice as many, at about 8 µs each.
pub const CHECKPOINT_RECORDS: u64 = 100_000;
/// Replaying the first record of a stream costs as much as replaying so many further ones: its snapshot is fetched and
/// decoded, and written again by the next checkpoint.
pub const FETCHED_STATE_RECORDS: u64 = 5;

/// The settings of an index.
#[derive(Clone)]
pub struct IndexConfig {
    /// The disk of runs and the manifest; may be the journal's own directory.
    pub disk: Arc<dyn Disk>,
    /// The installation that the index is of: parts of another one are damage.
    pub installation: InstallationTag,
    /// The home of the snapshots and ordered lists that are not in runs.
    pub tables: Arc<dyn TablesHome>,
    /// The kinds of states and the tables.
    pub schema: Schema,
    /// About how many records lie between two checkpoints (see [`CHECKPOINT_RECORDS`]). Bounds what a start replays,
    /// and the memory for what is not on disk yet: rows of at most 640 bytes per record, and twice as many records
    /// while a checkpoint is written. Beyond that, commits are delayed.
    pub checkpoint_records: u64,
    /// As how many further records the first one of each stream counts; bounds the time that a replay takes, whether
    /// the records belong to few streams or to many.
    pub fetched_state_records: u64,
    /// The thread that writes checkpoints.
    pub checkpoints: Checkpoints,
    /// Called for every failed checkpoint, and for damage that is found while reading.
    pub on_trouble: Arc<dyn Fn(&IndexFileError) + Send + Sync>,
    /// Called now and then while the journal is replayed.
    pub on_progress: Arc<dyn Fn(ReplayProgress) + Send + Sync>,
}

/// Hears of every change of a row, in their order, just before it can be found.
pub trait RowWatch: fmt::Debug + Send + Sync {
    /// A row changes. Called on the thread that commits: must be quick, and must not use the index.
    fn changed(&self, row: &Row);
}

impl IndexConfig {
    /// An index on this disk, of an unknown installation, with checkpoints in the background and no handler of trouble.
    #[must_use]
    pub fn new(disk: Arc<dyn Disk>, tables: Arc<dyn TablesHome>, schema: Schema) -> Self {
        Self {
            disk,
            installation: InstallationTag::default(),
            tables,
            schema,
            checkpoint_records: CHECKPOINT_RECORDS,
            fetched_state_records: FETCHED_STATE_RECORDS,
            checkpoints: Checkpoints::InBackground,
            on_trouble: Arc::new(|_| {}),
            on_progress: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for IndexConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexConfig")
            .field("disk", &self.disk)
            .field("checkpoint_records", &self.checkpoint_records)
            .field("checkpoints", &self.checkpoints)
            .finish_non_exhaustive()
    }
}

/// The thread that writes checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checkpoints {
    /// A thread of their own; also while the journal is replayed.
    InBackground,
    /// The thread that commits the record that makes one due: for tests that must take the same course each time.
    Inline,
}

/// A failure that belongs to no caller's request; the index goes on as well as it can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{doing} failed: {reason}")]
pub struct IndexFileError {
    /// The work that failed.
    pub doing: &'static str,
    /// The cause.
    pub reason: String,
}

/// The progress of the replay of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayProgress {
    /// The number of records replayed so far.
    pub records: u64,
    /// The newest of them.
    pub seq: Seq,
}

/// The way in which an index was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedIndex {
    /// There was none yet: what the journal had was replayed from its first record.
    Fresh,
    /// It went on from its last checkpoint.
    Resumed,
    /// It was unusable: it was moved aside and rebuilt from the journal's first record.
    Rebuilt {
        /// The damage that made it unusable.
        reason: String,
        /// The present place of the unusable parts.
        moved_aside: Vec<String>,
    },
}

/// The report on the opening of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenReport {
    /// The way in which it was opened.
    pub opened: OpenedIndex,
    /// The number of records replayed.
    pub replayed: u64,
    /// The newest record in the index.
    pub indexed_upto: Seq,
    /// Behind which record the next start will replay; `None`: from the first one.
    pub start: Option<RecordLocation>,
}

/// An index could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexOpenError {
    /// The tables cannot be opened or moved aside, but may be intact.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The journal cannot be replayed.
    #[error(transparent)]
    Journal(#[from] ReadError),
    /// The operating system refused, or what was rebuilt just now is damaged already.
    #[error("cannot open the index: {file}: {reason}")]
    Index {
        /// The file.
        file: String,
        /// The reason.
        reason: String,
    },
}

/// Hears of what is on disk and in the index. Called on the committer's thread: must not block.
pub trait Listener<N>: Send + Sync + 'static {
    /// These notices, at least one, belong to records that are found from now on.
    fn committed(&self, notices: &[N]);
}

/// Sizes and counts, for metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexStats {
    /// The newest record in the index.
    pub indexed_upto: Seq,
    /// The newest record in a complete checkpoint.
    pub checkpointed_upto: Seq,
    /// Records that are in memory only.
    pub pending_records: u64,
    /// Roughly the bytes that they take.
    pub pending_bytes: u64,
    /// Runs of keys.
    pub runs: u64,
    /// Entries of these runs.
    pub run_entries: u64,
    /// Bytes of these runs on disk.
    pub run_bytes: u64,
    /// Bytes that bloom filters and block indexes of all runs, those of rows too, take in memory.
    pub run_memory_bytes: u64,
    /// Bytes of the tables and of the runs of rows on disk.
    pub tables_bytes: u64,
    /// Checkpoints that were completed since the start.
    pub checkpoints: u64,
    /// Checkpoints that failed since the start.
    pub checkpoints_failed: u64,
    /// Merges of runs since the start.
    pub merges: u64,
}
