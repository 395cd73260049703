//! Rows as the last checkpoints left them: those of lists that change with every message in row runs, the others in
//! the tables.

use super::failure::Failure;
use super::row_runs::RowRuns;
use crate::store::tables::{KeyRange, Order, StoredRow, Tables};
use crate::table::Table;

/// Where stored rows are.
#[derive(Clone, Copy)]
pub(super) struct Stored<'a> {
    pub(super) rows: &'a RowRuns,
    pub(super) tables: &'a dyn Tables,
}

impl Stored<'_> {
    /// The value of the row with this key.
    pub(super) fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        if table.lies_in_runs() {
            Ok(self.rows.get(table, key)?)
        } else {
            Ok(self.tables.get(table, key)?)
        }
    }

    /// The first rows of a range in this order, at most `limit`.
    pub(super) fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: Order,
        limit: usize,
    ) -> Result<Vec<StoredRow>, Failure> {
        if table.lies_in_runs() {
            Ok(self.rows.scan(table, range, order, limit)?)
        } else {
            Ok(self.tables.scan(table, range, order, limit)?)
        }
    }
}
