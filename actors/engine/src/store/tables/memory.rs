//! Tables that live as long as the process: for tests and for systems that keep nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::{KeyRange, ScanOrder, StoredRow, Tables, TablesError, TablesHome};
use crate::entries::Row;
use crate::table::Table;

/// Tables in memory. Everything that is written counts as durable.
#[derive(Debug, Default)]
pub struct MemoryTables {
    lists: RwLock<BTreeMap<Table, BTreeMap<Vec<u8>, Vec<u8>>>>,
}

impl MemoryTables {
    /// Changes rows, which cannot fail.
    pub(crate) fn put(&self, rows: impl IntoIterator<Item = Row>) {
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            let list = lists.entry(row.table).or_default();
            match row.value {
                Some(value) => list.insert(row.key.into_vec(), value),
                None => list.remove(row.key.as_slice()),
            };
        }
    }
}

impl Tables for MemoryTables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError> {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        Ok(lists.get(&table).and_then(|list| list.get(key)).cloned())
    }

    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError> {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        let Some(list) = lists.get(&table) else {
            return Ok(Vec::new());
        };
        if range.is_void() {
            return Ok(Vec::new());
        }
        let rows = list.range::<[u8], _>(range.bounds());
        let owned = |(key, value): (&Vec<u8>, &Vec<u8>)| (key.clone(), value.clone());
        Ok(match order {
            ScanOrder::Ascending => rows.take(limit).map(owned).collect(),
            ScanOrder::Descending => rows.rev().take(limit).map(owned).collect(),
        })
    }

    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError> {
        self.put(rows);
        Ok(())
    }

    fn flush_durably(&self) -> Result<(), TablesError> {
        Ok(())
    }

    fn size_bytes(&self) -> u64 {
        0
    }
}

/// Keeps tables in memory between one opening and the next.
#[derive(Debug, Default)]
pub struct MemoryHome {
    tables: RwLock<Arc<MemoryTables>>,
}

impl TablesHome for MemoryHome {
    fn open(&self, _: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::<MemoryTables>::clone(&tables))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        *self.tables.write().unwrap_or_else(PoisonError::into_inner) = Arc::default();
        Ok(None)
    }

    fn remove(&self) -> Result<(), TablesError> {
        self.move_aside().map(drop)
    }
}
