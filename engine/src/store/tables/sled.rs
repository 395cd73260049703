//! Tables in sled: the only file that names it.
//!
//! What is known of sled 0.34.7 and taken care of here: its `flush` writes but does not wait for the disk,
//! so its file is synced after it; values that do not fit a quarter of a segment go to files that are never
//! synced, so segments are large; damage may show as an error or as a panic, so both become an error; the pages
//! that a batch replaces pile up in memory, so they are freed behind it.

mod garbage;

use std::any::Any;
use std::fs::{self, File, TryLockError};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use super::{KeyRange, ScanOrder, StoredRow, Tables, TablesError, TablesHome};
use crate::entries::Row;
use crate::table::Table;

/// Sled keeps what is larger than a quarter of this in files that it never syncs.
const SEGMENT_BYTES: usize = 8 * 1024 * 1024;
/// The number of damaged directories that are kept for a person to look at.
const DAMAGED_KEPT: usize = 2;
/// The time for which threads that are about to end may still hold a file; after that, its holder is using it.
const RELEASED_WITHIN: Duration = Duration::from_secs(5);

/// Tables in a directory of sled.
pub struct SledTables {
    path: PathBuf,
    /// `None` once they are closed: the file is free when sled's handles are gone, even while others still have the
    /// tables.
    engine: RwLock<Option<Engine>>,
    names_synced: AtomicBool,
}

/// Sled's handles, and the file that they write.
struct Engine {
    db: sled::Db,
    trees: Vec<(Table, sled::Tree)>,
    file: File,
}

impl Engine {
    fn tree(&self, table: Table) -> sled::Result<&sled::Tree> {
        let entry = self.trees.iter().find(|(name, _)| *name == table);
        entry
            .map(|(_, tree)| tree)
            .ok_or_else(|| sled::Error::CollectionNotFound(table.name().into()))
    }
}

/// Opens the file, which sled's own threads may hold for a moment after a predecessor in this process was closed.
fn open_when_free(config: &sled::Config) -> sled::Result<sled::Db> {
    let deadline = Instant::now() + RELEASED_WITHIN;
    loop {
        match config.open() {
            Err(sled::Error::Io(error))
                if error.to_string().contains("could not acquire lock")
                    && Instant::now() < deadline =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            opened => return opened,
        }
    }
}

/// Waits until sled's own threads, which may outlive their handles for a moment, have released the file: they must not
/// write it anew after it was removed.
fn wait_until_free(path: &Path) -> io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let file = File::open(path)?;
    let deadline = Instant::now() + RELEASED_WITHIN;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

impl SledTables {
    /// Opens the directory `path` for those of these tables that seldom change, making it when it is not there.
    /// `cache_bytes` bounds sled's page cache; sled takes up to three times that in all.
    ///
    /// # Errors
    /// [`TablesError::Damaged`] when the content is unusable, [`TablesError::Refused`] when the operating
    /// system refuses or another process has it open.
    pub fn open(path: &Path, tables: &[Table], cache_bytes: u64) -> Result<Self, TablesError> {
        let open_result = guarded(path, || {
            let config = sled::Config::new()
                .path(path)
                .cache_capacity(cache_bytes)
                .segment_size(SEGMENT_BYTES)
                .flush_every_ms(None);
            let db = open_when_free(&config)?;
            let mut trees = Vec::new();
            for table in tables.iter().filter(|table| !table.lies_in_runs()) {
                trees.push((*table, db.open_tree(table.name())?));
            }
            Ok((db, trees))
        })?;
        let file = File::open(path.join("db")).map_err(|error| refused(path, &error))?;
        let (db, trees) = open_result;
        Ok(Self {
            path: path.to_owned(),
            engine: RwLock::new(Some(Engine { db, trees, file })),
            names_synced: AtomicBool::new(false),
        })
    }

    /// Asks the engine, which is not closed before it has answered.
    fn ask<T>(&self, ask: impl FnOnce(&Engine) -> sled::Result<T>) -> Result<T, TablesError> {
        let guard = self.engine.read().unwrap_or_else(PoisonError::into_inner);
        let engine = guard.as_ref().ok_or(TablesError::Closed)?;
        guarded(&self.path, || ask(engine))
    }

    /// Makes the names of the directory's files durable, and the directory's own. They do not change after
    /// sled has made them, so once is enough.
    fn sync_names_once(&self) -> Result<(), TablesError> {
        if self.names_synced.load(Ordering::Acquire) {
            return Ok(());
        }
        let sync = |path: &Path| File::open(path).and_then(|directory| directory.sync_all());
        sync(&self.path).map_err(|error| refused(&self.path, &error))?;
        if let Some(parent) = self.path.parent() {
            sync(parent).map_err(|error| refused(parent, &error))?;
        }
        self.names_synced.store(true, Ordering::Release);
        Ok(())
    }
}

impl Tables for SledTables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError> {
        let value = self.ask(|engine| engine.tree(table)?.get(key))?;
        Ok(value.map(|value| value.to_vec()))
    }

    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError> {
        if range.is_void() {
            return Ok(Vec::new());
        }
        let owned = |row: sled::Result<(sled::IVec, sled::IVec)>| {
            row.map(|(key, value)| (key.to_vec(), value.to_vec()))
        };
        self.ask(|engine| {
            let rows = engine.tree(table)?.range::<&[u8], _>(range.bounds());
            match order {
                ScanOrder::Ascending => rows.take(limit).map(owned).collect(),
                ScanOrder::Descending => rows.rev().take(limit).map(owned).collect(),
            }
        })
    }

    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError> {
        self.ask(|engine| {
            let trees = engine.trees.iter();
            let mut batches: Vec<_> = trees
                .map(|(table, tree)| (*table, tree, None::<sled::Batch>))
                .collect();
            for row in rows {
                let Some(entry) = batches.iter_mut().find(|entry| entry.0 == row.table) else {
                    continue;
                };
                let batch = entry.2.get_or_insert_default();
                match row.value {
                    Some(value) => batch.insert(row.key.into_vec(), value),
                    None => batch.remove(row.key.into_vec()),
                }
            }
            for (_, tree, batch) in batches {
                if let Some(batch) = batch {
                    tree.apply_batch(batch)?;
                }
            }
            garbage::free();
            Ok(())
        })
    }

    fn flush_durably(&self) -> Result<(), TablesError> {
        let synced = self.ask(|engine| {
            engine.db.flush()?;
            Ok(engine.file.sync_data())
        })?;
        synced.map_err(|error| refused(&self.path, &error))?;
        self.sync_names_once()
    }

    fn size_bytes(&self) -> u64 {
        self.ask(|engine| engine.db.size_on_disk()).unwrap_or(0)
    }

    fn close(&self) {
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        // Sled syncs once more as it goes, and panics when it cannot. What counts was flushed before.
        let result = guarded(&self.path, || {
            drop(engine.take());
            Ok(())
        });
        result.unwrap_or_default();
    }
}

/// A directory that holds [`SledTables`].
#[derive(Clone, Debug)]
pub struct SledHome {
    /// The directory.
    pub path: PathBuf,
    /// The bound of sled's page cache in bytes.
    pub cache_bytes: u64,
}

impl SledHome {
    /// The directory `path` with a page cache of 16 MiB: what is not in it is in the operating system's.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            cache_bytes: 16 * 1024 * 1024,
        }
    }

    /// The directories that were moved aside so far, with their numbers, oldest first.
    fn damaged_before(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let Some(parent) = self.path.parent() else {
            return Ok(Vec::new());
        };
        let mut directories = Vec::new();
        for entry in fs::read_dir(parent)? {
            let path = entry?.path();
            let number = path
                .to_str()
                .zip(self.path.to_str())
                .and_then(|(name, own)| name.strip_prefix(own))
                .and_then(|rest| rest.strip_prefix(".damaged-"))
                .and_then(|number| number.parse().ok());
            if let Some(number) = number {
                directories.push((number, path));
            }
        }
        directories.sort();
        Ok(directories)
    }

    fn try_remove(&self) -> io::Result<()> {
        for (_, aside) in self.damaged_before()? {
            fs::remove_dir_all(aside)?;
        }
        if self.path.exists() {
            wait_until_free(&self.path.join("db"))?;
            fs::remove_dir_all(&self.path)?;
        }
        match self.path.parent() {
            Some(parent) if parent.is_dir() => File::open(parent)?.sync_all(),
            Some(_) | None => Ok(()),
        }
    }

    /// The directory where tables are built that are to take the place of these.
    fn successor_home(&self) -> Self {
        let mut path = self.path.clone().into_os_string();
        path.push(".next");
        Self {
            path: PathBuf::from(path),
            cache_bytes: self.cache_bytes,
        }
    }

    fn try_replace_by_successor(&self) -> io::Result<()> {
        let next = self.successor_home().path;
        if !next.exists() {
            return Ok(());
        }
        wait_until_free(&next.join("db"))?;
        self.try_remove()?;
        fs::rename(&next, &self.path)?;
        match self.path.parent() {
            Some(parent) => File::open(parent)?.sync_all(),
            None => Ok(()),
        }
    }

    fn try_move_aside(&self) -> io::Result<Option<String>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let mut before = self.damaged_before()?;
        let number = before
            .last()
            .map_or(1, |(number, _)| number.saturating_add(1));
        while before.len() >= DAMAGED_KEPT {
            fs::remove_dir_all(before.remove(0).1)?;
        }
        let mut aside = self.path.clone().into_os_string();
        aside.push(format!(".damaged-{number}"));
        let aside = PathBuf::from(aside);
        fs::rename(&self.path, &aside)?;
        if let Some(parent) = self.path.parent() {
            File::open(parent)?.sync_all()?;
        }
        Ok(Some(aside.display().to_string()))
    }
}

impl TablesHome for SledHome {
    fn open(&self, tables: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        let open_tables = SledTables::open(&self.path, tables, self.cache_bytes)?;
        Ok(Arc::new(open_tables))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        self.try_move_aside()
            .map_err(|error| refused(&self.path, &error))
    }

    fn remove(&self) -> Result<(), TablesError> {
        self.try_remove()
            .map_err(|error| refused(&self.path, &error))
    }

    fn successor(&self) -> Arc<dyn TablesHome> {
        Arc::new(self.successor_home())
    }

    fn replace_by_successor(&self) -> Result<(), TablesError> {
        self.try_replace_by_successor()
            .map_err(|error| refused(&self.path, &error))
    }
}

/// Asks sled, and takes a panic for the damage that it is.
fn guarded<T>(path: &Path, ask: impl FnOnce() -> sled::Result<T>) -> Result<T, TablesError> {
    match panic::catch_unwind(AssertUnwindSafe(ask)) {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(sled::Error::Io(error))) if is_refusal(&error) => Err(refused(path, &error)),
        Ok(Err(error)) => Err(damaged(path, error.to_string())),
        Err(panic) => Err(damaged(path, panic_text(panic.as_ref()))),
    }
}

/// Returns whether the operating system said no, rather than showing that the content is broken.
fn is_refusal(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied
            | io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::ReadOnlyFilesystem
    ) || error.to_string().contains("could not acquire lock")
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    format!("sled panicked: {}", text.unwrap_or("without a reason"))
}

fn refused(path: &Path, error: &io::Error) -> TablesError {
    TablesError::Refused {
        place: path.display().to_string(),
        reason: error.to_string(),
    }
}

fn damaged(path: &Path, reason: String) -> TablesError {
    TablesError::Damaged {
        place: path.display().to_string(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::tables;

    fn row(key: &[u8], value: Option<&[u8]>) -> Row {
        Row {
            table: tables::NAMES,
            key: key.into(),
            value: value.map(<[u8]>::to_vec),
            is_new: false,
        }
    }

    /// Tables with one row, closed.
    fn make(home: &dyn TablesHome, value: &[u8]) {
        let tables = home.open(tables::ALL).unwrap();
        tables.write_batch(vec![row(b"a", Some(value))]).unwrap();
        tables.flush_durably().unwrap();
        tables.close();
    }

    fn value(home: &dyn TablesHome) -> Option<Vec<u8>> {
        let tables = home.open(tables::ALL).unwrap();
        let value = tables.get(tables::NAMES, b"a").unwrap();
        tables.close();
        value
    }

    /// Wherever it was interrupted, the replacement can be repeated, and nothing is left of the successor.
    #[test]
    fn a_successor_takes_the_place_of_the_tables() {
        let directory = tempfile::tempdir().unwrap();
        let home = SledHome::new(directory.path().join("tables"));
        make(&home, b"old");
        home.replace_by_successor().unwrap();
        assert_eq!(value(&home), Some(b"old".to_vec()));
        make(home.successor().as_ref(), b"new");
        home.replace_by_successor().unwrap();
        home.replace_by_successor().unwrap();
        assert_eq!(value(&home), Some(b"new".to_vec()));
        assert!(!home.successor_home().path.exists());
        // The old ones were removed, and the others have not their name yet.
        make(home.successor().as_ref(), b"newer");
        home.remove().unwrap();
        home.replace_by_successor().unwrap();
        assert_eq!(value(&home), Some(b"newer".to_vec()));
        // A successor that was moved aside when it was found damaged goes as well.
        make(home.successor().as_ref(), b"damaged");
        assert!(home.successor().move_aside().unwrap().is_some());
        make(home.successor().as_ref(), b"discarded");
        home.successor().remove().unwrap();
        home.replace_by_successor().unwrap();
        assert_eq!(value(&home), Some(b"newer".to_vec()));
        let names = fs::read_dir(directory.path()).unwrap();
        assert_eq!(names.count(), 1);
    }

    #[test]
    fn rows_survive_reopening_the_tables() {
        let directory = tempfile::tempdir().unwrap();
        let home = SledHome::new(directory.path().join("tables"));
        let tables = home.open(tables::ALL).unwrap();
        tables
            .write_batch(vec![
                row(b"a", Some(b"1")),
                row(b"b", Some(b"2")),
                row(b"c", Some(b"3")),
                row(b"b", None),
            ])
            .unwrap();
        tables.flush_durably().unwrap();
        drop(tables);
        let tables = home.open(tables::ALL).unwrap();
        let rows = |order, limit| {
            let range = KeyRange::all();
            tables.scan(tables::NAMES, &range, order, limit).unwrap()
        };
        let (a, c) = (
            (b"a".to_vec(), b"1".to_vec()),
            (b"c".to_vec(), b"3".to_vec()),
        );
        assert_eq!(rows(ScanOrder::Ascending, 9), [a.clone(), c.clone()]);
        assert_eq!(rows(ScanOrder::Descending, 1), [c]);
        assert_eq!(
            tables.get(tables::NAMES, b"a").unwrap(),
            Some(b"1".to_vec())
        );
        let none = tables.scan(tables::LOG, &KeyRange::all(), ScanOrder::Ascending, 1);
        assert_eq!(none.unwrap(), []);
        assert!(tables.size_bytes() > 0);
    }

    /// Closed tables refuse access and can be opened again while handles to them still exist.
    #[test]
    fn closed_tables_refuse_and_reopen_while_handles_exist() {
        let directory = tempfile::tempdir().unwrap();
        let home = SledHome::new(directory.path().join("tables"));
        let tables = home.open(tables::ALL).unwrap();
        tables.write_batch(vec![row(b"a", Some(b"1"))]).unwrap();
        tables.flush_durably().unwrap();
        tables.close();
        tables.close();
        let again = home.open(tables::ALL).unwrap();
        assert_eq!(again.get(tables::NAMES, b"a").unwrap(), Some(b"1".to_vec()));
        assert_eq!(tables.get(tables::NAMES, b"a"), Err(TablesError::Closed));
        let result = tables.write_batch(vec![row(b"b", Some(b"2"))]);
        assert_eq!(result, Err(TablesError::Closed));
        assert_eq!(tables.flush_durably(), Err(TablesError::Closed));
        assert_eq!(tables.size_bytes(), 0);
    }

    #[test]
    fn a_directory_in_use_is_refused_but_not_called_damaged() {
        let directory = tempfile::tempdir().unwrap();
        let home = SledHome::new(directory.path().join("tables"));
        let _tables = home.open(tables::ALL).unwrap();
        let error = home.open(tables::ALL).err().unwrap();
        assert!(matches!(error, TablesError::Refused { .. }), "{error}");
    }

    /// Garbage in place of the file is damage: it is moved aside, and two predecessors are kept until all are removed.
    #[test]
    fn a_garbage_file_is_moved_aside_with_two_older_copies() {
        let directory = tempfile::tempdir().unwrap();
        let home = SledHome::new(directory.path().join("tables"));
        for round in 1..=4 {
            drop(home.open(tables::ALL).unwrap());
            fs::write(home.path.join("conf"), [0xa5; 100]).unwrap();
            fs::write(home.path.join("db"), vec![0x5a; 9_000_000]).unwrap();
            let error = home.open(tables::ALL).err().unwrap();
            assert!(matches!(error, TablesError::Damaged { .. }), "{error}");
            let aside = home.move_aside().unwrap().unwrap();
            assert!(
                aside.ends_with(&format!("tables.damaged-{round}")),
                "{aside}"
            );
        }
        assert_eq!(home.damaged_before().unwrap().len(), DAMAGED_KEPT);
        let fresh = home.open(tables::ALL).unwrap();
        let error = home.remove().unwrap_err();
        assert!(matches!(error, TablesError::Refused { .. }), "{error}");
        fresh.close();
        home.remove().unwrap();
        home.remove().unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        assert_eq!(home.move_aside().unwrap(), None);
    }
}
