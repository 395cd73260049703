//! The disk as the store sees it: a few operations whose durability is stated, so that a test can break them.

#[cfg(any(test, feature = "testkit"))]
pub mod faulty;
pub mod file;
pub mod memory;
pub mod private;
pub mod whole_file;

use std::fmt;
use std::io;
use std::sync::Arc;

/// A directory of files. Names are plain (`journal-00000001`), never paths.
///
/// What is promised after a power cut: bytes of a file that was [`synced`](DiskFile::sync), under a name that
/// was made durable by [`Disk::sync_names`]. Everything else may be lost, torn or there.
pub trait Disk: fmt::Debug + Send + Sync + 'static {
    /// The names of all files, sorted.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Opens a file, making it when it is not there.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn open(&self, name: &str) -> io::Result<Arc<dyn DiskFile>>;

    /// Gives a file another name, replacing what has that name.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Takes a file away.
    ///
    /// # Errors
    /// When the operating system refuses, also when it is not there.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// Makes names durable: what was made, renamed or removed so far stays so.
    ///
    /// # Errors
    /// When the operating system refuses; what is durable is unknown then.
    fn sync_names(&self) -> io::Result<()>;

    /// Returns the bytes that may still be written.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn free_bytes(&self) -> io::Result<u64>;

    /// Returns the name of the file in a message to a person: its full path if there is one.
    fn describe(&self, name: &str) -> String;
}

/// An open file. Reads and writes name their place, so threads do not disturb each other.
pub trait DiskFile: fmt::Debug + Send + Sync + 'static {
    /// The file's length in bytes.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn length(&self) -> io::Result<u64>;

    /// Reads up to `buffer.len()` bytes from `offset`; fewer only at the end of the file.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Writes all of `bytes` at `offset`, making the file longer as needed.
    ///
    /// # Errors
    /// When the operating system refuses; some of the bytes may be there.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file to `length` bytes.
    ///
    /// # Errors
    /// When the operating system refuses.
    fn truncate(&self, length: u64) -> io::Result<()>;

    /// Makes the file's bytes and its length durable (`fdatasync`).
    ///
    /// # Errors
    /// When the operating system refuses; what is durable is unknown then, and asking again proves nothing.
    fn sync(&self) -> io::Result<()>;
}

/// Makes a new file durable and gives it its name, replacing what has that name: after a power cut, the name leads to
/// all bytes of this file, or to what it led to before.
///
/// # Errors
/// When the operating system refuses; which of the two the name leads to is unknown then.
pub fn publish(disk: &dyn Disk, file: &dyn DiskFile, passing: &str, name: &str) -> io::Result<()> {
    file.sync()?;
    // The passing name may still lead to the unsynced file of an interrupted attempt: without this, a power cut may
    // keep the new name but not that the passing one was made anew.
    disk.sync_names()?;
    disk.rename(passing, name)?;
    disk.sync_names()
}
