//! Replay: the records behind the last checkpoint are read again, and their entries derived again.

mod checkpoints_aside;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::checkpoints_aside::CheckpointsAside;
use super::config::ReplayProgress;
use super::core::Core;
use super::error::IndexError;
use super::fold::Folding;
use super::record_location::RecordLocation;
use super::rows::Arrival;
use crate::entries::IndexEntries;
use crate::store::lock::lock;
use crate::store::{Committed, Position, Record, Seq};
use crate::stream::StreamKey;

/// The number of rebuilt states that are kept at hand; twice as many at most.
const STATES: usize = 8192;
/// Progress is reported each time so many records are done.
const PROGRESS_RECORDS: u64 = 10_000;

/// Replays the journal into the index and gives the number of records and the last one. Takes checkpoints
/// on the way when there is much, so that memory stays bounded: on another core, where there is one.
pub(super) fn replay(core: &Core) -> Result<(u64, Seq), IndexError> {
    let (applied, covered) = {
        let manifest = lock(&core.manifest);
        (manifest.applied, manifest.covered)
    };
    let journal = Arc::clone(&core.journal);
    let mut records = journal.scan(applied.map(|place| place.position));
    if let Some(place) = applied {
        check_start(place, records.next())?;
    }
    let mut previous = applied.map(|place| place.seq);
    let mut states = States::default();
    let mut count = 0_u64;
    CheckpointsAside::during(core, |checkpoints| {
        for result in records {
            let (position, record) = result.map_err(IndexError::Journal)?;
            // The numbers between them are of erased records.
            if previous.is_some_and(|previous| record.seq <= previous) {
                return Err(ahead("the journal goes on with another record"));
            }
            previous = Some(record.seq);
            let entries = if record.seq <= covered {
                // Its keys and rows are stored, and its state may be past it: only the tail is needed.
                IndexEntries::default()
            } else {
                states.index(core, position, &record)?
            };
            let again = Committed {
                seq: record.seq,
                position,
                stream: record.stream,
                entries,
            };
            core.add(vec![again], Arrival::Replayed);
            if core.is_overdue() {
                checkpoints.write()?;
            }
            count = count.saturating_add(1);
            if count.is_multiple_of(PROGRESS_RECORDS) {
                report_progress(core, count, previous);
            }
        }
        Ok(())
    })?;
    report_progress(core, count, previous);
    let last = previous.unwrap_or_default();
    if last < covered {
        return Err(ahead(
            "the journal ends before the last record of the index",
        ));
    }
    Ok((count, last))
}

/// The last applied record must be in the journal, where it was.
fn check_start(
    applied: RecordLocation,
    first: Option<Result<(Position, Record), crate::store::ReadError>>,
) -> Result<(), IndexError> {
    match first {
        Some(Ok((position, record)))
            if record.seq == applied.seq && position == applied.position =>
        {
            Ok(())
        }
        Some(Ok(_)) | None => Err(ahead("its last record is not where it was")),
        // A place behind the journal's end reads as damage.
        Some(Err(error)) => Err(ahead(&error.to_string())),
    }
}

fn report_progress(core: &Core, records: u64, seq: Option<Seq>) {
    let seq = seq.unwrap_or_default();
    (core.config.on_progress)(ReplayProgress { records, seq });
}

fn ahead(reason: &str) -> IndexError {
    IndexError::damaged(
        "the index",
        format!("it does not fit the journal: {reason}"),
    )
}

/// A cache of the states that were needed last. When the younger half is full, the older one is dropped: a state that
/// is needed again is rebuilt from its snapshot and its tail.
#[derive(Default)]
struct States {
    young: BTreeMap<StreamKey, Box<dyn Folding>>,
    old: BTreeMap<StreamKey, Box<dyn Folding>>,
}

impl States {
    /// Returns the additions of the record to the indexes, given all records of its stream before it.
    fn index(
        &mut self,
        core: &Core,
        position: Position,
        record: &Record,
    ) -> Result<IndexEntries, IndexError> {
        let mut state = match self.take(&record.stream) {
            Some(state) => state,
            None => before(core, position, record)?,
        };
        if state.seq() >= record.seq {
            return Err(ahead("a snapshot is ahead of it"));
        }
        let entries = state
            .index_and_take(record)
            .map_err(|error| IndexError::undecodable(position, error))?;
        if self.young.len() >= STATES {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(record.stream.clone(), state);
        Ok(entries)
    }

    fn take(&mut self, stream: &StreamKey) -> Option<Box<dyn Folding>> {
        let young = self.young.remove(stream);
        young.or_else(|| self.old.remove(stream))
    }
}

/// The state before the record.
fn before(
    core: &Core,
    position: Position,
    record: &Record,
) -> Result<Box<dyn Folding>, IndexError> {
    let view = core.view();
    let stream = &record.stream;
    let (base_snapshot, tail) = core.base_snapshot(&view, stream, || view.tail(stream))?;
    let here = RecordLocation {
        seq: record.seq,
        position,
    };
    let mut state = core.start(stream, base_snapshot.as_ref(), &[here])?;
    core.extend(state.as_mut(), stream, &tail)?;
    Ok(state)
}
