//! Up to where the local journal has a log: a small file that is written behind a sync of the journal, so it never claims what
//! the journal may lose.

use std::io;

use super::Place;
use super::follower::End;
use crate::store::disk::{self, Disk};
use crate::store::owned_file;

/// The name of the file.
pub(in crate::store) const FILE: &str = "log-position";
const UNFINISHED: &str = "log-position.new";
const HEADING: &str = "switchboard-log-position 2 ";

/// Reads the file; `None` when there is none. One that is damaged counts as none: what it says stands in the log as well.
pub(super) fn read(disk: &dyn Disk) -> io::Result<Option<End>> {
    match check(disk) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            tracing::warn!(
                file = disk.describe(FILE),
                "the file is damaged and is not used: this node compares its journal with the log"
            );
            Ok(None)
        }
        checked => checked,
    }
}

/// Reads the file; [`io::ErrorKind::InvalidData`] when it is damaged.
pub(in crate::store) fn check(disk: &dyn Disk) -> io::Result<Option<End>> {
    if !disk.names()?.iter().any(|name| name == FILE) {
        return Ok(None);
    }
    owned_file::read(disk, FILE, HEADING).map(Some)
}

/// The place up to which the journal on this disk has a log; `None`: it has followed none.
///
/// # Errors
/// When the file cannot be read.
pub fn followed(disk: &dyn Disk) -> io::Result<Option<Place>> {
    let end = read(disk)?;
    Ok(end.map(|end| end.place).filter(|place| *place > Place(0)))
}

/// Forgets which log the journal on this disk has: it follows another one from its beginning.
///
/// # Errors
/// When the disk refuses.
pub fn forget(disk: &dyn Disk) -> io::Result<()> {
    if disk.names()?.iter().any(|name| name == FILE) {
        disk.remove(FILE)?;
        disk.sync_names()?;
    }
    Ok(())
}

/// Writes the file.
pub(super) fn write(disk: &dyn Disk, end: &End) -> io::Result<()> {
    let file = owned_file::write(disk, UNFINISHED, HEADING, end)?;
    disk::publish(disk, &*file, UNFINISHED, FILE)
}
