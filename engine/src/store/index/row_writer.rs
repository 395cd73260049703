//! Keys and rows on their way to disk: into the tables in batches, into runs sorted.

use std::sync::Arc;

use super::error::IndexError;
use super::keymap::packed;
use super::sorted_run::SortedRun;
use super::sorted_run::block::RunEntry;
use super::sorted_run::id::Family;
use super::sorted_run::writer::{RunTarget, SortedRunWriter};
use super::sorted_runs::stored_keys::full_key;
use super::throttle::BackgroundThrottle;
use crate::entries::{Key, Row};
use crate::store::tables::Tables;
use crate::store::width::wide;
use crate::store::{Position, Seq};

/// Rows go to the tables in batches of about this size. No thread reads the tables while one is written.
const BATCH_ROWS: usize = 64;
const BATCH_BYTES: usize = 1024 * 1024;
/// A run is begun with so many bytes of rows at most: they are in memory until they are sorted.
const RUN_BYTES: usize = 8 * 1024 * 1024;
/// About how many bytes a row takes in memory in addition to its content.
const ROW_BYTES: usize = 128;

/// A row for a run, as small as it can be: sorting moves it.
struct SortedRow {
    /// As runs have it.
    key: Vec<u8>,
    value: Option<Vec<u8>>,
    is_new: bool,
}

/// Takes keys and rows and brings them to disk. A row must not come twice.
pub(super) struct RowWriter<'a> {
    tables: &'a dyn Tables,
    target: RunTarget<'a>,
    last: Seq,
    batch: Vec<Row>,
    batch_bytes: usize,
    sorted: Vec<SortedRow>,
    sorted_bytes: usize,
    runs: Vec<Arc<SortedRun>>,
}

impl<'a> RowWriter<'a> {
    /// For what belongs to records up to `last`.
    pub(super) fn new(tables: &'a dyn Tables, target: RunTarget<'a>, last: Seq) -> Self {
        Self {
            tables,
            target,
            last,
            batch: Vec::new(),
            batch_bytes: 0,
            sorted: Vec::new(),
            sorted_bytes: 0,
            runs: Vec::new(),
        }
    }

    /// Writes a run of these keys, which are in order.
    pub(super) fn write_keys(
        &mut self,
        keys: &[(Key, Position)],
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        if keys.is_empty() {
            return Ok(());
        }
        let key_count = wide(keys.len());
        let mut writer =
            SortedRunWriter::create(self.target, Family::Keys, self.last, key_count, throttle)?;
        for (key, position) in keys {
            let value = packed(*position).to_be_bytes();
            let entry = RunEntry {
                value: Some(&value),
                is_new: false,
            };
            writer.push(&key.0.to_be_bytes(), entry)?;
        }
        self.runs.push(writer.finish()?);
        Ok(())
    }

    /// Takes rows.
    pub(super) fn add_all(
        &mut self,
        rows: impl IntoIterator<Item = Row>,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        rows.into_iter().try_for_each(|row| self.add(row, throttle))
    }

    /// Takes a row, and writes some when there are enough.
    pub(super) fn add(
        &mut self,
        row: Row,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<(), IndexError> {
        let bytes = row
            .key
            .len()
            .saturating_add(row.value.as_ref().map_or(0, Vec::len));
        if row.table.lies_in_runs() {
            let bytes = bytes.saturating_add(ROW_BYTES);
            self.sorted_bytes = self.sorted_bytes.saturating_add(bytes);
            self.sorted.push(SortedRow {
                key: full_key(row.table, &row.key),
                value: row.value,
                is_new: row.is_new,
            });
            if self.sorted_bytes >= RUN_BYTES {
                self.write_rows(throttle)?;
            }
        } else {
            self.batch_bytes = self.batch_bytes.saturating_add(bytes);
            self.batch.push(row);
            if self.batch.len() >= BATCH_ROWS || self.batch_bytes >= BATCH_BYTES {
                self.write_batch()?;
                throttle.pause();
            }
        }
        Ok(())
    }

    /// Writes what is left and gives the new runs, which are durable. What went to the tables is when they are
    /// flushed.
    pub(super) fn finish(
        mut self,
        throttle: &mut BackgroundThrottle<'_>,
    ) -> Result<Vec<Arc<SortedRun>>, IndexError> {
        self.write_batch()?;
        self.write_rows(throttle)?;
        Ok(self.runs)
    }

    fn write_batch(&mut self) -> Result<(), IndexError> {
        self.batch_bytes = 0;
        if !self.batch.is_empty() {
            self.tables.write_batch(std::mem::take(&mut self.batch))?;
        }
        Ok(())
    }

    fn write_rows(&mut self, throttle: &mut BackgroundThrottle<'_>) -> Result<(), IndexError> {
        self.sorted_bytes = 0;
        let mut rows = std::mem::take(&mut self.sorted);
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_unstable_by(|left, right| left.key.cmp(&right.key));
        let prefix_declarations = self.target.prefixes;
        let prefixes = rows
            .iter()
            .filter(|row| prefix_declarations.prefix(&row.key).is_some());
        let key_count = wide(rows.len().saturating_add(prefixes.count()));
        let mut writer =
            SortedRunWriter::create(self.target, Family::Rows, self.last, key_count, throttle)?;
        for row in &rows {
            let entry = RunEntry {
                value: row.value.as_deref(),
                is_new: row.is_new,
            };
            writer.push(&row.key, entry)?;
        }
        self.runs.push(writer.finish()?);
        Ok(())
    }
}
