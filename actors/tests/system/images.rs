//! A disk that takes pictures of itself as a power cut would leave it, before and after every change.
use std::io;
use std::sync::{Arc, Mutex};

use switchboard_engine::store::disk::{Disk, DiskFile};
use switchboard_worlds::FaultyDisk;

/// The number of disk images of each test: each keeps another part of the unsynced writes.
const SEEDS: u64 = 4;

/// A disk that takes pictures of itself once a test asks for them. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct PicturedDisk {
    disk: FaultyDisk,
    pictures: Arc<Mutex<Option<Vec<FaultyDisk>>>>,
}

impl PicturedDisk {
    /// Takes pictures from now on.
    pub(crate) fn watch(&self) {
        *self.pictures.lock().unwrap() = Some(Vec::new());
    }

    /// Ends the watch; all pictures since it began.
    pub(crate) fn pictures(&self) -> Vec<FaultyDisk> {
        self.pictures.lock().unwrap().take().unwrap_or_default()
    }

    /// The disk as a power cut now would leave it.
    pub(crate) fn crash(&self, seed: u64) -> FaultyDisk {
        self.disk.crash(seed)
    }

    fn watched<T>(&self, change: impl FnOnce() -> T) -> T {
        self.take_pictures();
        let result = change();
        self.take_pictures();
        result
    }

    fn take_pictures(&self) {
        if let Some(pictures) = self.pictures.lock().unwrap().as_mut() {
            pictures.extend((0..SEEDS).map(|seed| self.disk.crash(seed)));
        }
    }
}

impl Disk for PicturedDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        self.disk.names()
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        let file = self.watched(|| self.disk.open(name))?;
        let disk = self.clone();
        Ok(Arc::new(PicturedFile { disk, file }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.watched(|| self.disk.rename(from, to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.watched(|| self.disk.remove(name))
    }

    fn sync_names(&self) -> io::Result<()> {
        self.watched(|| self.disk.sync_names())
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.disk.free_bytes()
    }

    fn describe(&self, name: &str) -> String {
        self.disk.describe(name)
    }
}

#[derive(Debug)]
struct PicturedFile {
    disk: PicturedDisk,
    file: Arc<dyn DiskFile>,
}

impl DiskFile for PicturedFile {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.watched(|| self.file.write_at(offset, bytes))
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.disk.watched(|| self.file.truncate(length))
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.watched(|| self.file.sync())
    }
}
