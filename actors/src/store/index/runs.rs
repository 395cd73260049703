//! The runs of an index, and which of them to merge when.
//!
//! Runs are neighbours in the order of records, newest first here, so the first hit is the newest. At most
//! [`RUNS_PER_TIER`] − 1 runs of similar size are left beside each other: lookups touch a number of runs that
//! grows with the logarithm of what is stored, and an entry is rewritten as often.

use std::io;
use std::sync::Arc;

use super::breath::Breath;
use super::run::{BLOCK_BYTES, ENTRY_BYTES, Entry, Run, decode};
use super::run_writer::RunWriter;
use crate::domain::index::Key;
use crate::store::Position;
use crate::store::disk::Disk;

/// So many runs of one tier become one.
pub(super) const RUNS_PER_TIER: usize = 4;
/// Runs up to this size are the lowest tier; each further tier is four times as large.
const LOWEST_TIER_ENTRIES: u64 = 4096;
/// So many entries are a small piece of work.
const PIECE: usize = 1_024;

/// The runs that are in force, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    list: Vec<Arc<Run>>,
}

/// A run that was met is damaged or cannot be read.
#[derive(Debug)]
pub(super) struct RunError {
    pub(super) name: String,
    pub(super) error: io::Error,
}

impl Runs {
    pub(super) fn new(newest_first: Vec<Arc<Run>>) -> Self {
        Self { list: newest_first }
    }

    pub(super) fn list(&self) -> &[Arc<Run>] {
        &self.list
    }

    /// These runs and a newer one.
    pub(super) fn with(&self, newest: Arc<Run>) -> Self {
        let mut list = vec![newest];
        list.extend(self.list.iter().map(Arc::clone));
        Self { list }
    }

    /// The newest position of a key.
    pub(super) fn find(&self, key: Key) -> Result<Option<Position>, RunError> {
        for run in &self.list {
            let found = run.find(key).map_err(|error| RunError {
                name: run.name().to_owned(),
                error,
            })?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The neighbours that should become one run, if any: where they begin in the list and how many.
    pub(super) fn due(&self) -> Option<(usize, usize)> {
        // A run counts to the tier of the largest newer one at least, so that tiers only rise with age.
        let mut tiers: Vec<u32> = Vec::with_capacity(self.list.len());
        for run in &self.list {
            let floor = tiers.last().copied().unwrap_or(0);
            tiers.push(tier(run.plate().entries).max(floor));
        }
        let mut start = 0;
        for group in tiers.chunk_by(|left, right| left == right) {
            if group.len() >= RUNS_PER_TIER {
                return Some((start, group.len()));
            }
            start = start.saturating_add(group.len());
        }
        None
    }

    /// Writes the run that replaces `count` runs from `start` on, and gives the list with it in their place.
    pub(super) fn merged(
        &self,
        disk: &dyn Disk,
        start: usize,
        count: usize,
        breath: &mut Breath<'_>,
    ) -> io::Result<Option<Self>> {
        let group: Vec<&Arc<Run>> = self.list.iter().skip(start).take(count).collect();
        let (Some(newest), Some(oldest)) = (group.first(), group.last()) else {
            return Ok(None);
        };
        let expected = group.iter().map(|run| run.plate().entries).sum();
        let (first, last) = (oldest.plate().first, newest.plate().last);
        let mut writer = RunWriter::create(disk, first, last, expected)?;
        let mut cursors = Vec::with_capacity(group.len());
        for run in group {
            cursors.push(Cursor::new(run)?);
        }
        let mut pushed = 0_usize;
        while let Some(entry) = next_of(&mut cursors)? {
            writer.push(&entry)?;
            pushed = pushed.wrapping_add(1);
            if pushed.is_multiple_of(PIECE) {
                breath.take();
            }
        }
        let mut list = self.list.clone();
        list.splice(
            start..start.saturating_add(count),
            [Arc::new(writer.finish()?)],
        );
        Ok(Some(Self { list }))
    }
}

/// Takes the smallest key of all cursors, with the position that the newest of them has for it.
fn next_of(cursors: &mut [Cursor<'_>]) -> io::Result<Option<Entry>> {
    // The cursors are newest first and `min_by_key` gives the first of equal ones.
    let heads = cursors.iter().filter_map(|cursor| cursor.head);
    let Some(smallest) = heads.min_by_key(|entry| entry.0) else {
        return Ok(None);
    };
    for cursor in cursors {
        if cursor.head.is_some_and(|head| head.0 == smallest.0) {
            cursor.advance()?;
        }
    }
    Ok(Some(smallest))
}

/// Goes through a run from its smallest key up.
struct Cursor<'a> {
    run: &'a Run,
    block: Box<[u8; BLOCK_BYTES]>,
    entries: Vec<[u8; ENTRY_BYTES]>,
    next_block: usize,
    next_entry: usize,
    head: Option<Entry>,
}

impl<'a> Cursor<'a> {
    fn new(run: &'a Run) -> io::Result<Self> {
        let mut cursor = Self {
            run,
            block: Box::new([0; BLOCK_BYTES]),
            entries: Vec::new(),
            next_block: 0,
            next_entry: 0,
            head: None,
        };
        cursor.advance()?;
        Ok(cursor)
    }

    fn advance(&mut self) -> io::Result<()> {
        let blocks = usize::try_from(self.run.plate().blocks()).unwrap_or(usize::MAX);
        if self.next_entry >= self.entries.len() && self.next_block < blocks {
            self.entries.clear();
            let entries = self.run.read_block(self.next_block, &mut self.block)?;
            self.entries.extend_from_slice(entries);
            self.next_block = self.next_block.saturating_add(1);
            self.next_entry = 0;
        }
        self.head = self.entries.get(self.next_entry).map(decode);
        self.next_entry = self.next_entry.saturating_add(1);
        Ok(())
    }
}

fn tier(entries: u64) -> u32 {
    let above = entries.div_ceil(LOWEST_TIER_ENTRIES).max(1);
    above.ilog2().div_ceil(2)
}
