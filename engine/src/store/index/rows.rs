//! The rows that changed since the last checkpoint.
//!
//! A list by activity moves a row with every record, and a queue takes one in and out again. A row that was put into
//! a list and removed before it was ever written would leave a useless tombstone: it costs memory until the next
//! checkpoint, and space on disk then. So a row that its list did not have before leaves no trace.

use std::collections::{BTreeMap, btree_map};

use super::row_key::RowKey;
use crate::entries::Row;
use crate::store::tables::{KeyRange, ScanOrder};
use crate::table::Table;

/// A changed row: its key, and its new value or that it is gone.
pub(super) type Change = (Vec<u8>, Option<Vec<u8>>);

/// The origin of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// They were committed just now: whatever lies below is older.
    Committed,
    /// They are read again: what lies in the tables may be of a checkpoint that was cut short, and newer than they are.
    Replayed,
}

impl Arrival {
    /// Returns whether what lies below is known to be older. Runs of a checkpoint that was cut short never count.
    fn is_sure_of(self, table: Table) -> bool {
        self == Self::Committed || table.lies_in_runs()
    }
}

/// About how many bytes a row takes in its tree, whose nodes are two thirds full.
const ROW_BYTES: usize = size_of::<(RowKey, Changed)>() * 3 / 2;

/// The changed rows of all lists.
#[derive(Debug, Default)]
pub(super) struct Rows {
    lists: BTreeMap<Table, BTreeMap<RowKey, Changed>>,
    bytes: usize,
}

#[derive(Debug)]
struct Changed {
    /// `None`: it is gone.
    value: Option<Vec<u8>>,
    /// True when nothing below has it.
    is_new: bool,
}

impl Changed {
    fn heap_bytes(&self) -> usize {
        self.value.as_ref().map_or(0, Vec::len)
    }
}

impl Rows {
    /// Roughly how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes a change in.
    pub(super) fn change(&mut self, row: Row, arrival: Arrival) {
        debug_assert!(!row.table.has_snapshots(), "events do not write snapshots");
        let list = self.lists.entry(row.table).or_default();
        let is_gone = row.value.is_none();
        let key = RowKey::new(&row.key);
        let tree_bytes = ROW_BYTES.saturating_add(key.heap_bytes());
        let (before, after) = match list.entry(key) {
            btree_map::Entry::Vacant(vacant) => {
                let change = vacant.insert(Changed {
                    value: row.value,
                    is_new: row.is_new && arrival.is_sure_of(row.table),
                });
                (0, tree_bytes.saturating_add(change.heap_bytes()))
            }
            btree_map::Entry::Occupied(known) if is_gone && known.get().is_new => {
                (tree_bytes.saturating_add(known.remove().heap_bytes()), 0)
            }
            btree_map::Entry::Occupied(mut known) => {
                let before = known.get().heap_bytes();
                known.get_mut().value = row.value;
                (before, known.get().heap_bytes())
            }
        };
        self.bytes = self.bytes.saturating_sub(before).saturating_add(after);
    }

    /// The first changes of a range in this order, at most `limit`.
    pub(super) fn changes(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Vec<Change> {
        let owned = |(key, changed): (&RowKey, &Changed)| (key.bytes(), changed.value.clone());
        match (self.within(table, range), order) {
            (None, _) => Vec::new(),
            (Some(found), ScanOrder::Ascending) => found.take(limit).map(owned).collect(),
            (Some(found), ScanOrder::Descending) => found.rev().take(limit).map(owned).collect(),
        }
    }

    /// The first changes of a range as they are to be written, at most `limit`.
    pub(super) fn changed(&self, table: Table, range: &KeyRange, limit: usize) -> Vec<Row> {
        let row = |(key, changed): (&RowKey, &Changed)| Row {
            table,
            key: key.bytes().into(),
            value: changed.value.clone(),
            is_new: changed.is_new,
        };
        let changes = self.within(table, range);
        changes.map_or_else(Vec::new, |changes| changes.take(limit).map(row).collect())
    }

    /// Returns whether a row of the range was changed.
    pub(super) fn touches(&self, table: Table, range: &KeyRange) -> bool {
        self.within(table, range)
            .is_some_and(|mut found| found.next().is_some())
    }

    /// Returns the row's new value: outside `None` when it did not change, inside `None` when it is gone.
    pub(super) fn get(&self, table: Table, key: &[u8]) -> Option<Option<Vec<u8>>> {
        let change = self.lists.get(&table)?.get(&RowKey::new(key))?;
        Some(change.value.clone())
    }

    fn within(
        &self,
        table: Table,
        range: &KeyRange,
    ) -> Option<btree_map::Range<'_, RowKey, Changed>> {
        let list = self.lists.get(&table)?;
        if range.is_void() {
            return None;
        }
        let (from, to) = range.bounds();
        Some(list.range((from.map(RowKey::new), to.map(RowKey::new))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::IndexEntries;
    use crate::store::testing::tables;

    const TABLE: Table = tables::ACTIVITY;
    const IN_TABLES: Table = tables::NAMES;

    fn after(table: Table, arrival: Arrival, fill: impl FnOnce(&mut IndexEntries)) -> Vec<Change> {
        let mut entries = IndexEntries::default();
        fill(&mut entries);
        let mut rows = Rows::default();
        for row in entries.rows {
            rows.change(row, arrival);
        }
        rows.changes(table, &KeyRange::all(), ScanOrder::Ascending, usize::MAX)
    }

    fn came_and_went(table: Table) -> impl FnOnce(&mut IndexEntries) {
        move |entries| {
            entries.insert(table, b"a".to_vec(), b"1".to_vec());
            entries.put(table, b"a".to_vec(), b"2".to_vec());
            entries.delete(table, b"a".to_vec());
        }
    }

    #[test]
    fn a_row_inserted_and_deleted_leaves_no_trace() {
        for table in [TABLE, IN_TABLES] {
            assert_eq!(after(table, Arrival::Committed, came_and_went(table)), []);
        }
    }

    #[test]
    fn row_memory_is_counted_and_released() {
        let mut rows = Rows::default();
        let mut rows_taken = Vec::new();
        let values = [
            Some(vec![0; 100]),
            Some(vec![0; 300]),
            Some(Vec::new()),
            None,
        ];
        for value in values {
            let row = Row {
                table: TABLE,
                key: vec![7; 60].into(),
                value,
                is_new: true,
            };
            rows.change(row, Arrival::Committed);
            rows_taken.push(rows.bytes());
        }
        let bare = ROW_BYTES + RowKey::new(&[7; 60]).heap_bytes();
        assert_eq!(rows_taken, [bare + 100, bare + 300, bare, 0]);
    }

    /// While records are replayed, a row that came and went is deleted from tables, but not from sorted runs.
    #[test]
    fn replay_deletes_short_lived_rows_from_tables_only() {
        let tombstone = (b"a".to_vec(), None);
        let replay_of = |table| after(table, Arrival::Replayed, came_and_went(table));
        assert_eq!(replay_of(IN_TABLES), [tombstone]);
        assert_eq!(replay_of(TABLE), []);
    }

    #[test]
    fn a_written_row_says_whether_older_runs_may_have_it() {
        let mut entries = IndexEntries::default();
        entries.insert(TABLE, b"a".to_vec(), b"1".to_vec());
        entries.put(TABLE, b"b".to_vec(), b"2".to_vec());
        entries.delete(TABLE, b"c".to_vec());
        let mut rows = Rows::default();
        for row in entries.rows {
            rows.change(row, Arrival::Committed);
        }
        let changes = rows.changed(TABLE, &KeyRange::all(), 9);
        let values: Vec<_> = changes
            .iter()
            .map(|row| (row.value.is_some(), row.is_new))
            .collect();
        assert_eq!(values, [(true, true), (true, false), (false, false)]);
    }

    #[test]
    fn a_deleted_row_stays_deleted_over_repeated_inserts() {
        let changes = after(TABLE, Arrival::Committed, |entries| {
            entries.delete(TABLE, b"a".to_vec());
            came_and_went(TABLE)(entries);
        });
        assert_eq!(changes, [(b"a".to_vec(), None)]);
    }

    #[test]
    fn deleting_a_row_that_an_older_run_may_have_is_written() {
        let changes = after(TABLE, Arrival::Committed, |entries| {
            entries.put(TABLE, b"a".to_vec(), b"1".to_vec());
            entries.delete(TABLE, b"a".to_vec());
        });
        assert_eq!(changes, [(b"a".to_vec(), None)]);
    }
}
