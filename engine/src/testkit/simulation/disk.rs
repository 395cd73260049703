//! The simulated disk: a faulty one of which every change is a step of the machine.

use std::io;
use std::sync::Arc;

use super::machine::Machine;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::disk::{Disk, DiskFile};
use crate::store::width::wide;

/// The simulated disk. Clones are the same disk.
#[derive(Clone, Debug)]
pub struct SimDisk {
    /// Its content.
    pub disk: FaultyDisk,
    /// The machine that it is part of.
    pub machine: Machine,
}

impl SimDisk {
    /// Lets a process go on after its death: it changes nothing that is ever read again.
    fn step(&self, what: &str, detail: u64) {
        self.machine.step(what, detail);
    }

    fn sync(&self, really: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.step("sync", 0);
        if self.machine.lies() {
            return Ok(());
        }
        really()
    }
}

impl Disk for SimDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        self.disk.names()
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        if !self.disk.names()?.iter().any(|known| known == name) {
            self.step("make", 0);
        }
        Ok(Arc::new(SimFile {
            file: self.disk.open(name)?,
            disk: self.clone(),
        }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.step("rename", 0);
        self.disk.rename(from, to)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.step("remove", 0);
        self.disk.remove(name)
    }

    fn sync_names(&self) -> io::Result<()> {
        self.sync(|| self.disk.sync_names())
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.disk.free_bytes()
    }

    fn describe(&self, name: &str) -> String {
        self.disk.describe(name)
    }
}

#[derive(Debug)]
struct SimFile {
    file: Arc<dyn DiskFile>,
    disk: SimDisk,
}

impl DiskFile for SimFile {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.disk.step("write", wide(bytes.len()));
        self.file.write_at(offset, bytes)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.disk.step("cut", length);
        self.file.truncate(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.sync(|| self.file.sync())
    }
}
