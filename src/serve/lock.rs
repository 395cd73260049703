//! One process owns the data directory.
//!
//! The lock is on the directory itself, so the deletion of a file does not take it away, and on the file `lock` for the
//! file systems that cannot lock directories. The file names the owner.

use std::fs::{self, File, TryLockError};
use std::io::{Seek, Write};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use rustix::fs::{Mode, OFlags};
use rustix::process::umask;
use switchboard_engine::store::disk::private;

/// The list of the locks of all processes.
const LOCKS: &str = "/proc/locks";

/// The lock on a data directory, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Locked {
    _directory: Option<File>,
    _file: File,
}

/// Takes the lock of this directory, which is made when it is not there. From then on, what this process makes is for the
/// owner alone: the engine of the tables asks for no rights of its own.
///
/// # Errors
/// When another process has it, or the directory cannot be used.
pub(crate) fn take(directory: &Path) -> Result<Locked> {
    let place = directory.display();
    umask(Mode::RWXG | Mode::RWXO);
    let creation = private::directories().recursive(true).create(directory);
    creation.with_context(|| {
        format!(
            "cannot make the data directory {place} (store.path); choose another with --data-dir"
        )
    })?;
    let handle = File::open(directory)
        .with_context(|| format!("cannot read the data directory {place} (store.path)"))?;
    let of_directory = match handle.try_lock() {
        Ok(()) => Some(handle),
        Err(TryLockError::WouldBlock) => return Err(in_use(directory)),
        // A file system that cannot lock directories.
        Err(TryLockError::Error(_)) => None,
    };
    let mut file = private::files()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .custom_flags(no_links())
        .open(directory.join("lock"))
        .with_context(|| format!("cannot write to the data directory {place} (store.path)"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use(directory)),
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("cannot lock the data directory {place}"));
        }
    }
    // For the person who reads the message below; the lock itself is what counts.
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .unwrap_or_default();
    Ok(Locked {
        _directory: of_directory,
        _file: file,
    })
}

/// The flags of an open that fails on a link.
fn no_links() -> i32 {
    i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default()
}

fn in_use(directory: &Path) -> anyhow::Error {
    let owner = owner(directory).map_or_else(
        || "another process".to_owned(),
        |owner| format!("process {owner}"),
    );
    anyhow!(
        "the data directory {} is in use by {owner}: stop that one first, or choose another directory with --data-dir",
        directory.display()
    )
}

/// The process that has the lock: by the list of the system, since the file may be gone; else by the file.
fn owner(directory: &Path) -> Option<u32> {
    let by_system = || {
        let inode = fs::metadata(directory).ok()?.ino();
        holder(&fs::read_to_string(LOCKS).ok()?, inode)
    };
    let by_file = || {
        let text = fs::read_to_string(directory.join("lock")).ok()?;
        text.trim().parse().ok()
    };
    by_system().or_else(by_file)
}

/// The process that has a lock on the file with this number, in a list such as
/// `3: FLOCK  ADVISORY  WRITE 4711 fd:00:2228491 0 EOF`.
fn holder(locks: &str, inode: u64) -> Option<u32> {
    let inode = inode.to_string();
    let mut holders = locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, process, file, ..] = words.as_slice() else {
            return None;
        };
        let is_same = file.rsplit(':').next() == Some(inode.as_str());
        // A process outside of the container is shown as 0.
        let process = process.parse().ok().filter(|process| *process > 0);
        process.filter(|_| is_same)
    });
    holders.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_owner_is_refused_with_the_name_of_the_first() {
        let directory = tempfile::tempdir().unwrap();
        let first = take(directory.path()).unwrap();
        let error = take(directory.path()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("process {}", std::process::id())),
            "{error}"
        );
        assert!(error.contains("--data-dir"), "{error}");
        drop(first);
        take(directory.path()).unwrap();
    }

    #[test]
    fn a_deleted_file_does_not_free_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let first = take(directory.path()).unwrap();
        fs::remove_file(directory.path().join("lock")).unwrap();
        let error = take(directory.path()).unwrap_err().to_string();
        let process = format!("process {}:", std::process::id());
        assert!(error.contains(&process), "{error}");
        drop(first);
        take(directory.path()).unwrap();
    }

    #[test]
    fn a_link_is_not_taken_for_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let other = directory.path().join("other");
        fs::write(&other, "precious").unwrap();
        std::os::unix::fs::symlink(&other, directory.path().join("lock")).unwrap();
        assert!(take(directory.path()).is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    }

    #[test]
    fn the_holder_is_the_process_with_a_lock_on_the_same_file() {
        let locks = "1: POSIX  ADVISORY  WRITE 7 fd:00:42 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 0 fd:00:42 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 8 fd:00:142 0 EOF\n\
                     3: -> FLOCK  ADVISORY  WRITE 10 fd:00:42 0 EOF\n\
                     4: FLOCK  ADVISORY  WRITE 9 fd:00:42 0 EOF\n";
        assert_eq!(holder(locks, 42), Some(9));
        assert_eq!(holder(locks, 43), None);
        assert_eq!(holder("rubbish", 42), None);
    }
}
