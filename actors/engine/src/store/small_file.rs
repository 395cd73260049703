//! Small files of the store that are written as a whole: a heading with a checksum, and on the next line what it covers, as
//! JSON.

use std::io;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::disk::{Disk, DiskFile};
use crate::store::width::{narrow, wide};

/// No file is longer: the longest is the list of an erasure, in which a range takes some twenty bytes.
const BYTES_MAX: u64 = 1 << 30;

/// The bytes of a file with this content.
///
/// # Errors
/// When the content cannot be JSON.
pub fn encode(heading: &str, content: &impl Serialize) -> io::Result<Vec<u8>> {
    let body = serde_json::to_string(content)?;
    let crc = crc32fast::hash(body.as_bytes());
    Ok(format!("{heading}{crc:08x}\n{body}").into_bytes())
}

/// The content of these bytes.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] when [`encode`] did not make them.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], heading: &str) -> io::Result<T> {
    let reason = "the file is damaged, or of another version";
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, reason);
    let text = std::str::from_utf8(bytes).map_err(|_other| damaged())?;
    let behind = text.strip_prefix(heading).ok_or_else(damaged)?;
    let (crc, body) = behind.split_once('\n').ok_or_else(damaged)?;
    let computed = format!("{:08x}", crc32fast::hash(body.as_bytes()));
    // One checksum, one spelling: a changed letter of it is damage as well.
    if crc != computed {
        return Err(damaged());
    }
    serde_json::from_str(body).map_err(|_other| damaged())
}

/// Writes a file, which is not durable before it is synced.
pub(in crate::store) fn write(
    disk: &dyn Disk,
    name: &str,
    heading: &str,
    content: &impl Serialize,
) -> io::Result<Arc<dyn DiskFile>> {
    let bytes = encode(heading, content)?;
    let file = disk.open(name)?;
    file.truncate(0)?;
    file.write_at(0, &bytes)?;
    Ok(file)
}

/// Reads what [`write()`] wrote; [`io::ErrorKind::InvalidData`] when it is anything else.
pub(in crate::store) fn read<T: DeserializeOwned>(
    disk: &dyn Disk,
    name: &str,
    heading: &str,
) -> io::Result<T> {
    let file = disk.open(name)?;
    let length = file.length()?.min(BYTES_MAX);
    let mut bytes = vec![0; narrow(length)];
    let count = file.read_at(0, &mut bytes)?;
    debug_assert!(wide(count) <= length, "no more is read than asked for");
    bytes.truncate(count);
    decode(&bytes, heading)
}
