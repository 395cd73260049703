//! Tables that live as long as the process: for tests and for systems that keep nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

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
    /// `None` until they are opened.
    tables: RwLock<Option<Arc<MemoryTables>>>,
    successor: OnceLock<Arc<MemoryHome>>,
}

impl MemoryHome {
    fn successor_home(&self) -> &Arc<Self> {
        self.successor.get_or_init(Arc::default)
    }

    fn set(&self, tables: Option<Arc<MemoryTables>>) {
        *self.tables.write().unwrap_or_else(PoisonError::into_inner) = tables;
    }

    fn take(&self) -> Option<Arc<MemoryTables>> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.take()
    }
}

impl TablesHome for MemoryHome {
    fn open(&self, _: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        let mut slot = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let tables: &Arc<MemoryTables> = slot.get_or_insert_default();
        Ok(Arc::<MemoryTables>::clone(tables))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        self.set(None);
        Ok(None)
    }

    fn remove(&self) -> Result<(), TablesError> {
        self.move_aside().map(drop)
    }

    fn successor(&self) -> Arc<dyn TablesHome> {
        Arc::<Self>::clone(self.successor_home())
    }

    fn replace_by_successor(&self) -> Result<(), TablesError> {
        if let Some(tables) = self.successor_home().take() {
            self.set(Some(tables));
        }
        Ok(())
    }
}
