//! A disk that is memory: for trying the service out and for tests. Gone with the process.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::store::disk::{Disk, DiskFile};
use crate::store::lock::lock;
use crate::store::width::{narrow, wide};

/// A disk in memory of a fixed size. Nothing on it outlives the process, so syncing is free.
#[derive(Debug)]
pub struct MemoryDisk {
    files: Mutex<BTreeMap<String, Arc<MemoryFile>>>,
    space: Arc<Space>,
}

impl MemoryDisk {
    /// An empty disk for this many bytes: memory is bounded like everything else.
    #[must_use]
    pub fn with_capacity(bytes: u64) -> Self {
        Self {
            files: Mutex::default(),
            space: Arc::new(Space {
                capacity: bytes,
                used: AtomicU64::new(0),
            }),
        }
    }
}

impl Default for MemoryDisk {
    /// An empty disk for 1 GiB.
    fn default() -> Self {
        Self::with_capacity(1 << 30)
    }
}

impl Disk for MemoryDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(lock(&self.files).keys().cloned().collect())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        let mut files = lock(&self.files);
        let file = files.entry(name.to_owned()).or_insert_with(|| {
            Arc::new(MemoryFile {
                bytes: Mutex::default(),
                space: Arc::clone(&self.space),
            })
        });
        Ok(Arc::<MemoryFile>::clone(file))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut files = lock(&self.files);
        let file = files.remove(from).ok_or(ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match lock(&self.files).remove(name) {
            Some(_) => Ok(()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let used_bytes = self.space.used.load(Ordering::Relaxed);
        Ok(self.space.capacity.saturating_sub(used_bytes))
    }

    fn describe(&self, name: &str) -> String {
        format!("{name} (in memory)")
    }
}

#[derive(Debug)]
struct Space {
    capacity: u64,
    used: AtomicU64,
}

impl Space {
    fn take(&self, bytes: u64) -> io::Result<()> {
        let sum_with = |used: u64| used.checked_add(bytes).filter(|sum| *sum <= self.capacity);
        match self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum_with)
        {
            Ok(_) => Ok(()),
            Err(_) => Err(ErrorKind::StorageFull.into()),
        }
    }

    fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[derive(Debug)]
struct MemoryFile {
    bytes: Mutex<Vec<u8>>,
    space: Arc<Space>,
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        self.space.give_back(wide(lock(&self.bytes).len()));
    }
}

impl DiskFile for MemoryFile {
    fn length(&self) -> io::Result<u64> {
        Ok(wide(lock(&self.bytes).len()))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(copy_out(&lock(&self.bytes), offset, buffer))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = lock(&self.bytes);
        let end = offset.saturating_add(wide(bytes.len()));
        self.space.take(end.saturating_sub(wide(file.len())))?;
        copy_in(&mut file, offset, bytes);
        Ok(())
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        let mut file = lock(&self.bytes);
        let before = wide(file.len());
        self.space.take(length.saturating_sub(before))?;
        file.resize(narrow(length), 0);
        self.space.give_back(before.saturating_sub(length));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads as a file does: up to the end, nothing behind it.
pub(super) fn copy_out(file: &[u8], offset: u64, buffer: &mut [u8]) -> usize {
    let rest = file.get(narrow(offset)..).unwrap_or_default();
    let count = rest.len().min(buffer.len());
    if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
        to.copy_from_slice(from);
    }
    count
}

/// Writes as a file does: a gap before `offset` is filled with zeros.
pub(super) fn copy_in(file: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
    let start = narrow(offset);
    let end = start.saturating_add(bytes.len());
    if file.len() == start {
        file.extend_from_slice(bytes);
        return;
    }
    if file.len() < end {
        file.resize(end, 0);
    }
    if let Some(place) = file.get_mut(start..end) {
        place.copy_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_refuses_writes_until_space_is_freed() {
        let disk = MemoryDisk::with_capacity(10);
        let file = disk.open("a").unwrap();
        file.write_at(0, b"12345678").unwrap();
        assert_eq!(
            file.write_at(8, b"9ab").unwrap_err().kind(),
            ErrorKind::StorageFull
        );
        assert_eq!(disk.free_bytes().unwrap(), 2);

        file.truncate(4).unwrap();
        file.write_at(4, b"5678").unwrap();
        drop(file);
        disk.remove("a").unwrap();
        assert_eq!(disk.free_bytes().unwrap(), 10);
    }

    #[test]
    fn a_gap_reads_as_zeros_and_reads_stop_at_the_end() {
        let disk = MemoryDisk::default();
        let file = disk.open("a").unwrap();
        file.write_at(2, b"xy").unwrap();
        let mut buffer = [7; 6];
        assert_eq!(file.read_at(0, &mut buffer).unwrap(), 4);
        assert_eq!(buffer, [0, 0, b'x', b'y', 7, 7]);
        assert_eq!(file.read_at(9, &mut buffer).unwrap(), 0);
    }
}
