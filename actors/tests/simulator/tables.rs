//! Simulated tables: what was not flushed is lost by a power cut, from some place on.

use std::sync::{Arc, Mutex};

use switchboard_engine::entries::Row;
use switchboard_engine::store::tables::memory::MemoryTables;
use switchboard_engine::store::tables::{
    KeyRange, Order, StoredRow, Tables, TablesError, TablesHome,
};
use switchboard_engine::table::Table;

/// Where the tables live. Clones are the same home.
#[derive(Clone, Debug, Default)]
pub(crate) struct Home(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    now: Arc<MemoryTables>,
    /// All rows that were ever written, in their order.
    log: Vec<Row>,
    /// So many of them survive every power cut.
    flushed: usize,
}

impl Home {
    /// The tables as a power cut now may leave them.
    pub(crate) fn crash(&self, seed: u64) -> Self {
        let kept = self.0.lock().unwrap();
        let unflushed = kept.log.len() - kept.flushed;
        let more = usize::try_from(seed % 1_000_003).unwrap() % (unflushed + 1);
        let log = kept.log[..kept.flushed + more].to_vec();
        let now = MemoryTables::default();
        now.write_batch(log.clone()).unwrap();
        Self(Arc::new(Mutex::new(Kept {
            now: Arc::new(now),
            flushed: log.len(),
            log,
        })))
    }
}

impl TablesHome for Home {
    fn open(&self, _: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        Ok(Arc::new(SimTables {
            now: Arc::clone(&self.0.lock().unwrap().now),
            home: self.clone(),
        }))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        *self.0.lock().unwrap() = Kept::default();
        Ok(None)
    }
}

struct SimTables {
    now: Arc<MemoryTables>,
    home: Home,
}

impl Tables for SimTables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError> {
        self.now.get(table, key)
    }

    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: Order,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError> {
        self.now.scan(table, range, order, limit)
    }

    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError> {
        self.home.0.lock().unwrap().log.extend(rows.iter().cloned());
        self.now.write_batch(rows)
    }

    fn flush_durably(&self) -> Result<(), TablesError> {
        let mut kept = self.home.0.lock().unwrap();
        kept.flushed = kept.log.len();
        Ok(())
    }

    fn size_bytes(&self) -> u64 {
        0
    }
}
