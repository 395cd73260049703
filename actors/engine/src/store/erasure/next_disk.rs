//! A directory as an erasure will leave it: what is made for that lies beside the files that are in use, under names that
//! begin with `next-`.
//!
//! A reader or an index on it sees the complete segments of the journal, each as it is until it is rewritten, and no other
//! file of the present. Nothing that is in use can be changed through it.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::store::disk::{Disk, DiskFile};
use crate::store::lock::lock;
use crate::store::segment;

const PREFIX: &str = "next-";

/// Whether a file of this name was made for an erasure that does not count yet.
pub(super) fn is_next(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The name that such a file is to get; `None` when it is none.
pub(super) fn final_name(name: &str) -> Option<&str> {
    name.strip_prefix(PREFIX)
}

/// What a file is called before it counts.
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
    /// Whether everything is to be refused from now on.
    stop: Arc<AtomicBool>,
}

impl NextDisk {
    /// With the segments up to this one, until `stop` is set.
    pub(super) fn new(disk: Arc<dyn Disk>, upto: u32, stop: Arc<AtomicBool>) -> Self {
        Self {
            disk,
            upto,
            made: Mutex::default(),
            stop,
        }
    }

    /// The last segment that is seen.
    pub(super) fn upto(&self) -> u32 {
        self.upto
    }

    fn is_seen(&self, name: &str) -> bool {
        segment::number(name).is_some_and(|number| number <= self.upto)
    }

    fn is_made(&self, name: &str) -> bool {
        lock(&self.made).contains(name)
    }
}

/// Refuses when the work is to stop.
fn check(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Ordering::Acquire) {
        return Err(io::Error::new(
            io::ErrorKind::Interrupted,
            "the preparation of an erasure was stopped",
        ));
    }
    Ok(())
}

impl Disk for NextDisk {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = lock(&self.made).clone();
        let present = self.disk.names()?.into_iter();
        names.extend(present.filter(|name| self.is_seen(name)));
        Ok(names.into_iter().collect())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>> {
        check(&self.stop)?;
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
            stop: Arc::clone(&self.stop),
        }))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        check(&self.stop)?;
        self.disk.rename(&next_name(from), &next_name(to))?;
        let mut made = lock(&self.made);
        made.remove(from);
        made.insert(to.to_owned());
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        check(&self.stop)?;
        self.disk.remove(&next_name(name))?;
        lock(&self.made).remove(name);
        Ok(())
    }

    fn sync_names(&self) -> io::Result<()> {
        check(&self.stop)?;
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
    /// Whether it is in use, and must stay as it is.
    is_present: bool,
    stop: Arc<AtomicBool>,
}

impl NextFile {
    fn check_change(&self) -> io::Result<()> {
        check(&self.stop)?;
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
        check(&self.stop)?;
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.check_change()?;
        self.file.write_at(offset, bytes)
    }

    fn truncate(&self, length: u64) -> io::Result<()> {
        self.check_change()?;
        self.file.truncate(length)
    }

    fn sync(&self) -> io::Result<()> {
        check(&self.stop)?;
        self.file.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let next = NextDisk::new(Arc::clone(&disk), 1, Arc::clone(&stop));
        assert_eq!(next.names().unwrap(), ["journal-00000001"]);
        let refused = write(&next, "journal-00000001", "new").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        write(&next, "manifest", "new").unwrap();
        write(&next, "journal-00000001.new", "new").unwrap();
        assert_eq!(read(&next, "journal-00000001"), "old");
        next.rename("journal-00000001.new", "journal-00000001")
            .unwrap();
        assert_eq!(read(&next, "journal-00000001"), "new");
        assert_eq!(next.names().unwrap(), ["journal-00000001", "manifest"]);
        assert_eq!(read(disk.as_ref(), "journal-00000001"), "old");
        assert_eq!(read(disk.as_ref(), "manifest"), "old");
        let made = disk.names().unwrap().into_iter().filter(|it| is_next(it));
        let made: Vec<_> = made.collect();
        assert_eq!(made, ["next-journal-00000001", "next-manifest"]);
        assert_eq!(final_name(&made[1]), Some("manifest"));
        stop.store(true, Ordering::Release);
        assert!(next.open("manifest").is_err());
    }
}
