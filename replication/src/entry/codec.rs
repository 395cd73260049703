//! An entry, and its bytes.
//!
//! ```text
//! switchboard log entry 1 5a2f…\n                                     with the CRC-32 of all that follows
//! {"position":7,"epoch":2,"claim":3,"before":"…","kind":"groups",…}\n  the header, whose hash is the identity
//! \n                                                                  or a line about an erasure that has replaced the body
//! body
//! ```

use serde::{Deserialize, Serialize};
use switchboard_engine::time::UnixMillis;

use super::header::EntryHeader;
use super::id::{EntryId, hash};

/// The beginning of the first line; a checksum ends it.
const FIRST_LINE: &[u8] = b"switchboard log entry 1 ";

/// The reason for which bytes are not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// Another program's bytes, or those of another version.
    #[error("it is not an entry of this version")]
    Foreign,
    /// Something in it is not what was written.
    #[error("its checksum is not right")]
    Changed,
    /// The header cannot be read.
    #[error("its header cannot be read: {0}")]
    Header(String),
    /// The body is not what the header says.
    #[error("its records are not those that its header names")]
    Body,
}

/// A body that an erasure has replaced. The header stays as it was, and so does what the next entry names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// The SHA-256 of the body that is there now.
    pub sha256: String,
    /// The time at which it was replaced.
    pub time: UnixMillis,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position, the purpose and the predecessor of the entry.
    pub header: EntryHeader,
    /// The header as it is stored: another spelling of it would be another entry.
    line: Vec<u8>,
    /// The identity of the entry, by which the next one names it.
    pub id: EntryId,
    /// The replacement of its body, if an erasure has made one.
    pub replaced: Option<Replaced>,
    /// Groups in portable form; empty of anything else.
    pub body: Vec<u8>,
}

impl Entry {
    /// An entry without a body.
    #[must_use]
    pub fn without_body(header: EntryHeader) -> Self {
        Self::new(header, Vec::new())
    }

    /// The same entry with another body, because records of it were erased.
    #[must_use]
    pub fn replace(self, body: Vec<u8>, time: UnixMillis) -> Self {
        let sha256 = hash(&body);
        Self {
            replaced: Some(Replaced { sha256, time }),
            body,
            ..self
        }
    }

    /// The SHA-256 of the body that it has to have; `None`: it has to have none.
    #[must_use]
    pub fn sha256(&self) -> Option<&str> {
        let replaced = self.replaced.as_ref().map(|it| it.sha256.as_str());
        replaced.or_else(|| self.header.content.sha256())
    }

    /// An entry with a body, whose hash the header has.
    #[must_use]
    pub fn new(header: EntryHeader, body: Vec<u8>) -> Self {
        let line = json(&header);
        Self {
            id: id(&header, &line),
            header,
            line,
            replaced: None,
            body,
        }
    }

    /// The bytes that are stored.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let replaced = self.replaced.as_ref().map(json).unwrap_or_default();
        let parts = [&*self.line, b"\n", &replaced, b"\n", &self.body];
        let mut crc = crc32fast::Hasher::new();
        parts.iter().for_each(|part| crc.update(part));
        let crc = format!("{:08x}\n", crc.finalize());
        let first = [FIRST_LINE, crc.as_bytes()];
        first.into_iter().chain(parts).collect::<Vec<_>>().concat()
    }

    /// Reads stored bytes, and checks that they belong together.
    ///
    /// # Errors
    /// When they are not an entry, or not what was stored.
    pub fn decode(bytes: &[u8]) -> Result<Self, EntryError> {
        let parts = Parts::split(bytes)?;
        let replaced = match parts.replaced {
            [] => None,
            line => Some(parsed(line)?),
        };
        let header = parsed(parts.header)?;
        let entry = Self {
            id: id(&header, parts.header),
            header,
            line: parts.header.to_vec(),
            replaced,
            body: parts.body.to_vec(),
        };
        let is_right = match entry.sha256() {
            Some(sha256) => hash(parts.body) == sha256,
            None => parts.body.is_empty(),
        };
        is_right.then_some(entry).ok_or(EntryError::Body)
    }
}

impl EntryHeader {
    /// Reads the header of stored bytes, of whose body nothing is checked.
    ///
    /// # Errors
    /// When they are not an entry.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, EntryError> {
        let (_, rest) = split_line(bytes.strip_prefix(FIRST_LINE).ok_or(EntryError::Foreign)?)?;
        parsed(split_line(rest)?.0)
    }
}

/// The lines and the body of an entry, whose checksum is right.
struct Parts<'b> {
    header: &'b [u8],
    replaced: &'b [u8],
    body: &'b [u8],
}

impl<'b> Parts<'b> {
    fn split(bytes: &'b [u8]) -> Result<Self, EntryError> {
        let rest = bytes.strip_prefix(FIRST_LINE).ok_or(EntryError::Foreign)?;
        let (crc, rest) = split_line(rest)?;
        if crc != format!("{:08x}", crc32fast::hash(rest)).as_bytes() {
            return Err(EntryError::Changed);
        }
        let (header, rest) = split_line(rest)?;
        let (replaced, body) = split_line(rest)?;
        Ok(Self {
            header,
            replaced,
            body,
        })
    }
}

/// The identity of an entry with this header, stored as this line.
fn id(header: &EntryHeader, line: &[u8]) -> EntryId {
    let stands_for = header.stands_for;
    stands_for.unwrap_or_else(|| EntryId::from_header(line))
}

fn json(content: &impl Serialize) -> Vec<u8> {
    // Numbers and texts are written into memory.
    serde_json::to_vec(content).unwrap_or_default()
}

fn parsed<T: serde::de::DeserializeOwned>(line: &[u8]) -> Result<T, EntryError> {
    serde_json::from_slice(line).map_err(|error| EntryError::Header(error.to_string()))
}

fn split_line(bytes: &[u8]) -> Result<(&[u8], &[u8]), EntryError> {
    let end = memchr::memchr(b'\n', bytes).ok_or(EntryError::Foreign)?;
    let (line, rest) = bytes.split_at(end);
    Ok((line, rest.get(1..).unwrap_or_default()))
}
