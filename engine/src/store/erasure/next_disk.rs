//! A directory as an erasure will leave it: what is made for that lies beside the files that are in use, under names that
//! begin with `next-`.
//!
//! A reader or an index on it sees the complete segments of the journal, each as it is until it is rewritten, and no other
//! file of the present. Nothing that is in use can be changed through it.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::store::disk::{Disk, DiskFile};
use crate::store::lock::lock;
use crate::store::segment;
use crate::store::width::wide;

const PREFIX: &str = "next-";
/// After so many written bytes, the free space is asked for again.
const ASK_BYTES: u64 = 1 << 20;

/// Returns whether a file of this name was made for an erasure that does not count yet.
pub(super) fn is_next(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The name that such a file is to get; `None` when it is none.
pub(super) fn final_name(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// Returns the name of a file before it counts.
pub(super) fn next_name(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// The directory as an erasure will leave it.
#[derive(Debug)]
pub(super) struct NextDisk {
    disk: Arc<dyn Disk>,
    /// The last segment that is seen.
    upto: u32,
    /// The names under which something was made.
    made: Mutex<BTreeSet<String>>,
    /// The limits of what is written.
    bounds: Arc<Bounds>,
}

/// The limits at which a [`NextDisk`] refuses.
#[derive(Debug)]
struct Bounds {
    disk: Arc<dyn Disk>,
    /// A flag: once it is set, every write is refused.
    stop: Arc<AtomicBool>,
    /// The bytes that stay free: the service that runs beside needs them.
    reserve_bytes: u64,
    /// The bytes written since the disk was asked.
    written: AtomicU64,
}

impl Bounds {
    fn check(&self) -> io::Result<()> {
        if self.stop.load(Ordering::Acquire) {
            let reason = "the preparation of an erasure was stopped";
            return Err(io::Error::new(io::ErrorKind::Interrupted, reason));
        }
        Ok(())
    }

    fn check_space(&self, bytes: usize) -> io::Result<()> {
        let bytes = wide(bytes);
        let written_bytes = self.written.fetch_add(bytes, Ordering::Relaxed);
        if written_bytes > 0 && written_bytes.saturating_add(bytes) < ASK_BYTES {
            return Ok(());
        }
        self.written.store(1, Ordering::Relaxed);
        if self.disk.free_bytes()? < self.reserve_bytes.saturating_add(bytes) {
            let reason = "the rest of the disk is kept for the service";
            return Err(io::Error::new(io::ErrorKind::StorageFull, reason));
        }
        Ok(())
    }
}

impl NextDisk {
    /// With the segments up to this one, until `stop` is set, and as long as so much of the disk is free.
    pub(super) fn new(
        disk: Arc<dyn Disk>,
        upto: u32,
        stop: Arc<AtomicBool>,
        reserve_bytes: u64,
    ) -> Self {
        Self {
            bounds: Arc::new(Bounds {
                disk: Arc::clone(&disk),
                stop,
                reserve_bytes,
                written: AtomicU64::new(0),
            }),
            disk,
            upto,
            made: Mutex::default(),
        }
    }

    fn is_seen(&self, name: &str) -> bool {
        segment::number(name).is_some_and(|number| number <= self.upto)
    }

    fn is_made(&self, name: &str) -> bool {
        lock(&self.made).contains(name)
    }
}

impl Disk for NextDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = lock(&self.made).clone();
        let present = self.disk.names()?.into_iter();
        names.extend(present.filter(|name| self.is_seen(name)));
        Ok(names.into_iter().collect())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        self.bounds.check()?;
        let is_present = self.is_seen(name) && !self.is_made(name);
        let file = if is_present {
            self.disk.open(name)?
        } else {
            let file = self.disk.open(&next_name(name))?;
            lock(&self.made).insert(name.to_owned());
            file
        };
        Ok(Arc::new(NextFile {
            file,
            is_present,
            bounds: Arc::clone(&self.bounds),
        }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.bounds.check()?;
        self.disk.rename(&next_name(from), &next_name(to))?;
        let mut new_names = lock(&self.made);
        new_names.remove(from);
        new_names.insert(to.to_owned());
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.bounds.check()?;
        self.disk.remove(&next_name(name))?;
        lock(&self.made).remove(name);
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        self.bounds.check()?;
        self.disk.sync_names()
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.disk.free_bytes()
    }

    fn describe(&self, name: &str) -> String {
        if self.is_seen(name) && !self.is_made(name) {
            return self.disk.describe(name);
        }
        self.disk.describe(&next_name(name))
    }
}

#[derive(Debug)]
struct NextFile {
    file: Arc<dyn DiskFile>,
    /// True when it is in use, and must stay as it is.
    is_present: bool,
    bounds: Arc<Bounds>,
}

impl NextFile {
    fn check_change(&self) -> io::Result<()> {
        self.bounds.check()?;
        if self.is_present {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }
}

impl DiskFile for NextFile {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.bounds.check()?;
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.check_change()?;
        self.bounds.check_space(bytes.len())?;
        self.file.write_at(offset, bytes)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.check_change()?;
        self.file.truncate(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.bounds.check()?;
        self.file.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::faulty::FaultyDisk;
    use crate::store::disk::memory::MemoryDisk;

    fn write(disk: &dyn Disk, name: &str, text: &str) -> io::Result<()> {
        disk.open(name)?.write_at(0, text.as_bytes())
    }

    fn read(disk: &dyn Disk, name: &str) -> String {
        let file = disk.open(name).unwrap();
        let mut bytes = vec![0; usize::try_from(file.length().unwrap()).unwrap()];
        assert_eq!(file.read_at(0, &mut bytes).unwrap(), bytes.len());
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn files_in_use_are_seen_and_not_changed() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::default());
        for name in ["journal-00000001", "journal-00000002", "manifest"] {
            write(disk.as_ref(), name, "old").unwrap();
        }
        let stop = Arc::new(AtomicBool::new(false));
        let next = NextDisk::new(Arc::clone(&disk), 1, Arc::clone(&stop), 0);
        assert_eq!(next.names().unwrap(), ["journal-00000001"]);
        let error = write(&next, "journal-00000001", "new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        write(&next, "manifest", "new").unwrap();
        write(&next, "journal-00000001.new", "new").unwrap();
        assert_eq!(read(&next, "journal-00000001"), "old");
        next.rename("journal-00000001.new", "journal-00000001")
            .unwrap();
        assert_eq!(read(&next, "journal-00000001"), "new");
        assert_eq!(next.names().unwrap(), ["journal-00000001", "manifest"]);
        assert_eq!(read(disk.as_ref(), "journal-00000001"), "old");
        assert_eq!(read(disk.as_ref(), "manifest"), "old");
        let new_names: Vec<_> = disk
            .names()
            .unwrap()
            .into_iter()
            .filter(|it| is_next(it))
            .collect();
        assert_eq!(new_names, ["next-journal-00000001", "next-manifest"]);
        assert_eq!(final_name(&new_names[1]), Some("manifest"));
        stop.store(true, Ordering::Release);
        assert!(next.open("manifest").is_err());
    }

    /// The space that the service keeps free for itself stays free.
    #[test]
    fn the_reserve_of_the_service_is_not_used() {
        let disk = FaultyDisk::default();
        disk.set_quota(Some(3_000_000));
        let (disk, stop) = (Arc::new(disk), Arc::new(AtomicBool::new(false)));
        let next = NextDisk::new(disk, 1, stop, 1_500_000);
        let file = next.open("keys").unwrap();
        let piece = vec![7; 100_000];
        let error = (0..100).find_map(|index| file.write_at(index * 100_000, &piece).err());
        assert_eq!(error.unwrap().kind(), io::ErrorKind::StorageFull);
        assert!(file.length().unwrap() < 2_600_000, "{:?}", file.length());
    }
}
