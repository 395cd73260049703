//! The parts of an open index, and the lookups through all of them.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use arc_swap::ArcSwap;
use tokio::sync::watch;

use super::config::{Checkpoints, IndexConfig, IndexFileError, RowWatch};
use super::error::IndexError;
use super::fold::{Folding, RebuildError};
use super::manifest::Manifest;
use super::overlay::Overlay;
use super::rebuild_mark::mark;
use super::record_location::RecordLocation;
use super::rows::Arrival;
use super::snapshot::{self, SnapshotError, StoredSnapshot};
use super::sorted_run::id::RunNumbers;
use super::sorted_run::writer::RunTarget;
use super::sorted_runs::SortedRuns;
use super::view::View;
use super::write_stall::WriteStall;
use crate::store::lock::lock;
use crate::store::tables::Tables;
use crate::store::width::wide;
use crate::store::{Committed, Position, ReadError, ReadJournal, Record};
use crate::stream::StreamKey;

const SNAPSHOTS: &str = "snapshots";

/// The intervals that a replay takes before it writes a checkpoint. A crash leaves at most two of them, so a start
/// after one leaves its checkpoint to the background; only a rebuild writes them on the way.
pub(in crate::store) const OVERDUE_INTERVALS: u64 = 4;

/// So many bytes of rows count as a record: an interval of 100,000 records takes 64 MiB at most, whatever it changes.
const ROW_BYTES_PER_RECORD: u64 = 640;

/// An open index, apart from the thread that writes its checkpoints.
pub(super) struct Core {
    pub(super) config: IndexConfig,
    pub(super) tables: Arc<dyn Tables>,
    pub(super) journal: Arc<dyn ReadJournal>,
    /// The manifest in force. Held while a checkpoint is written: there is one at a time.
    pub(super) manifest: Mutex<Manifest>,
    pub(super) counts: Counts,
    pub(super) write_stall: WriteStall,
    view: ArcSwap<View>,
    /// Held while a view is derived from the one before.
    changing: Mutex<()>,
    /// Held while records are added and while the overlay is replaced, so that a batch lands in one of them.
    adding: Mutex<()>,
    watch: OnceLock<Arc<dyn RowWatch>>,
    marked_for_rebuild: AtomicBool,
    /// True once damage was met: what is stored can be derived again, but not while this index is open.
    damaged: watch::Sender<bool>,
    /// The number of callers that wait for a checkpoint.
    waiting: AtomicUsize,
    /// True when nothing may be written any more: the directory may belong to another index.
    closed: AtomicBool,
    run_numbers: RunNumbers,
}

/// The counters of an index.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) checkpointed_upto: AtomicU64,
    pub(super) checkpoints: AtomicU64,
    pub(super) checkpoints_failed: AtomicU64,
    pub(super) merges: AtomicU64,
    /// The amount of [pending](Core::pending) work at which the next checkpoint is due.
    pub(super) due_at: AtomicU64,
}

impl Core {
    pub(super) fn new(
        config: IndexConfig,
        tables: Arc<dyn Tables>,
        journal: Arc<dyn ReadJournal>,
        manifest: Manifest,
        runs: SortedRuns,
        run_numbers: RunNumbers,
    ) -> Self {
        let counts = Counts::default();
        counts
            .due_at
            .store(config.checkpoint_records.max(1), Ordering::Release);
        counts
            .checkpointed_upto
            .store(manifest.applied_seq().0, Ordering::Release);
        Self {
            config,
            tables,
            journal,
            manifest: Mutex::new(manifest),
            counts,
            write_stall: WriteStall::default(),
            view: ArcSwap::from_pointee(View {
                current: Arc::new(Overlay::new()),
                frozen: None,
                runs,
            }),
            changing: Mutex::new(()),
            adding: Mutex::new(()),
            watch: OnceLock::new(),
            marked_for_rebuild: AtomicBool::new(false),
            damaged: watch::Sender::new(false),
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            run_numbers,
        }
    }

    pub(super) fn view(&self) -> Arc<View> {
        self.view.load_full()
    }

    /// As [`Self::view`], for one lookup: the reader is not counted, so threads do not contend for the count.
    pub(super) fn load_view(&self) -> impl Deref<Target = Arc<View>> + use<> {
        self.view.load()
    }

    /// Replaces the view by one that is derived from it.
    pub(super) fn change_view(&self, change: impl FnOnce(&View) -> View) {
        let _changing = lock(&self.changing);
        self.view.store(Arc::new(change(&self.view.load())));
    }

    /// The parts that are needed to write runs.
    pub(super) fn run_target(&self) -> RunTarget<'_> {
        RunTarget {
            installation: self.config.installation,
            disk: self.config.disk.as_ref(),
            prefixes: self.config.schema.prefixes(),
            numbers: &self.run_numbers,
        }
    }

    /// Takes records in, in the order of their numbers.
    pub(super) fn add(&self, records: Vec<Committed>, arrival: Arrival) {
        let _adding = lock(&self.adding);
        if let Some(watch) = self.watch.get() {
            for row in records.iter().flat_map(|record| &record.entries.rows) {
                watch.changed(row);
            }
        }
        self.view().current.add(records, arrival);
    }

    /// Passes every change of a row to `watch` from now on; only the first watch gets any.
    pub(super) fn watch(&self, watch: Arc<dyn RowWatch>) {
        let _adding = lock(&self.adding);
        // There is one watch per index; a second one would be a mistake of the program, and does no harm.
        drop(self.watch.set(watch));
    }

    /// Runs `look` while no record is added: what it reads, and what the watch has got, are of one moment.
    pub(super) fn with_commits_paused<T>(&self, look: impl FnOnce() -> T) -> T {
        let _adding = lock(&self.adding);
        look()
    }

    /// Puts a new overlay over the current one, which does not change any more; `None` when it is empty.
    pub(super) fn freeze(&self) -> Option<Arc<Overlay>> {
        let fresh = Arc::new(Overlay::like(&self.view().current));
        let _adding = lock(&self.adding);
        let frozen = Arc::clone(&self.view().current);
        frozen.last()?;
        self.change_view(|view| View {
            current: fresh,
            frozen: Some(Arc::clone(&frozen)),
            ..view.clone()
        });
        Some(frozen)
    }

    /// Returns whether enough has come in for a checkpoint.
    pub(super) fn is_due(&self) -> bool {
        self.pending() >= self.counts.due_at.load(Ordering::Acquire)
    }

    /// The cost of replaying the current memtable, counted in records, or its memory if that is more.
    pub(super) fn pending(&self) -> u64 {
        self.weight(&self.view().current)
    }

    /// Delays the thread that commits when checkpoints fall behind.
    pub(super) fn stall_writes(&self) {
        let view = self.view();
        let pending = view.overlays().map(|overlay| self.weight(overlay)).sum();
        // The last holder of the view frees what was written meanwhile.
        drop(view);
        self.write_stall
            .wait(pending, self.config.checkpoint_records);
    }

    /// Counts a caller that waits for the checkpoint that is being written, until [`Self::relax`].
    pub(super) fn hurry(&self) {
        self.waiting.fetch_add(1, Ordering::AcqRel);
    }

    /// Counts a caller that waits for a checkpoint no more.
    pub(super) fn relax(&self) {
        self.waiting.fetch_sub(1, Ordering::AcqRel);
    }

    /// Returns whether a caller waits for a checkpoint.
    pub(super) fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Acquire) > 0
    }

    /// Nothing is written any more once this returns, and the tables are free.
    pub(super) fn close(&self) {
        let _writing = lock(&self.manifest);
        self.closed.store(true, Ordering::Release);
        self.tables.close();
    }

    /// Returns whether it was [closed](Self::close).
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Returns whether the checkpoint that is being written may take its time: no caller waits for it, and not half of what
    /// makes the next one due has come in.
    pub(super) fn is_at_leisure(&self) -> bool {
        let due_at = self.config.checkpoint_records.max(1);
        !self.is_waited_for() && self.pending() < due_at / 2
    }

    fn weight(&self, overlay: &Overlay) -> u64 {
        let fetching = overlay
            .streams()
            .saturating_mul(self.config.fetched_state_records);
        let rows = wide(overlay.row_bytes()) / ROW_BYTES_PER_RECORD;
        overlay.records().saturating_add(fetching).max(rows)
    }

    /// Returns whether so much has come in that a replay must not put the checkpoint off any longer.
    pub(super) fn is_overdue(&self) -> bool {
        let due_at = self.counts.due_at.load(Ordering::Acquire);
        let intervals = match self.config.checkpoints {
            Checkpoints::Inline => OVERDUE_INTERVALS,
            // As much again comes in while the checkpoint is written.
            Checkpoints::InBackground => OVERDUE_INTERVALS / 2,
        };
        self.pending() >= due_at.saturating_mul(intervals)
    }

    /// The stream's records since the last complete checkpoint, as `tail` gives them, and the snapshot on which they
    /// build; no snapshot when the stream begins with them, or has no records at all.
    pub(super) fn base_snapshot(
        &self,
        view: &View,
        stream: &StreamKey,
        tail: impl Fn() -> Vec<RecordLocation>,
    ) -> Result<(Option<StoredSnapshot>, Vec<RecordLocation>), IndexError> {
        let table = self.config.schema.snapshots_of(stream);
        let read_snapshot = || {
            let result = snapshot::read(view.stored(self.tables.as_ref()), table, stream);
            result.map_err(|error| match error {
                SnapshotError::Rows(failure) => failure,
                SnapshotError::Broken => {
                    self.broken_snapshot(stream, "its checksum does not match")
                }
            })
        };
        // Runs exclude a snapshot by their bloom filters; the tables have to be read for that.
        if table.lies_in_runs()
            && let Some(snapshot) = read_snapshot()?
        {
            return Ok((Some(snapshot), tail()));
        }
        // The key before the tail: of a stream whose key is found, the tail has the first record too.
        let first = view.find(stream.key())?;
        let tail = tail();
        if first == tail.first().map(|place| place.position) {
            return Ok((None, tail));
        }
        // The tail before the snapshot: a checkpoint in between only makes the snapshot newer.
        match read_snapshot()? {
            None if first.is_some() => Err(self.broken_snapshot(stream, "it is missing")),
            snapshot => Ok((snapshot, tail)),
        }
    }

    /// A snapshot that cannot be used.
    pub(super) fn broken_snapshot(&self, stream: &StreamKey, reason: &str) -> IndexError {
        let stream = self.config.schema.name(stream);
        IndexError::damaged(SNAPSHOTS, format!("the one of {stream}: {reason}"))
    }

    /// Takes the records of `tail` into a state.
    pub(super) fn extend(
        &self,
        state: &mut dyn Folding,
        stream: &StreamKey,
        tail: &[RecordLocation],
    ) -> Result<(), IndexError> {
        let from = state.seq();
        for place in tail.iter().filter(|place| place.seq > from) {
            take_record(state, stream, *place, |position| {
                self.journal.read(position)
            })?;
        }
        Ok(())
    }

    /// Begins to rebuild the state of a stream of any kind; `tail` follows by [`Self::extend`].
    pub(super) fn start(
        &self,
        stream: &StreamKey,
        base_snapshot: Option<&StoredSnapshot>,
        tail: &[RecordLocation],
    ) -> Result<Box<dyn Folding>, IndexError> {
        let json = base_snapshot.map(|snapshot| snapshot.json.as_slice());
        let state = self.config.schema.start(stream, json);
        state.map_err(|error| match error {
            RebuildError::Snapshot(error) => self.broken_snapshot(stream, &error.to_string()),
            RebuildError::UnknownKind => unknown_kind(stream, tail),
        })
    }

    /// Reports a failure; damage is remembered on disk, so that the next start rebuilds the index.
    pub(super) fn report(&self, doing: &'static str, failure: &IndexError) -> IndexFileError {
        if matches!(failure, IndexError::Damaged { .. }) {
            self.mark_for_rebuild();
            self.damaged.send_replace(true);
        }
        self.notify_trouble(doing, failure)
    }

    /// Reports damage that a lookup found, once: lookups are many.
    pub(super) fn report_lookup(&self, failure: &IndexError) {
        if matches!(failure, IndexError::Damaged { .. }) {
            if self.mark_for_rebuild() {
                self.notify_trouble("a lookup", failure);
            }
            self.damaged.send_replace(true);
        }
    }

    /// Changes to true when damage is found.
    pub(super) fn damage(&self) -> watch::Receiver<bool> {
        self.damaged.subscribe()
    }

    /// Has the index rebuilt at the next start; returns whether that is new. If even the mark cannot be written, a
    /// later read finds the same damage again.
    pub(super) fn mark_for_rebuild(&self) -> bool {
        if self.marked_for_rebuild.swap(true, Ordering::AcqRel) {
            return false;
        }
        if let Err(error) = mark(self.config.disk.as_ref()) {
            let failure = IndexError::io("the index", &error);
            self.notify_trouble("marking the index for rebuilding", &failure);
        }
        true
    }

    fn notify_trouble(&self, doing: &'static str, failure: &IndexError) -> IndexFileError {
        let reason = failure.to_string();
        let trouble = IndexFileError { doing, reason };
        (self.config.on_trouble)(&trouble);
        trouble
    }
}

/// Takes one record of the stream into its state.
pub(super) fn take_record(
    state: &mut dyn Folding,
    stream: &StreamKey,
    place: RecordLocation,
    mut read: impl FnMut(Position) -> Result<Record, ReadError>,
) -> Result<(), IndexError> {
    let record = read(place.position).map_err(IndexError::Journal)?;
    if record.seq != place.seq || record.stream != *stream {
        return Err(IndexError::damaged(
            "the index",
            format!(
                "record {} of {} is not where it should be",
                place.seq.0,
                stream.named(state.kind())
            ),
        ));
    }
    let outcome = state.take(&record);
    outcome.map_err(|error| IndexError::undecodable(place.position, error))
}

fn unknown_kind(stream: &StreamKey, tail: &[RecordLocation]) -> IndexError {
    let reason = format!("{stream:?} is a stream of a kind that this version does not know");
    match tail.first() {
        Some(place) => IndexError::undecodable(place.position, reason),
        None => IndexError::damaged(SNAPSHOTS, reason),
    }
}
