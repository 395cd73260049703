//! Rows as the last checkpoints left them: those of lists that change with every record in sorted runs, the others in
//! the tables.

use super::error::IndexError;
use super::sorted_runs::SortedRuns;
use crate::store::tables::{KeyRange, ScanOrder, StoredRow, Tables};
use crate::table::Table;

/// The places of stored rows.
#[derive(Clone, Copy)]
pub(super) struct StoredRows<'a> {
    pub(super) runs: &'a SortedRuns,
    pub(super) tables: &'a dyn Tables,
}

impl StoredRows<'_> {
    /// The value of the row with this key.
    pub(super) fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, IndexError> {
        if table.lies_in_runs() {
            self.runs.row(table, key)
        } else {
            Ok(self.tables.get(table, key)?)
        }
    }

    /// The first rows of a range in this order, at most `limit`.
    pub(super) fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, IndexError> {
        if table.lies_in_runs() {
            self.runs.scan(table, range, order, limit)
        } else {
            Ok(self.tables.scan(table, range, order, limit)?)
        }
    }
}
