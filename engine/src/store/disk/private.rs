//! Access rights in a data directory: its contents are for its owner alone, whatever the process lets others do otherwise: the journal
//! holds secrets and what people wrote in the clear.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The rights of a directory: its owner may list, make and remove.
const DIRECTORY_MODE: u32 = 0o700;
/// The rights of a file: its owner may read and write.
const FILE_MODE: u32 = 0o600;
/// The rights of the group and of all others.
const OTHERS: u32 = 0o077;

/// Makes directories that only their owner may use. With [`recursive`](DirBuilder::recursive), an existing directory
/// is left as it is.
#[must_use]
pub fn directories() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(DIRECTORY_MODE);
    builder
}

/// Opens files; those that it makes are as they are to be.
#[must_use]
pub fn files() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(FILE_MODE);
    options
}

/// Returns whether users other than the owner may enter or list this directory.
///
/// # Errors
/// When the operating system refuses.
pub fn is_open_to_others(directory: &Path) -> io::Result<bool> {
    Ok(fs::metadata(directory)?.mode() & OTHERS != 0)
}
