//! The index: finds records by their keys, states by their ids and rows in order.
//!
//! ```text
//! committer ─► overlay (memory: keys, stream tails, rows since the last checkpoint)
//!                 │ checkpoint, in the background
//!                 ├─► sorted runs  key → position; and what changes with every record: snapshots of busy states,
//!                 │                lists by activity, queues
//!                 └─► tables       snapshots of all other states, all other ordered lists
//! lookups ─► overlay, then runs or tables
//! ```
//! The journal is the truth. The index can be rebuilt from it, and is when it cannot be trusted: damaged parts are
//! moved aside, never repaired. A start replays the records behind the last checkpoint.
//!
//! Per record the index costs about 30 bytes on disk for each key and 12 bits in memory. What changes with every
//! record never goes to the tables, whose engine costs ten times as much for each change.

pub mod config;
pub mod fold;
pub mod record_location;
pub mod sink;

pub(in crate::store) mod check;
mod checkpoint;
mod core;
mod error;
mod keymap;
mod known;
mod manifest;
mod merging;
mod open;
mod overlay;
mod rebuild_mark;
mod replay;
mod row_key;
mod row_writer;
mod rows;
mod scan;
mod snapshot;
mod sorted_run;
mod sorted_runs;
mod stored_rows;
mod throttle;
mod tiers;
mod view;
mod worker;
mod write_stall;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use self::config::{
    Checkpoints, IndexConfig, IndexFileError, IndexOpenError, IndexStats, OpenReport, RowWatch,
};
use self::core::Core;
pub(in crate::store) use self::core::OVERDUE_INTERVALS;
use self::error::IndexError;
use self::fold::{Folded, Folding};
use self::rows::Arrival;
use self::sorted_run::id::Family;
use self::throttle::BackgroundThrottle;
use self::worker::CheckpointWorker;
use crate::entries::Key;
use crate::state::State;
use crate::store::disk::Disk;
use crate::store::recovery::RecoveryBounds;
use crate::store::schema;
use crate::store::tables::{KeyRange, ScanOrder, StoredRow, TablesHome};
use crate::store::width::wide;
use crate::store::{Committed, Position, ReadError, ReadJournal, Record, Seq};
use crate::table::Table;

/// The number of times that a scan begins again when checkpoints replace what it reads, before it takes what it has.
const SCAN_ATTEMPTS: u32 = 4;

/// A state with at most so many records behind its snapshot is near.
const NEAR_RECORDS: usize = 8;

/// An open index. Clones share it; its thread ends with the last of them.
#[derive(Clone)]
pub struct Index {
    shared: Arc<Shared>,
}

struct Shared {
    core: Arc<Core>,
    worker: Option<CheckpointWorker>,
    indexed_upto: AtomicU64,
    wake: watch::Sender<u64>,
}

impl Index {
    /// Opens the index of a journal, rebuilding it when it is unusable. Returns when everything that is in
    /// the journal is found; the journal must not grow meanwhile.
    ///
    /// # Errors
    /// When the journal cannot be read, or the operating system refuses.
    pub fn open(
        config: &IndexConfig,
        journal: &Arc<dyn ReadJournal>,
    ) -> Result<(Self, OpenReport), IndexOpenError> {
        let (core, report) = open::open(config, journal)?;
        let worker = match config.checkpoints {
            Checkpoints::InBackground => {
                let worker = CheckpointWorker::start(Arc::clone(&core));
                Some(worker.map_err(|error| IndexError::io("a thread", &error))?)
            }
            Checkpoints::Inline => None,
        };
        let shared = Shared {
            core,
            worker,
            indexed_upto: AtomicU64::new(report.indexed_upto.0),
            wake: watch::Sender::new(report.indexed_upto.0),
        };
        // What a crash left behind the last checkpoint.
        shared.checkpoint_if_due();
        let index = Self {
            shared: Arc::new(shared),
        };
        Ok((index, report))
    }

    /// The bounds that the index on this disk sets to the journal's recovery: behind which record the index will go
    /// on, and which one it has seen last. Reads the manifest and names only; [`Self::open`] may still find that it
    /// has to rebuild.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn known(disk: &dyn Disk) -> io::Result<RecoveryBounds> {
        known::known(disk)
    }

    /// Moves an index that is not open out of the way, so that the next start rebuilds it from the journal; says
    /// where its parts are now.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn move_aside(
        disk: &dyn Disk,
        tables: &dyn TablesHome,
    ) -> Result<Vec<String>, IndexOpenError> {
        open::move_aside(disk, tables)
    }

    /// Removes all parts of an index that is not open, also those that were moved aside: nothing of their rows is left. The
    /// next start rebuilds the index from the journal. May be repeated after it was interrupted anywhere.
    pub(in crate::store) fn remove(
        disk: &dyn Disk,
        tables: &dyn TablesHome,
    ) -> Result<(), IndexOpenError> {
        open::remove(disk, tables)
    }

    /// Nothing more is to be found up to this record, which is on disk: those behind the newest one that is found are
    /// erased.
    pub(crate) fn pass(&self, seq: Seq) {
        self.shared.indexed_upto.fetch_max(seq.0, Ordering::AcqRel);
    }

    /// Passes every change of a row to `watch` from now on. There is one watch; later ones get nothing.
    pub fn watch(&self, watch: Arc<dyn RowWatch>) {
        self.shared.core.watch(watch);
    }

    /// Runs `look` while no record is added: what it reads, and what the watch has got, are of one moment. It must be
    /// short, since commits wait meanwhile.
    pub fn with_commits_paused<T>(&self, look: impl FnOnce() -> T) -> T {
        self.shared.core.with_commits_paused(look)
    }

    /// Returns the place of the newest record with this key.
    ///
    /// # Errors
    /// When the disk refuses or a part of the index is damaged.
    pub fn find(&self, key: Key) -> Result<Option<Position>, ReadError> {
        let location = self.shared.core.load_view().find(key);
        location.map_err(|failure| self.read_error(failure))
    }

    /// The newest record with this key.
    ///
    /// # Errors
    /// When the disk refuses, a part of the index is damaged, or the record is.
    pub fn record(&self, key: Key) -> Result<Option<Record>, ReadError> {
        match self.find(key)? {
            Some(position) => self.shared.core.journal.read(position).map(Some),
            None => Ok(None),
        }
    }

    /// The state with this id and the number of its last record; `None` when nothing has happened to it.
    ///
    /// # Errors
    /// When the disk refuses, a part of the index is damaged, or a record is.
    pub fn load<S: State>(&self, id: &S::Id) -> Result<Option<(S, Seq)>, ReadError> {
        self.try_load(id)
            .map_err(|failure| self.read_error(failure))
    }

    /// As [`Self::load`], if that takes a few reads of files: not when many records have to be read, nor when the
    /// tables have to be asked. `None`: `load` has to do it.
    ///
    /// # Errors
    /// As of [`Self::load`].
    pub fn load_if_near<S: State>(
        &self,
        id: &S::Id,
    ) -> Option<Result<Option<(S, Seq)>, ReadError>> {
        let stream = S::stream(id);
        let is_near = schema::snapshots(S::KIND).lies_in_runs()
            && self.shared.core.view().tail(&stream).len() <= NEAR_RECORDS;
        is_near.then(|| self.load(id))
    }

    /// The row of an ordered list with this key.
    ///
    /// # Errors
    /// When the tables refuse or are damaged, or the index is closed.
    pub fn row(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        let core = self.open_core()?;
        let view = core.view();
        let changes = view
            .overlays()
            .rev()
            .find_map(|overlay| overlay.change(table, key));
        match changes {
            Some(value) => Ok(value),
            None => {
                let rows = view.stored(core.tables.as_ref());
                rows.get(table, key).map_err(|error| self.read_error(error))
            }
        }
    }

    /// The first rows of a range of an ordered list in this order, at most `limit`.
    ///
    /// # Errors
    /// When the tables refuse or are damaged, or the index is closed.
    pub fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, ReadError> {
        let core = self.open_core()?;
        let mut attempts = 0;
        loop {
            let view = core.view();
            let rows = scan::scan(&view, core.tables.as_ref(), table, range, order, limit)
                .map_err(|error| self.read_error(error))?;
            attempts += 1;
            // Two checkpoints during one scan may show rows that are newer than the rest.
            if attempts == SCAN_ATTEMPTS || Arc::ptr_eq(&view, &core.view()) {
                return Ok(rows);
            }
        }
    }

    /// Returns whether damage was found since the index was opened. The next opening rebuilds the index from the journal.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        *self.shared.core.damage().borrow()
    }

    /// Waits until damage is found.
    pub async fn damaged(&self) {
        let mut damage = self.shared.core.damage();
        if damage.wait_for(|damaged| *damaged).await.is_err() {
            debug_assert!(false, "the sender lives as long as the index");
        }
    }

    /// The newest record that is found.
    #[must_use]
    pub fn indexed_upto(&self) -> Seq {
        Seq(self.shared.indexed_upto.load(Ordering::Acquire))
    }

    /// Waits until this record is found.
    pub async fn indexed(&self, seq: Seq) {
        if self.indexed_upto() >= seq {
            return;
        }
        let mut wakes = self.shared.wake.subscribe();
        if wakes.wait_for(|upto| *upto >= seq.0).await.is_err() {
            debug_assert!(false, "the sender lives as long as the index");
        }
    }

    /// Writes a checkpoint of everything that is found now and returns when it is durable. Blocks.
    ///
    /// # Errors
    /// When that failed; it is tried again later, and nothing is lost.
    pub fn checkpoint_now(&self) -> Result<(), IndexFileError> {
        let core = &self.shared.core;
        core.hurry();
        let result = core.checkpoint(&mut BackgroundThrottle::none());
        core.relax();
        result
    }

    /// Ends the thread, writes a last checkpoint, so that the next start replays nothing, and releases the tables, so
    /// that the next start need not wait until the last clone is gone. Blocks.
    ///
    /// # Errors
    /// When the checkpoint failed: the next start replays instead.
    pub fn close(&self) -> Result<(), IndexFileError> {
        if let Some(worker) = &self.shared.worker {
            worker.stop();
        }
        let result = self.checkpoint_now();
        self.shared.core.close();
        result
    }

    /// Sizes and counts.
    #[must_use]
    pub fn stats(&self) -> IndexStats {
        let core = &self.shared.core;
        let view = core.view();
        let counts = &core.counts;
        let mut stats = IndexStats {
            indexed_upto: self.indexed_upto(),
            checkpointed_upto: Seq(counts.checkpointed_upto.load(Ordering::Acquire)),
            tables_bytes: core.tables.size_bytes(),
            checkpoints: counts.checkpoints.load(Ordering::Acquire),
            checkpoints_failed: counts.checkpoints_failed.load(Ordering::Acquire),
            merges: counts.merges.load(Ordering::Acquire),
            ..IndexStats::default()
        };
        for overlay in view.overlays() {
            stats.pending_records += overlay.records();
            stats.pending_bytes += wide(overlay.bytes());
        }
        for run in view.runs.all() {
            stats.run_memory_bytes += wide(run.memory_bytes());
            match run.id().family {
                Family::Keys => {
                    stats.runs += 1;
                    stats.run_entries += run.entries();
                    stats.run_bytes += run.length();
                }
                Family::Rows => stats.tables_bytes += run.length(),
            }
        }
        stats
    }

    fn try_load<S: State>(&self, id: &S::Id) -> Result<Option<(S, Seq)>, IndexError> {
        let core = &self.shared.core;
        let stream = S::stream(id);
        let view = core.view();
        let (base_snapshot, tail) = core.base_snapshot(&view, &stream, || view.tail(&stream))?;
        if base_snapshot.is_none() && tail.is_empty() {
            return Ok(None);
        }
        let json = base_snapshot
            .as_ref()
            .map(|snapshot| snapshot.json.as_slice());
        let mut folded = Folded::<S>::start(id, json)
            .map_err(|error| core.broken_snapshot(&stream, &error.to_string()))?;
        core.extend(&mut folded, &stream, &tail)?;
        let seq = folded.seq();
        Ok(Some((folded.state, seq)))
    }

    /// The parts, to read rows from: a closed index refuses that, wherever they lie, since its directory may belong to
    /// another one.
    fn open_core(&self) -> Result<&Core, ReadError> {
        if self.shared.core.is_closed() {
            return Err(ReadError::Closed);
        }
        Ok(&self.shared.core)
    }

    /// The failure as the reader gets it; damage of the index is reported and remembered first.
    fn read_error(&self, failure: IndexError) -> ReadError {
        self.shared.core.report_lookup(&failure);
        failure.into_read_error()
    }
}

impl Shared {
    fn checkpoint_if_due(&self) {
        if self.core.is_due() {
            match &self.worker {
                Some(worker) => worker.ask(),
                // The trouble was reported, and the next batch tries again.
                None => {
                    let result = self.core.checkpoint(&mut BackgroundThrottle::none());
                    result.unwrap_or_default();
                }
            }
        }
    }
}

impl Index {
    /// Adds the records of a batch. `found` runs once they can be found, before any waiter for that goes on.
    fn add(&self, records: Vec<Committed>, found: impl FnOnce()) {
        let shared = &self.shared;
        let last = records.last().map(|record| record.seq.0);
        shared.core.add(records, Arrival::Committed);
        if let Some(last) = last {
            shared.indexed_upto.store(last, Ordering::Release);
        }
        found();
        if let Some(last) = last {
            shared.wake.send_replace(last);
        }
        shared.checkpoint_if_due();
        if shared.worker.is_some() {
            shared.core.stall_writes();
        }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("indexed_upto", &self.indexed_upto())
            .finish_non_exhaustive()
    }
}
