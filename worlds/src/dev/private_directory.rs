//! Directories of one user alone, in places where others may prepare something.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// Makes the directory if it is not there.
///
/// # Errors
/// When it cannot be made, or is not a directory that only this user may use.
pub(super) fn make(path: &Path) -> Result<()> {
    let display = path.display();
    match DirBuilder::new().mode(0o700).create(path) {
        Err(why) if why.kind() != io::ErrorKind::AlreadyExists => {
            return Err(why).with_context(|| format!("cannot make {display}"));
        }
        Ok(()) | Err(_) => {}
    }
    let about = fs::symlink_metadata(path).with_context(|| format!("cannot use {display}"))?;
    let user = rustix::process::geteuid().as_raw();
    ensure!(
        about.is_dir() && about.uid() == user && about.mode() & 0o077 == 0,
        "{display} is not a directory of this user alone; remove it, or choose another place"
    );
    Ok(())
}
