//! The files that an erasure makes, and the removal of those that do not count.

use std::io;

use super::error::ErasureError;
use super::{list, next_disk};
use crate::store::disk::Disk;
use crate::store::segment;
use crate::store::tables::TablesHome;

/// The name of the commit file.
pub(in crate::store) const COMMIT: &str = "erasure-commit";
/// Its name before it counts.
pub(super) const UNFINISHED: &str = "erasure-commit.new";

/// Removes what does not count; whether there was anything. For a directory that no process uses: a store in use has files of
/// such names for a moment.
pub(super) fn discard(disk: &dyn Disk, tables: &dyn TablesHome) -> Result<bool, ErasureError> {
    remove(disk, tables, is_left_over)
}

/// Removes what was prepared, beside a store in use.
pub(super) fn discard_prepared(
    disk: &dyn Disk,
    tables: &dyn TablesHome,
) -> Result<bool, ErasureError> {
    remove(disk, tables, next_disk::is_next)
}

/// Removes files, and the tables that are to be the next ones.
fn remove(
    disk: &dyn Disk,
    tables: &dyn TablesHome,
    which: impl Fn(&str) -> bool,
) -> Result<bool, ErasureError> {
    let io_error = |error: io::Error| ErasureError::io(disk, COMMIT, &error);
    tables.successor().remove()?;
    let names = disk.names().map_err(io_error)?;
    let leftovers: Vec<&String> = names.iter().filter(|name| which(name)).collect();
    if leftovers.is_empty() {
        return Ok(false);
    }
    for name in leftovers {
        disk.remove(name).map_err(io_error)?;
    }
    disk.sync_names().map_err(io_error)?;
    Ok(true)
}

/// Returns whether a file of this name was made while an erasure was prepared.
pub(in crate::store) fn is_prepared(name: &str) -> bool {
    next_disk::is_next(name)
}

/// Returns whether a file of this name belongs to an erasure that does not count yet.
fn is_left_over(name: &str) -> bool {
    name == UNFINISHED
        || list::is_unfinished(name)
        || segment::is_unfinished(name)
        || next_disk::is_next(name)
}
