//! Several runs as one: their entries in one order, each key once.

use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::Arc;

use crate::store::index::error::IndexError;
use crate::store::index::sorted_run::SortedRun;
use crate::store::index::sorted_run::block::RunEntry;
use crate::store::index::sorted_run::cursor::Cursor;

use crate::store::tables::ScanOrder;

/// Goes through the entries of several runs, newest first, in one direction. Of each key the newest entry counts.
pub(super) struct Merge<'a> {
    runs: &'a [Arc<SortedRun>],
    cursors: Vec<Cursor>,
    order: ScanOrder,
    /// The newest and the oldest cursor at the next key.
    next: Option<(usize, usize)>,
}

impl<'a> Merge<'a> {
    pub(super) fn new(
        runs: &'a [Arc<SortedRun>],
        begin: Bound<&[u8]>,
        order: ScanOrder,
    ) -> Result<Self, IndexError> {
        let at = |run: &'a Arc<SortedRun>| {
            Cursor::at(run, begin, order).map_err(|error| run.id().failure(&error))
        };
        let mut merge = Self {
            runs,
            cursors: runs.iter().map(at).collect::<Result<_, _>>()?,
            order,
            next: None,
        };
        merge.choose();
        Ok(merge)
    }

    /// The next entry: what the newest run has, and whether runs that are not here have nothing of the key.
    pub(super) fn entry(&self) -> Option<(&[u8], RunEntry<'_>)> {
        let (newest, oldest) = self.next?;
        let newest = self.cursors.get(newest)?;
        let entry = RunEntry {
            is_new: self.cursors.get(oldest)?.entry()?.is_new,
            ..newest.entry()?
        };
        Some((newest.key()?, entry))
    }

    pub(super) fn advance(&mut self) -> Result<(), IndexError> {
        let Some((newest, oldest)) = self.next else {
            return Ok(());
        };
        let behind = self.cursors.split_at_mut_checked(newest.saturating_add(1));
        if let Some(([.., chosen], older)) = behind {
            let older_ones = older.iter_mut().zip(self.runs.iter().skip(newest).skip(1));
            for (cursor, run) in older_ones.take(oldest.saturating_sub(newest)) {
                if cursor.key() == chosen.key() {
                    cursor.advance().map_err(|error| run.id().failure(&error))?;
                }
            }
            if let Some(run) = self.runs.get(newest) {
                chosen.advance().map_err(|error| run.id().failure(&error))?;
            }
        }
        self.choose();
        Ok(())
    }

    fn choose(&mut self) {
        let mut next: Option<((usize, usize), &[u8])> = None;
        for (number, cursor) in self.cursors.iter().enumerate() {
            let Some(key) = cursor.key() else {
                continue;
            };
            let compared = next.map_or(Ordering::Less, |(_, other)| match self.order {
                ScanOrder::Ascending => key.cmp(other),
                ScanOrder::Descending => other.cmp(key),
            });
            match (compared, &mut next) {
                (Ordering::Greater, _) => {}
                (Ordering::Equal, Some(((_, oldest), _))) => *oldest = number,
                (Ordering::Less, _) | (Ordering::Equal, None) => {
                    next = Some(((number, number), key));
                }
            }
        }
        self.next = next.map(|(cursors, _)| cursors);
    }
}
