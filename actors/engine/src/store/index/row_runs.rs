//! The row runs that are in force, and what they say together: the newest one that knows a row is right.

use std::io;
use std::ops::{Bound, Range};
use std::sync::Arc;

use super::breath::Breath;
use super::row_run::block::Said;
use super::row_run::cursor::Cursor;
use super::row_run::writer::RowRunWriter;
use super::row_run::{RowRun, filtered, fingerprint};
use super::runs::RunError;
use super::tiers;
use crate::store::disk::Disk;
use crate::store::schema::Prefixes;
use crate::store::tables::{KeyRange, Order, StoredRow};
use crate::table::Table;

/// Runs up to this size are the lowest tier.
const LOWEST_TIER_BYTES: u64 = 1024 * 1024;
/// So many rows may be told to be gone, or this share of all.
const GONE_MAX: u64 = 50_000;
const GONE_SHARE: u64 = 4;
/// So many rows are a small piece of work.
const PIECE: usize = 256;

/// Row runs, newest first.
#[derive(Clone, Debug, Default)]
pub(super) struct RowRuns {
    list: Vec<Arc<RowRun>>,
}

impl RowRuns {
    pub(super) fn new(newest_first: Vec<Arc<RowRun>>) -> Self {
        Self { list: newest_first }
    }

    pub(super) fn list(&self) -> &[Arc<RowRun>] {
        &self.list
    }

    /// The numbers of the runs, newest first.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.list.iter().map(|run| run.number()).collect()
    }

    /// These runs and newer ones, which have no row in common.
    pub(super) fn with(&self, newer: &[Arc<RowRun>]) -> Self {
        let list = newer.iter().chain(&self.list).map(Arc::clone).collect();
        Self { list }
    }

    /// The row of a list with this key.
    pub(super) fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, RunError> {
        let key = full_key(table, key);
        let print = fingerprint(&key);
        for run in self.list.iter().filter(|run| run.may_have(print)) {
            let found = run.find(&key).map_err(|error| refused(run, error))?;
            if let Some(value) = found {
                return Ok(value);
            }
        }
        Ok(None)
    }

    /// The first rows of a range of a list in this order, at most `limit`.
    pub(super) fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: Order,
        limit: usize,
    ) -> Result<Vec<StoredRow>, RunError> {
        if range.is_void() {
            return Ok(Vec::new());
        }
        let range = full_range(table, range);
        let prefix = filtered::common_prefix(table, &range).map(fingerprint);
        let may_have = |run: &&Arc<RowRun>| prefix.is_none_or(|prefix| run.may_have(prefix));
        let runs: Vec<_> = self.list.iter().filter(may_have).map(Arc::clone).collect();
        let (begin, end) = match order {
            Order::Ascending => (&range.from, &range.to),
            Order::Descending => (&range.to, &range.from),
        };
        let mut merge = Merge::new(&runs, begin.as_ref().map(Vec::as_slice), order)?;
        let mut rows = Vec::new();
        while rows.len() < limit {
            let Some((key, said)) = merge.row() else {
                break;
            };
            if is_behind(key, end, order) {
                break;
            }
            if let (Some((_, key)), Some(value)) = (key.split_first(), said.value) {
                rows.push((key.to_vec(), value.to_vec()));
            }
            merge.advance()?;
        }
        Ok(rows)
    }

    /// The neighbours that should become one run, if any: some of similar size, or all when much of them is gone, since
    /// whoever goes through a list passes what is gone.
    pub(super) fn due(&self) -> Option<Range<usize>> {
        let gone: u64 = self.list.iter().map(|run| run.gone()).sum();
        let rows: u64 = self.list.iter().map(|run| run.rows()).sum();
        if gone > GONE_MAX && gone > rows / GONE_SHARE && self.list.len() > 1 {
            return Some(0..self.list.len());
        }
        tiers::due(self.list.iter().map(|run| run.length()), LOWEST_TIER_BYTES)
    }

    /// What the files of these neighbours take on disk.
    pub(super) fn bytes(&self, group: &Range<usize>) -> u64 {
        let runs = self.list.get(group.clone()).unwrap_or_default();
        runs.iter().map(|run| run.length()).sum()
    }

    /// Writes the run with this number in place of these neighbours, and gives the list with it.
    pub(super) fn merged(
        &self,
        disk: &dyn Disk,
        prefixes: &Prefixes,
        group: Range<usize>,
        number: u64,
        breath: &mut Breath<'_>,
    ) -> Result<Self, RunError> {
        let runs = self.list.get(group.clone()).unwrap_or_default();
        // That a row is gone stays told as long as an older run may have it.
        let is_oldest = group.end >= self.list.len();
        let mut merge = Merge::new(runs, Bound::Unbounded, Order::Ascending)?;
        let expected = runs.iter().map(|run| run.filter_keys()).sum();
        let told = |error| RunError {
            name: super::row_run::file_name(number),
            error,
        };
        let mut writer = RowRunWriter::create(disk, prefixes, number, expected).map_err(told)?;
        let mut done = 0_usize;
        while let Some((key, said)) = merge.row() {
            if said.value.is_some() || !(is_oldest || said.is_new) {
                writer.push(key, said).map_err(told)?;
            }
            merge.advance()?;
            done = done.wrapping_add(1);
            if done.is_multiple_of(PIECE) {
                breath.take();
            }
        }
        let merged = Arc::new(writer.finish().map_err(told)?);
        let mut list = self.list.clone();
        list.splice(group, [merged]);
        Ok(Self { list })
    }
}

/// The key of a row in a run, with the number of its list before it.
pub(super) fn full_key(table: Table, key: &[u8]) -> Vec<u8> {
    let mut full = Vec::with_capacity(key.len().saturating_add(1));
    full.push(table.code());
    full.extend(key);
    full
}

fn full_range(table: Table, range: &KeyRange) -> KeyRange {
    let full = |bound: &Bound<Vec<u8>>, open: Bound<Vec<u8>>| match bound {
        Bound::Unbounded => open,
        Bound::Included(key) => Bound::Included(full_key(table, key)),
        Bound::Excluded(key) => Bound::Excluded(full_key(table, key)),
    };
    // Numbers of lists are far below 255.
    let behind = table.code().saturating_add(1);
    KeyRange {
        from: full(&range.from, Bound::Included(vec![table.code()])),
        to: full(&range.to, Bound::Excluded(vec![behind])),
    }
}

/// Whether somebody who goes in `order` is past the end of their range at this key.
fn is_behind(key: &[u8], end: &Bound<Vec<u8>>, order: Order) -> bool {
    match (end, order) {
        (Bound::Unbounded, _) => false,
        (Bound::Included(end), Order::Ascending) => key > end.as_slice(),
        (Bound::Excluded(end), Order::Ascending) => key >= end.as_slice(),
        (Bound::Included(end), Order::Descending) => key < end.as_slice(),
        (Bound::Excluded(end), Order::Descending) => key <= end.as_slice(),
    }
}

fn refused(run: &RowRun, error: io::Error) -> RunError {
    RunError {
        name: run.name().to_owned(),
        error,
    }
}

/// The rows of several runs, in one order and each once: as the newest of them has it.
struct Merge<'a> {
    runs: &'a [Arc<RowRun>],
    cursors: Vec<Cursor>,
    order: Order,
    /// Which cursor is at the next row; of several the newest.
    next: Option<usize>,
}

impl<'a> Merge<'a> {
    fn new(runs: &'a [Arc<RowRun>], begin: Bound<&[u8]>, order: Order) -> Result<Self, RunError> {
        let mut cursors = Vec::with_capacity(runs.len());
        for run in runs {
            let cursor = Cursor::at(run, begin, order).map_err(|error| refused(run, error))?;
            cursors.push(cursor);
        }
        let mut merge = Self {
            runs,
            cursors,
            order,
            next: None,
        };
        merge.choose();
        Ok(merge)
    }

    /// The next row: what the newest run says of it, and whether runs that are not here have nothing of it.
    fn row(&self) -> Option<(&[u8], Said<'_>)> {
        let cursors = self.cursors.get(self.next?..)?;
        let newest = cursors.first()?;
        let key = newest.key()?;
        let oldest = cursors
            .iter()
            .rev()
            .find(|cursor| cursor.key() == Some(key))?;
        let said = Said {
            is_new: oldest.said()?.is_new,
            ..newest.said()?
        };
        Some((key, said))
    }

    fn advance(&mut self) -> Result<(), RunError> {
        let Some(next) = self.next else {
            return Ok(());
        };
        // Older cursors at the same row first: what they have for it does not count.
        let (newer, rest) = self.cursors.split_at_mut(next);
        debug_assert!(
            newer
                .iter()
                .all(|cursor| cursor.key() != rest.first().and_then(Cursor::key))
        );
        if let Some((chosen, older)) = rest.split_first_mut() {
            for (cursor, run) in older.iter_mut().zip(self.runs.iter().skip(next).skip(1)) {
                if cursor.key().is_some() && cursor.key() == chosen.key() {
                    cursor.advance().map_err(|error| refused(run, error))?;
                }
            }
            if let Some(run) = self.runs.get(next) {
                chosen.advance().map_err(|error| refused(run, error))?;
            }
        }
        self.choose();
        Ok(())
    }

    fn choose(&mut self) {
        let mut best: Option<(usize, &[u8])> = None;
        for (number, cursor) in self.cursors.iter().enumerate() {
            let Some(key) = cursor.key() else {
                continue;
            };
            let is_next = best.is_none_or(|(_, other)| match self.order {
                Order::Ascending => key < other,
                Order::Descending => key > other,
            });
            if is_next {
                best = Some((number, key));
            }
        }
        self.next = best.map(|(number, _)| number);
    }
}
