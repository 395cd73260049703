//! Checkpoints: the memtable goes to disk, so that the next start need not replay it.
//!
//! ```text
//! freeze the overlay ─► keys ─► rows ─► flush ─► manifest: «covered up to here»
//!                                        └─► snapshots ─► flush ─► manifest: «applied up to here» ─► drop it
//! ```
//! The order matters. A snapshot may only be written when the keys and rows of all records in it are safe,
//! because they cannot be derived again from a record that the snapshot is ahead of. Rows of the tables may be ahead:
//! the replay writes the same rows again. Sorted runs count when the manifest names them.

use std::sync::atomic::Ordering;

use super::config::IndexFileError;
use super::core::{Core, take_record};
use super::error::IndexError;
use super::fold::Folding;
use super::manifest::{Manifest, NAME as MANIFEST};
use super::overlay::{ChangedStream, Overlay};
use super::record_location::RecordLocation;
use super::row_writer::RowWriter;
use super::snapshot::{self, StoredSnapshot};
use super::throttle::BackgroundThrottle;
use super::view::View;
use crate::entries::Row;
use crate::store::Seq;
use crate::store::lock::lock;
use crate::store::schema::Schema;
use crate::store::segment;
use crate::store::tables::{KeyRange, ScanOrder, TablesError};
use crate::stream::StreamKey;

/// So many changed rows are fetched from memory at a time.
const PAGE_ROWS: usize = 64;
/// So many records are a small piece of work.
const PIECE: usize = 64;

/// So many states are in memory at a time.
const STATES_TOGETHER: usize = 1_024;

/// A stream whose snapshot is made from the one before and the records since.
struct Changed {
    stream: StreamKey,
    /// Its records of this checkpoint that are still to be read.
    tail: Vec<RecordLocation>,
    base_snapshot: Option<StoredSnapshot>,
    /// The last record that the stored snapshot has.
    before: Seq,
    state: Box<dyn Folding>,
}

impl Changed {
    /// The rows of the new snapshot.
    fn rows(&self, schema: &Schema) -> Result<Vec<Row>, IndexError> {
        let json = self
            .state
            .snapshot()
            .map_err(|error| refused(schema, &self.stream, error.to_string()))?;
        let table = schema.snapshots_of(&self.stream);
        snapshot::rows(table, &self.stream, &json, self.base_snapshot.as_ref())
            .ok_or_else(|| refused(schema, &self.stream, TOO_LARGE.to_owned()))
    }
}

const TOO_LARGE: &str = "it is too large";

fn refused(schema: &Schema, stream: &StreamKey, reason: String) -> IndexError {
    let file = format!("the snapshot of {}", schema.name(stream));
    IndexError::Refused { file, reason }
}

impl Core {
    /// Writes a checkpoint. A failure is reported, and a later checkpoint makes up for it.
    pub(super) fn checkpoint(
        &self,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexFileError> {
        self.try_checkpoint(throttle).map_err(|failure| {
            let counts = &self.counts;
            counts.checkpoints_failed.fetch_add(1, Ordering::AcqRel);
            // Later, but not after every batch.
            let pending = self.pending();
            let pause = self.config.checkpoint_records.div_ceil(8).max(1);
            let due_at = pending.saturating_add(pause);
            counts.due_at.store(due_at, Ordering::Release);
            self.report("a checkpoint", &failure)
        })
    }

    /// Writes what a failed checkpoint left behind, and what has come since; then tidies up.
    pub(super) fn try_checkpoint(
        &self,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        let mut manifest = lock(&self.manifest);
        if self.is_closed() {
            return Ok(());
        }
        if let Some(leftover) = &self.view().frozen {
            self.write_checkpoint(&mut manifest, leftover, throttle)?;
        }
        if let Some(frozen) = self.freeze() {
            self.write_checkpoint(&mut manifest, &frozen, throttle)?;
        }
        let counts = &self.counts;
        let interval = self.config.checkpoint_records.max(1);
        counts.due_at.store(interval, Ordering::Release);
        let last_applied = manifest.applied_seq().0;
        counts
            .checkpointed_upto
            .store(last_applied, Ordering::Release);
        // The stored data is complete without this: a failure is reported, and a later checkpoint tries again.
        if let Err(failure) = self.tidy(&mut manifest, throttle) {
            self.report("tidying up runs", &failure);
        }
        Ok(())
    }

    fn write_checkpoint(
        &self,
        manifest: &mut Manifest,
        frozen: &Overlay,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        let Some(last) = frozen.last() else {
            return Ok(());
        };
        self.sync_journal(last)?;
        if last.seq > manifest.covered {
            self.cover(manifest, frozen, last, throttle)?;
        }
        let mut row_writer = self.row_writer(last.seq);
        self.write_snapshots(frozen, &mut row_writer, throttle)?;
        row_writer.add(
            snapshot::up_to_row(last.seq, self.config.installation),
            throttle,
        )?;
        let runs = self.view().runs.with(&row_writer.finish(throttle)?);
        self.flush()?;
        let mut next = manifest.clone();
        next.applied = Some(last);
        next.runs = runs.ids();
        self.install(manifest, next)?;
        self.change_view(|view| View {
            frozen: None,
            runs,
            ..view.clone()
        });
        self.counts.checkpoints.fetch_add(1, Ordering::AcqRel);
        self.write_stall.checkpoint_written();
        Ok(())
    }

    /// Makes keys and rows durable and says so in the manifest.
    fn cover(
        &self,
        manifest: &mut Manifest,
        frozen: &Overlay,
        last: RecordLocation,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        let mut row_writer = self.row_writer(last.seq);
        row_writer.write_keys(&frozen.sorted_keys(), throttle)?;
        self.add_rows(frozen, &mut row_writer, throttle)?;
        let runs = self.view().runs.with(&row_writer.finish(throttle)?);
        self.flush()?;
        let mut next = manifest.clone();
        next.covered = last.seq;
        next.runs = runs.ids();
        self.install(manifest, next)?;
        self.change_view(|view| View {
            runs,
            ..view.clone()
        });
        Ok(())
    }

    /// For what belongs to records up to `last`.
    fn row_writer(&self, last: Seq) -> RowWriter<'_> {
        RowWriter::new(self.tables.as_ref(), self.run_target(), last)
    }

    fn add_rows(
        &self,
        frozen: &Overlay,
        row_writer: &mut RowWriter<'_>,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        for table in self.config.schema.tables().iter().copied() {
            let mut rest = KeyRange::all();
            loop {
                let page = frozen.changed(table, &rest, PAGE_ROWS);
                let Some(last) = page.last() else {
                    break;
                };
                rest = rest.behind(last.key.to_vec(), ScanOrder::Ascending);
                row_writer.add_all(page, throttle)?;
                throttle.pause();
            }
        }
        Ok(())
    }

    /// Brings the snapshots of all streams up to date: takes them from the states of owners where it can, for that
    /// takes a third of the time, and makes the others from records. These are read in the order in which they lie, for
    /// many streams in one go: read stream by stream, each would be a call to the operating system.
    fn write_snapshots(
        &self,
        frozen: &Overlay,
        row_writer: &mut RowWriter<'_>,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        let view = self.view();
        let mut streams = (0..)
            .map_while(|number| frozen.nth_stream(number))
            .peekable();
        while streams.peek().is_some() {
            let mut others = Vec::new();
            while others.len() < STATES_TOGETHER
                && let Some(stream) = streams.next()
            {
                match self.rows_from_owner(&view, &stream)? {
                    Some(rows) => row_writer.add_all(rows, throttle)?,
                    None => {
                        if let Some(state) = &stream.state {
                            state.source.note_short(false);
                        }
                        others.push(stream);
                    }
                }
                throttle.pause();
            }
            let others = self.open_states(&view, others, throttle)?;
            for changed in self.take_records(others, throttle)? {
                row_writer.add_all(changed.rows(&self.config.schema)?, throttle)?;
                throttle.pause();
            }
        }
        Ok(())
    }

    /// The rows of a snapshot that the owner's state gives; `None` when it has to be made from records. A snapshot in
    /// several pieces always is, since the pieces it had before count then.
    fn rows_from_owner(
        &self,
        view: &View,
        changed: &ChangedStream,
    ) -> Result<Option<Vec<Row>>, IndexError> {
        let (Some(state), Some(last)) = (&changed.state, changed.tail.last()) else {
            return Ok(None);
        };
        let table = self.config.schema.snapshots_of(&changed.stream);
        let below = view.stored(self.tables.as_ref());
        let may_have_pieces = || snapshot::has_pieces(below, table, &changed.stream);
        if !table.lies_in_runs() || (!state.source.is_short() && may_have_pieces()?) {
            return Ok(None);
        }
        let Some(json) = state.snapshot(last.seq.0) else {
            return Ok(None);
        };
        let rows = snapshot::rows(table, &changed.stream, &json, None)
            .ok_or_else(|| refused(&self.config.schema, &changed.stream, TOO_LARGE.to_owned()))?;
        state.source.note_short(rows.len() == 1);
        Ok(Some(rows))
    }

    /// The states of some streams as their snapshots have them.
    fn open_states(
        &self,
        view: &View,
        streams: Vec<ChangedStream>,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<Vec<Changed>, IndexError> {
        streams
            .into_iter()
            .map(|ChangedStream { stream, tail, .. }| {
                throttle.pause();
                let (mut base_snapshot, tail) =
                    self.base_snapshot(view, &stream, || tail.clone())?;
                let state = self.start(&stream, base_snapshot.as_ref(), &tail)?;
                if let Some(base_snapshot) = &mut base_snapshot {
                    // Only how many pieces it has still counts.
                    base_snapshot.json = Vec::new();
                }
                Ok(Changed {
                    before: state.seq(),
                    stream,
                    tail,
                    base_snapshot,
                    state,
                })
            })
            .collect()
    }

    /// Adds the records of their tails to the states; drops the states that had them already.
    fn take_records(
        &self,
        mut states: Vec<Changed>,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<Vec<Changed>, IndexError> {
        let mut places: Vec<(RecordLocation, usize)> = Vec::new();
        for (number, changed) in states.iter_mut().enumerate() {
            let news = std::mem::take(&mut changed.tail)
                .into_iter()
                .filter(|place| place.seq > changed.before);
            places.extend(news.map(|place| (place, number)));
        }
        places.sort_unstable_by_key(|(place, _)| place.seq);
        let mut read = self.journal.read_ahead();
        for piece in places.chunks(PIECE) {
            for (place, number) in piece {
                if let Some(Changed { stream, state, .. }) = states.get_mut(*number) {
                    take_record(state.as_mut(), stream, *place, &mut read)?;
                }
            }
            throttle.pause();
        }
        states.retain(|changed| changed.state.seq() != changed.before);
        Ok(states)
    }

    /// Puts the journal on disk up to there. Where the journal is synced only now and then, a power cut would leave an index
    /// that knows records which the journal has lost.
    fn sync_journal(&self, last: RecordLocation) -> Result<(), IndexError> {
        let disk = self.config.disk.as_ref();
        let name = segment::name(last.position.segment);
        // The index may lie elsewhere, and opening makes a file.
        let sync = || match disk.names()?.contains(&name) {
            true => disk.open(&name)?.sync(),
            false => Ok(()),
        };
        sync().map_err(|error| IndexError::io(&*name, &error))
    }

    pub(super) fn install(
        &self,
        manifest: &mut Manifest,
        next: Manifest,
    ) -> Result<(), IndexError> {
        next.write(self.config.disk.as_ref())
            .map_err(|error| IndexError::io(MANIFEST, &error))?;
        *manifest = next;
        Ok(())
    }

    /// After a failed flush the content of the tables on disk is unknown, and a second flush proves nothing.
    fn flush(&self) -> Result<(), IndexError> {
        let flushed = self.tables.flush_durably();
        if flushed
            .as_ref()
            .is_err_and(|error| *error != TablesError::Closed)
        {
            self.mark_for_rebuild();
        }
        Ok(flushed?)
    }
}
