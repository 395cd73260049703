//! Small files of the store that carry the name of the installation: one of another installation is damage.

use std::io;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::store::disk::{Disk, DiskFile};
use crate::store::identity::content::{self, InstallationTag};
use crate::store::small_file::{decode, encode};
use crate::store::width::{narrow, wide};

/// No file is longer: the longest is the list of an erasure, in which a range takes some twenty bytes.
const BYTES_MAX: u64 = 1 << 30;

/// The content of a file, and the installation that it belongs to.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Owned<T> {
    installation: InstallationTag,
    content: T,
}

/// Writes a file of the installation on this disk. It is not durable before it is synced.
///
/// # Errors
/// When the disk refuses.
pub fn write(
    disk: &dyn Disk,
    name: &str,
    heading: &str,
    content: &impl Serialize,
) -> io::Result<Arc<dyn DiskFile>> {
    let owned = Owned {
        installation: content::tag_on(disk)?,
        content,
    };
    let bytes = encode(heading, &owned)?;
    let file = disk.open(name)?;
    file.truncate(0)?;
    file.write_at(0, &bytes)?;
    Ok(file)
}

/// Reads what [`write()`] wrote; [`io::ErrorKind::InvalidData`] when it is anything else, or of another installation.
///
/// # Errors
/// When the disk refuses.
pub fn read<T: DeserializeOwned>(disk: &dyn Disk, name: &str, heading: &str) -> io::Result<T> {
    let file = disk.open(name)?;
    let length = file.length()?.min(BYTES_MAX);
    let mut bytes = vec![0; narrow(length)];
    let count = file.read_at(0, &mut bytes)?;
    debug_assert!(wide(count) <= length, "no more is read than asked for");
    bytes.truncate(count);
    let owned: Owned<T> = decode(&bytes, heading)?;
    let installation = content::tag_on(disk)?;
    owned.installation.check(installation, "the file")?;
    Ok(owned.content)
}
