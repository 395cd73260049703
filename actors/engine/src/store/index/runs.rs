//! The runs of an index: neighbours in the order of records, newest first here, so the first hit is the newest.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::breath::Breath;
use super::run::{BLOCK_BYTES, ENTRY_BYTES, Entry, Run, decode};
use super::run_writer::RunWriter;
use super::tiers;
use crate::entries::Key;
use crate::store::Position;
use crate::store::disk::Disk;

/// Runs up to this size are the lowest tier.
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

    /// The neighbours that should become one run, if any.
    pub(super) fn due(&self) -> Option<Range<usize>> {
        let sizes = self.list.iter().map(|run| run.plate().entries);
        tiers::due(sizes, LOWEST_TIER_ENTRIES)
    }

    /// Writes the run that replaces these neighbours, and gives the list with it in their place.
    pub(super) fn merged(
        &self,
        disk: &dyn Disk,
        group: Range<usize>,
        breath: &mut Breath<'_>,
    ) -> io::Result<Option<Self>> {
        let runs = self.list.get(group.clone()).unwrap_or_default();
        let (Some(newest), Some(oldest)) = (runs.first(), runs.last()) else {
            return Ok(None);
        };
        let expected = runs.iter().map(|run| run.plate().entries).sum();
        let (first, last) = (oldest.plate().first, newest.plate().last);
        let mut writer = RunWriter::create(disk, first, last, expected)?;
        let mut cursors = Vec::with_capacity(runs.len());
        for run in runs {
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
        list.splice(group, [Arc::new(writer.finish()?)]);
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
