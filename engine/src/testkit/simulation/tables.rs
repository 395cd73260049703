//! Simulated tables: what was not flushed is lost by a power cut, from some place on.

use std::sync::{Arc, Mutex, OnceLock};

use crate::entries::Row;
use crate::store::lock::lock;
use crate::store::tables::memory::MemoryTables;
use crate::store::tables::{KeyRange, ScanOrder, StoredRow, Tables, TablesError, TablesHome};
use crate::store::width::{narrow, wide};
use crate::table::Table;

/// The home of the tables. Clones are the same home.
#[derive(Clone, Debug, Default)]
pub struct SimTables(Arc<Mutex<Kept>>, Arc<OnceLock<SimTables>>);

#[derive(Debug, Default)]
struct Kept {
    /// True when there are any.
    made: bool,
    now: Arc<MemoryTables>,
    /// All rows that were ever written, in their order.
    log: Vec<Row>,
    /// So many of them survive every power cut.
    flushed: usize,
}

impl SimTables {
    /// The tables as a power cut now may leave them.
    #[must_use]
    pub fn crash(&self, seed: u64) -> Self {
        let content = lock(&self.0);
        let unflushed = content.log.len().saturating_sub(content.flushed);
        let choices = wide(unflushed).saturating_add(1);
        let more = (seed % 1_000_003).checked_rem(choices).unwrap_or_default();
        let rows = content.flushed.saturating_add(narrow(more));
        self.with(Self::first_rows(&content, rows, rows), |next| {
            next.crash(seed)
        })
    }

    /// The tables as a process leaves them that is killed now: what was not flushed is there, and may be lost yet.
    #[must_use]
    pub fn killed(&self) -> Self {
        let content = lock(&self.0);
        self.with(
            Self::first_rows(&content, content.log.len(), content.flushed),
            Self::killed,
        )
    }

    /// These tables, with what is left of the successor.
    fn with(&self, kept: Kept, left: impl FnOnce(&Self) -> Self) -> Self {
        let successor = self.1.get().map(left);
        Self(
            Arc::new(Mutex::new(kept)),
            Arc::new(successor.map_or_else(OnceLock::new, OnceLock::from)),
        )
    }

    fn successor_home(&self) -> &Self {
        self.1.get_or_init(Self::default)
    }

    /// Tables with the first rows that were ever written.
    fn first_rows(kept: &Kept, rows: usize, flushed: usize) -> Kept {
        let log: Vec<Row> = kept.log.iter().take(rows).cloned().collect();
        let now = MemoryTables::default();
        now.put(log.iter().cloned());
        Kept {
            made: kept.made,
            now: Arc::new(now),
            log,
            flushed,
        }
    }
}

impl TablesHome for SimTables {
    fn open(&self, _: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        let mut content = lock(&self.0);
        content.made = true;
        Ok(Arc::new(Opened {
            now: Arc::clone(&content.now),
            home: self.clone(),
        }))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        *lock(&self.0) = Kept::default();
        Ok(None)
    }

    fn remove(&self) -> Result<(), TablesError> {
        self.move_aside().map(drop)
    }

    fn successor(&self) -> Arc<dyn TablesHome> {
        Arc::new(self.successor_home().clone())
    }

    fn replace_by_successor(&self) -> Result<(), TablesError> {
        let next = std::mem::take(&mut *lock(&self.successor_home().0));
        if next.made {
            *lock(&self.0) = next;
        }
        Ok(())
    }
}

struct Opened {
    now: Arc<MemoryTables>,
    home: SimTables,
}

impl Tables for Opened {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError> {
        self.now.get(table, key)
    }

    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError> {
        self.now.scan(table, range, order, limit)
    }

    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError> {
        lock(&self.home.0).log.extend(rows.iter().cloned());
        self.now.write_batch(rows)
    }

    fn flush_durably(&self) -> Result<(), TablesError> {
        let mut content = lock(&self.home.0);
        content.flushed = content.log.len();
        Ok(())
    }

    fn size_bytes(&self) -> u64 {
        0
    }
}
