//! Tables that keep, after a crash, what was made durable, and fail when a faulty disk does.

use std::sync::{Arc, Mutex};

use crate::entries::Row;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::schema::Schema;
use crate::store::tables::memory::{MemoryHome, MemoryTables};
use crate::store::tables::{KeyRange, ScanOrder, StoredRow, Tables, TablesError, TablesHome};
use crate::store::testing::tables;
use crate::table::Table;

/// The remains, after a crash, of what was not made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crash {
    /// Nothing of the tables, and of files what the disk had got to: the power went.
    Power,
    /// All of it: the process was killed.
    Kill,
    /// All of the tables: the power went, but the system had written them.
    TablesKept,
    /// All of the files: as above.
    FilesKept,
}

impl Crash {
    pub(super) const ALL: [Self; 4] = [Self::Power, Self::Kill, Self::TablesKept, Self::FilesKept];

    /// The disk as it is behind the crash.
    pub(super) fn apply(self, disk: &FaultyDisk) -> FaultyDisk {
        match self {
            Self::Power | Self::TablesKept => disk.crash(disk.operations().all),
            Self::Kill | Self::FilesKept => disk.killed(),
        }
    }
}

/// A home of tables that forget what was not flushed.
#[derive(Default)]
pub(super) struct FakeHome {
    parts: Mutex<Parts>,
}

#[derive(Clone, Default)]
struct Parts {
    now: Arc<MemoryTables>,
    durable: Arc<MemoryTables>,
    moved_aside: u32,
    /// The disk that the tables fail with.
    disk: FaultyDisk,
}

impl FakeHome {
    /// Has the tables fail when this disk does.
    pub(super) fn fail_with(&self, disk: &FaultyDisk) {
        self.parts.lock().unwrap().disk = disk.clone();
    }

    pub(super) fn crash(&self, crash: Crash) {
        if matches!(crash, Crash::Power | Crash::FilesKept) {
            let mut parts = self.parts.lock().unwrap();
            parts.now = Arc::new(copy(&parts.durable));
        }
    }

    pub(super) fn moved_aside(&self) -> u32 {
        self.parts.lock().unwrap().moved_aside
    }

    /// The tables as they are, to look at or to spoil.
    pub(super) fn tables(&self) -> Arc<MemoryTables> {
        Arc::clone(&self.parts.lock().unwrap().now)
    }

    /// Puts older tables back, as a restored backup may.
    pub(super) fn put_back(&self, tables: &MemoryTables) {
        self.parts.lock().unwrap().now = Arc::new(copy(tables));
    }

    fn operation(&self) -> Result<(), TablesError> {
        let disk = self.parts.lock().unwrap().disk.clone();
        disk.operation().map_err(|error| TablesError::Refused {
            place: "the tables".to_owned(),
            reason: error.to_string(),
        })
    }
}

pub(super) fn copy(tables: &MemoryTables) -> MemoryTables {
    let copy = MemoryTables::default();
    for table in Schema::new(tables::ALL).tables().iter().copied() {
        let rows = tables
            .scan(table, &KeyRange::all(), ScanOrder::Ascending, usize::MAX)
            .unwrap()
            .into_iter()
            .map(|(key, value)| Row {
                table,
                key: key.into(),
                value: Some(value),
                is_new: false,
            });
        copy.write_batch(rows.collect()).unwrap();
    }
    copy
}

/// The tables of a [`FakeHome`], opened.
struct FakeTables {
    home: Arc<FakeHome>,
    tables: Arc<MemoryTables>,
}

impl TablesHome for Arc<FakeHome> {
    fn open(&self, _: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        self.operation()?;
        Ok(Arc::new(FakeTables {
            home: Arc::clone(self),
            tables: self.tables(),
        }))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        self.operation()?;
        let mut parts = self.parts.lock().unwrap();
        parts.now = Arc::default();
        parts.durable = Arc::default();
        parts.moved_aside += 1;
        Ok(Some("tables.damaged".to_owned()))
    }

    fn remove(&self) -> Result<(), TablesError> {
        self.move_aside().map(drop)
    }

    fn successor(&self) -> Arc<dyn TablesHome> {
        Arc::new(MemoryHome::default())
    }

    fn replace_by_successor(&self) -> Result<(), TablesError> {
        self.operation()
    }
}

impl Tables for FakeTables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError> {
        self.home.operation()?;
        self.tables.get(table, key)
    }

    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError> {
        self.home.operation()?;
        self.tables.scan(table, range, order, limit)
    }

    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError> {
        // A batch that fails may be there in part.
        let half = rows.len() / 2;
        let (first, second) = rows.split_at(half);
        self.tables.write_batch(first.to_vec())?;
        self.home.operation()?;
        self.tables.write_batch(second.to_vec())
    }

    fn flush_durably(&self) -> Result<(), TablesError> {
        self.home.operation()?;
        self.home.parts.lock().unwrap().durable = Arc::new(copy(&self.tables));
        Ok(())
    }

    fn size_bytes(&self) -> u64 {
        0
    }
}
