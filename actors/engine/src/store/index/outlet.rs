//! Rows on their way to disk: into the tables in batches, into row runs sorted.

use std::sync::Arc;

use super::breath::Breath;
use super::failure::Failure;
use super::row_run::block::Said;
use super::row_run::writer::RowRunWriter;
use super::row_run::{RowRun, file_name};
use super::row_runs::full_key;
use super::run::number as wide;
use super::run_numbers::RunNumbers;
use crate::entries::Row;
use crate::store::disk::Disk;
use crate::store::schema::Prefixes;
use crate::store::tables::Tables;

/// Rows go to the tables in batches of about this size. Nobody reads the tables while one is written.
const BATCH_ROWS: usize = 64;
const BATCH_BYTES: usize = 1024 * 1024;
/// A row run is begun with so many bytes of rows at most: they are in memory until they are sorted.
const RUN_BYTES: usize = 8 * 1024 * 1024;
/// What a row takes in memory besides its bytes, about.
const ROW_BYTES: usize = 128;
/// So many rows are a small piece of work.
const PIECE: usize = 64;

/// Takes rows and brings them to disk. A row must not come twice.
pub(super) struct Outlet<'a> {
    tables: &'a dyn Tables,
    disk: &'a dyn Disk,
    prefixes: &'a Prefixes,
    batch: Vec<Row>,
    batch_bytes: usize,
    sorted: Vec<(Vec<u8>, Row)>,
    sorted_bytes: usize,
    numbers: &'a RunNumbers,
    runs: Vec<Arc<RowRun>>,
}

impl<'a> Outlet<'a> {
    /// `numbers` are for the row runs that it writes.
    pub(super) fn new(
        tables: &'a dyn Tables,
        disk: &'a dyn Disk,
        prefixes: &'a Prefixes,
        numbers: &'a RunNumbers,
    ) -> Self {
        Self {
            tables,
            disk,
            prefixes,
            batch: Vec::new(),
            batch_bytes: 0,
            sorted: Vec::new(),
            sorted_bytes: 0,
            numbers,
            runs: Vec::new(),
        }
    }

    /// Takes a row, and writes some when there are enough.
    pub(super) fn add(&mut self, row: Row, breath: &mut Breath<'_>) -> Result<(), Failure> {
        let bytes = row
            .key
            .len()
            .saturating_add(row.value.as_ref().map_or(0, Vec::len));
        if row.table.lies_in_runs() {
            let bytes = bytes.saturating_add(ROW_BYTES);
            self.sorted_bytes = self.sorted_bytes.saturating_add(bytes);
            self.sorted.push((full_key(row.table, &row.key), row));
            if self.sorted_bytes >= RUN_BYTES {
                self.write_run(breath)?;
            }
        } else {
            self.batch_bytes = self.batch_bytes.saturating_add(bytes);
            self.batch.push(row);
            if self.batch.len() >= BATCH_ROWS || self.batch_bytes >= BATCH_BYTES {
                self.write_batch()?;
                breath.take();
            }
        }
        Ok(())
    }

    /// Writes what is left and gives the new row runs, which are durable. What went to the tables is when they are
    /// flushed.
    pub(super) fn finish(mut self, breath: &mut Breath<'_>) -> Result<Vec<Arc<RowRun>>, Failure> {
        self.write_batch()?;
        self.write_run(breath)?;
        Ok(self.runs)
    }

    fn write_batch(&mut self) -> Result<(), Failure> {
        self.batch_bytes = 0;
        if !self.batch.is_empty() {
            self.tables.write_batch(std::mem::take(&mut self.batch))?;
        }
        Ok(())
    }

    fn write_run(&mut self, breath: &mut Breath<'_>) -> Result<(), Failure> {
        self.sorted_bytes = 0;
        let mut rows = std::mem::take(&mut self.sorted);
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        let number = self.numbers.next();
        let mut write = || {
            let prefixes = rows
                .iter()
                .filter(|(key, _)| self.prefixes.prefix(key).is_some());
            let expected = rows.len().saturating_add(prefixes.count());
            let mut writer =
                RowRunWriter::create(self.disk, self.prefixes, number, wide(expected))?;
            for piece in rows.chunks(PIECE) {
                for (key, row) in piece {
                    let said = Said {
                        value: row.value.as_deref(),
                        is_new: row.is_new,
                    };
                    writer.push(key, said)?;
                }
                breath.take();
            }
            writer.finish()
        };
        let run = write().map_err(|error| Failure::io(file_name(number), &error))?;
        self.runs.push(Arc::new(run));
        Ok(())
    }
}
