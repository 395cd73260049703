//! A disk and tables that keep, after a crash, what was made durable; and fail at the operation one wants.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use crate::entries::Row;
use crate::store::disk::{Disk, DiskFile};
use crate::store::schema::Schema;
use crate::store::tables::memory::MemoryTables;
use crate::store::tables::{KeyRange, Order, StoredRow, Tables, TablesError, TablesHome};
use crate::store::testing::tables;
use crate::table::Table;

/// Which operation fails, counted over disk and tables together.
#[derive(Debug, Default)]
pub(super) struct Faults(Mutex<Fault>);

#[derive(Debug, Default)]
struct Fault {
    done: u64,
    at: Option<u64>,
    /// Whether everything after it fails as well: the process is as good as dead.
    fatal: bool,
}

impl Faults {
    pub(super) fn fail_at(&self, operation: u64, fatal: bool) {
        let at = Some(operation);
        *self.0.lock().unwrap() = Fault { done: 0, at, fatal };
    }

    pub(super) fn clear(&self) {
        *self.0.lock().unwrap() = Fault::default();
    }

    /// How many operations there were since the last order.
    pub(super) fn operations(&self) -> u64 {
        self.0.lock().unwrap().done
    }

    fn operation(&self) -> io::Result<()> {
        let mut fault = self.0.lock().unwrap();
        fault.done += 1;
        let fails = fault
            .at
            .is_some_and(|at| fault.done == at || (fault.fatal && fault.done > at));
        if fails {
            return Err(io::Error::other("injected failure"));
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Content {
    now: Vec<u8>,
    durable: Vec<u8>,
}

type FileContent = Arc<Mutex<Content>>;

/// What a crash leaves of what was not made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crash {
    /// Nothing: the power went.
    Power,
    /// All of it: the process was killed.
    Kill,
    /// What is in the tables: the power went, but the system had written that.
    TablesKept,
    /// What is in files: as above.
    FilesKept,
}

impl Crash {
    pub(super) const ALL: [Self; 4] = [Self::Power, Self::Kill, Self::TablesKept, Self::FilesKept];
}

#[derive(Debug, Default)]
pub(super) struct FakeDisk {
    now: Mutex<BTreeMap<String, FileContent>>,
    durable: Mutex<BTreeMap<String, FileContent>>,
    faults: Arc<Faults>,
}

impl FakeDisk {
    pub(super) fn new(faults: &Arc<Faults>) -> Arc<Self> {
        Arc::new(Self {
            faults: Arc::clone(faults),
            ..Self::default()
        })
    }

    pub(super) fn crash(&self, crash: Crash) {
        if matches!(crash, Crash::Power | Crash::TablesKept) {
            let names = self.durable.lock().unwrap().clone();
            for content in names.values() {
                let mut content = content.lock().unwrap();
                content.now = content.durable.clone();
            }
            *self.now.lock().unwrap() = names;
        }
    }

    /// Changes the bytes of a file behind everybody's back.
    pub(super) fn spoil(&self, name: &str, spoil: impl FnOnce(&mut Vec<u8>)) {
        let files = self.now.lock().unwrap();
        spoil(&mut files[name].lock().unwrap().now);
    }

    pub(super) fn file_names(&self) -> Vec<String> {
        self.now.lock().unwrap().keys().cloned().collect()
    }
}

impl Disk for FakeDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        self.faults.operation()?;
        Ok(self.file_names())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        self.faults.operation()?;
        let mut files = self.now.lock().unwrap();
        let content = Arc::clone(files.entry(name.to_owned()).or_default());
        let faults = Arc::clone(&self.faults);
        Ok(Arc::new(FakeFile { content, faults }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.faults.operation()?;
        let mut files = self.now.lock().unwrap();
        let content = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), content);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.faults.operation()?;
        let removed = self.now.lock().unwrap().remove(name);
        removed.map(drop).ok_or(io::ErrorKind::NotFound.into())
    }

    fn sync_names(&self) -> io::Result<()> {
        self.faults.operation()?;
        *self.durable.lock().unwrap() = self.now.lock().unwrap().clone();
        Ok(())
    }

    fn free_bytes(&self) -> io::Result<u64> {
        Ok(u64::MAX)
    }

    fn describe(&self, name: &str) -> String {
        name.to_owned()
    }
}

#[derive(Debug)]
struct FakeFile {
    content: FileContent,
    faults: Arc<Faults>,
}

impl DiskFile for FakeFile {
    fn length(&self) -> io::Result<u64> {
        self.faults.operation()?;
        Ok(self.content.lock().unwrap().now.len().try_into().unwrap())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.faults.operation()?;
        let content = self.content.lock().unwrap();
        let offset = usize::try_from(offset).unwrap().min(content.now.len());
        let length = buffer.len().min(content.now.len() - offset);
        buffer[..length].copy_from_slice(&content.now[offset..offset + length]);
        Ok(length)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.faults.operation()?;
        let mut content = self.content.lock().unwrap();
        let offset = usize::try_from(offset).unwrap();
        let length = content.now.len().max(offset + bytes.len());
        content.now.resize(length, 0);
        content.now[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.faults.operation()?;
        let length = length.try_into().unwrap();
        self.content.lock().unwrap().now.truncate(length);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.faults.operation()?;
        let mut content = self.content.lock().unwrap();
        content.durable = content.now.clone();
        Ok(())
    }
}

/// A home of tables that forget what was not flushed.
pub(super) struct FakeHome {
    parts: Mutex<Parts>,
    faults: Arc<Faults>,
}

#[derive(Clone, Default)]
struct Parts {
    now: Arc<MemoryTables>,
    durable: Arc<MemoryTables>,
    moved_aside: u32,
}

impl FakeHome {
    pub(super) fn new(faults: &Arc<Faults>) -> Arc<Self> {
        Arc::new(Self {
            parts: Mutex::default(),
            faults: Arc::clone(faults),
        })
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

    /// Puts older tables back, as somebody may do with a backup.
    pub(super) fn put_back(&self, tables: &MemoryTables) {
        self.parts.lock().unwrap().now = Arc::new(copy(tables));
    }

    fn operation(&self) -> Result<(), TablesError> {
        self.faults
            .operation()
            .map_err(|error| TablesError::Refused {
                place: "the tables".to_owned(),
                reason: error.to_string(),
            })
    }
}

pub(super) fn copy(tables: &MemoryTables) -> MemoryTables {
    let copy = MemoryTables::default();
    for table in Schema::new(tables::ALL).tables().iter().copied() {
        let rows = tables.scan(table, &KeyRange::all(), Order::Ascending, usize::MAX);
        let rows = rows.unwrap().into_iter().map(|(key, value)| Row {
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
        order: Order,
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
