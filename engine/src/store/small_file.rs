//! The form of small files of the store that are written as a whole: a heading with a checksum, and on the next line what it
//! covers, as JSON.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

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
