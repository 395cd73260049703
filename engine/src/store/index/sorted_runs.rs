//! The sorted runs that are in force, of both families. The newest run that has a key is right.

mod merge;
pub(super) mod stored_keys;

use std::ops::{Bound, Range};
use std::sync::Arc;

use self::merge::Merge;
use self::stored_keys::{common_prefix, full_key, full_range};
use super::error::IndexError;
use super::keymap::unpacked;
use super::sorted_run::id::{Family, RunId};
use super::sorted_run::writer::{RunTarget, SortedRunWriter};
use super::sorted_run::{SortedRun, fingerprint};
use super::throttle::BackgroundThrottle;
use super::tiers;
use crate::entries::Key;
use crate::store::tables::{KeyRange, ScanOrder, StoredRow};
use crate::store::{Position, Seq};
use crate::table::Table;

/// Runs up to this size are the lowest tier.
const LOWEST_TIER_BYTES: u64 = 1024 * 1024;
/// So many entries may be tombstones, or this share of all.
const TOMBSTONES_MAX: u64 = 50_000;
const TOMBSTONES_SHARE: u64 = 4;

/// Sorted runs, newest first in each family.
#[derive(Clone, Debug, Default)]
pub(super) struct SortedRuns {
    keys: Vec<Arc<SortedRun>>,
    rows: Vec<Arc<SortedRun>>,
}

impl SortedRuns {
    pub(super) fn new(newest_first: impl IntoIterator<Item = Arc<SortedRun>>) -> Self {
        let runs = newest_first.into_iter();
        let (keys, rows) = runs.partition(|run| run.id().family == Family::Keys);
        Self { keys, rows }
    }

    /// The runs of a family, newest first.
    pub(super) fn family(&self, family: Family) -> &[Arc<SortedRun>] {
        match family {
            Family::Keys => &self.keys,
            Family::Rows => &self.rows,
        }
    }

    /// All runs, newest first in each family.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<SortedRun>> {
        self.keys.iter().chain(&self.rows)
    }

    /// The ids of all runs, newest first in each family.
    pub(super) fn ids(&self) -> Vec<RunId> {
        self.all().map(|run| run.id()).collect()
    }

    /// These runs and newer ones; the newer ones of a family have no key in common.
    pub(super) fn with(&self, newer: &[Arc<SortedRun>]) -> Self {
        Self::new(newer.iter().chain(self.all()).map(Arc::clone))
    }

    /// The newest position of a key.
    pub(super) fn position(&self, key: Key) -> Result<Option<Position>, IndexError> {
        let bytes = key.0.to_be_bytes();
        self.find(Family::Keys, key, &bytes, |value| {
            let packed = u64::from_be_bytes(value?.try_into().ok()?);
            Some(unpacked(packed))
        })
    }

    /// The row of a list with this key.
    pub(super) fn row(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, IndexError> {
        let key = full_key(table, key);
        let print = fingerprint(Family::Rows, &key);
        let value = |value: Option<&[u8]>| Some(value.map(<[u8]>::to_vec));
        Ok(self.find(Family::Rows, print, &key, value)?.flatten())
    }

    /// Applies `take` to the newest entry with a key.
    fn find<T>(
        &self,
        family: Family,
        print: Key,
        key: &[u8],
        take: impl Fn(Option<&[u8]>) -> Option<T>,
    ) -> Result<Option<T>, IndexError> {
        for run in self.family(family).iter().filter(|run| run.may_have(print)) {
            let value = run
                .find(key, &take)
                .map_err(|error| run.id().failure(&error))?;
            if value.is_some() {
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
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, IndexError> {
        if range.is_void() {
            return Ok(Vec::new());
        }
        let range = full_range(table, range);
        let prefix = common_prefix(table, &range).map(|prefix| fingerprint(Family::Rows, prefix));
        let may_have = |run: &&Arc<SortedRun>| prefix.is_none_or(|prefix| run.may_have(prefix));
        let runs: Vec<_> = self.rows.iter().filter(may_have).map(Arc::clone).collect();
        let (begin, end) = match order {
            ScanOrder::Ascending => (&range.from, &range.to),
            ScanOrder::Descending => (&range.to, &range.from),
        };
        let mut merge = Merge::new(&runs, begin.as_ref().map(Vec::as_slice), order)?;
        let mut rows = Vec::new();
        while rows.len() < limit {
            let Some((key, entry)) = merge.entry() else {
                break;
            };
            if is_behind(key, end, order) {
                break;
            }
            if let (Some((_, key)), Some(value)) = (key.split_first(), entry.value) {
                rows.push((key.to_vec(), value.to_vec()));
            }
            merge.advance()?;
        }
        Ok(rows)
    }

    /// The neighbours of a family that should become one run, if any: some of similar size, or all when much of them
    /// are tombstones, since every scan of a list passes these.
    pub(super) fn due(&self, family: Family) -> Option<Range<usize>> {
        let runs = self.family(family);
        let tombstones: u64 = runs.iter().map(|run| run.tombstones()).sum();
        let entries: u64 = runs.iter().map(|run| run.entries()).sum();
        let share = entries / TOMBSTONES_SHARE;
        if tombstones > TOMBSTONES_MAX && tombstones > share && runs.len() > 1 {
            return Some(0..runs.len());
        }
        tiers::due(runs.iter().map(|run| run.length()), LOWEST_TIER_BYTES)
    }

    /// The size of the files of these neighbours on disk, in bytes.
    pub(super) fn bytes(&self, family: Family, group: &Range<usize>) -> u64 {
        let runs = self.family(family).get(group.clone()).unwrap_or_default();
        runs.iter().map(|run| run.length()).sum()
    }

    /// Writes a run in place of these neighbours, and gives all runs with it.
    pub(super) fn merged(
        &self,
        target: RunTarget<'_>,
        family: Family,
        group: Range<usize>,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<Self, IndexError> {
        let runs = self.family(family).get(group.clone()).unwrap_or_default();
        // A tombstone stays as long as an older run may have the key.
        let is_oldest = group.end >= self.family(family).len();
        let mut merge = Merge::new(runs, Bound::Unbounded, ScanOrder::Ascending)?;
        let key_count = runs.iter().map(|run| run.filter_keys()).sum();
        let last = runs.iter().map(|run| run.id().last).max().unwrap_or(Seq(0));
        let mut writer = SortedRunWriter::create(target, family, last, key_count, throttle)?;
        while let Some((key, entry)) = merge.entry() {
            if entry.value.is_some() || !(is_oldest || entry.is_new) {
                writer.push(key, entry)?;
            }
            merge.advance()?;
        }
        let mut all = self.clone();
        let list = match family {
            Family::Keys => &mut all.keys,
            Family::Rows => &mut all.rows,
        };
        list.splice(group, [writer.finish()?]);
        Ok(all)
    }
}

/// Returns whether this key is past the end of a range that is read in `order`.
fn is_behind(key: &[u8], end: &Bound<Vec<u8>>, order: ScanOrder) -> bool {
    match (end, order) {
        (Bound::Unbounded, _) => false,
        (Bound::Included(end), ScanOrder::Ascending) => key > end.as_slice(),
        (Bound::Excluded(end), ScanOrder::Ascending) => key >= end.as_slice(),
        (Bound::Included(end), ScanOrder::Descending) => key < end.as_slice(),
        (Bound::Excluded(end), ScanOrder::Descending) => key <= end.as_slice(),
    }
}
