//! The names of files that say that an index was damaged.

use std::io;

use crate::store::disk::Disk;

/// A file of this name says that the index is to be rebuilt at the next start.
pub(in crate::store) const REBUILD_MARK: &str = "index-rebuild";
/// Stands between the name of a file that was moved out of the way and a number.
pub(super) const ASIDE: &str = ".damaged-";

/// Has the index rebuilt at the next start, whatever else happens.
pub(super) fn mark(disk: &dyn Disk) -> io::Result<()> {
    disk.open(REBUILD_MARK)?.sync()?;
    disk.sync_names()
}

/// Takes the mark away, once all parts of the damaged index are out of the way.
pub(super) fn unmark(disk: &dyn Disk) -> io::Result<()> {
    disk.remove(REBUILD_MARK)?;
    disk.sync_names()
}
