//! Files by which programs learn that a process is ready.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// The mode of a file with a token.
pub(crate) const PRIVATE: u32 = 0o600;

/// Writes a file that is complete or not there: beside its place, with its mode before its content, and then moved.
///
/// # Errors
/// When the directory cannot be written.
pub(crate) fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let unfinished = path.with_extension("part");
    fs::write(&unfinished, "")?;
    fs::set_permissions(&unfinished, Permissions::from_mode(mode))?;
    fs::write(&unfinished, text)?;
    fs::rename(&unfinished, path)
}
