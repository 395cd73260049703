//! One process owns the data directory.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use rustix::fs::Mode;
use rustix::process::umask;
use switchboard_engine::store::disk::private;

/// The lock on a data directory, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Locked {
    _file: File,
}

/// Takes the lock of this directory, which is made when it is not there. From then on, what this process makes is for the
/// owner alone: the engine of the tables asks for no rights of its own.
///
/// # Errors
/// When another process has it, or the directory cannot be used.
pub(crate) fn take(directory: &Path) -> Result<Locked> {
    let shown = directory.display();
    umask(Mode::RWXG | Mode::RWXO);
    let made = private::directories().recursive(true).create(directory);
    made.with_context(|| {
        format!(
            "cannot make the data directory {shown} (store.path); choose another with --data-dir"
        )
    })?;
    let path = directory.join("lock");
    let mut file = private::files()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(&path)
        .with_context(|| format!("cannot write to the data directory {shown} (store.path)"))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            file.read_to_string(&mut owner).unwrap_or_default();
            let owner = owner.trim();
            let owner = if owner.is_empty() {
                "another process".to_owned()
            } else {
                format!("process {owner}")
            };
            bail!(
                "the data directory {shown} is in use by {owner}: stop that one first, or choose another directory with --data-dir"
            );
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("cannot lock the data directory {shown}"));
        }
    }
    // For the person who reads the message above; the lock itself is what counts.
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .unwrap_or_default();
    Ok(Locked { _file: file })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_owner_is_refused_with_the_name_of_the_first() {
        let directory = tempfile::tempdir().unwrap();
        let first = take(directory.path()).unwrap();
        let refused = take(directory.path()).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("process {}", std::process::id())),
            "{refused}"
        );
        assert!(refused.contains("--data-dir"), "{refused}");
        drop(first);
        take(directory.path()).unwrap();
    }
}
