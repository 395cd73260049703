//! An entry of the archive: groups of the journal, or the claim of a process that goes on from here.
//!
//! ```text
//! switchboard archive entry 1 5a2f…\n                          with the CRC-32 of all that follows
//! {"place":7,"epoch":2,"before":"…","kind":"records",…}\n      the header, which the next entry names by its hash
//! \n                                                          or a line about an erasure that has replaced the body
//! body
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use switchboard_engine::store::Seq;
use switchboard_engine::store::identity::InstallationTag;
/// Which entry it is, by its header.
pub(crate) use switchboard_engine::store::shared_log::entry::EntryId;

/// What the first line begins with; a checksum ends it.
const FIRST_LINE: &[u8] = b"switchboard archive entry 1 ";

/// Where an entry is in the order of the archive: from 1, without gaps.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub(crate) struct Place(pub(crate) u64);

impl Place {
    /// The place behind it.
    pub(crate) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The key of the entry there.
    pub(crate) fn key(self) -> String {
        format!("{ENTRIES}/{self}")
    }
}

/// The prefix of the keys of entries.
pub(crate) const ENTRIES: &str = "entries";

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016}", self.0)
    }
}

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        let place = Self(text.parse().map_err(|_not_a_number| NotAPlace)?);
        // One place, one name.
        (place.0 > 0 && place.to_string() == text)
            .then_some(place)
            .ok_or(NotAPlace)
    }
}

/// A text that names no place.
#[derive(Debug)]
pub(crate) struct NotAPlace;

/// What an entry says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) place: Place,
    /// Which process made it: each claim begins an epoch.
    pub(crate) epoch: u64,
    /// The entry at the place before; that of the first place has none.
    pub(crate) before: EntryId,
    /// When it was made, in milliseconds since 1970.
    pub(crate) time: i64,
    /// The last record that the archive has with this entry.
    pub(crate) last: u64,
    /// The entry that was here, was lost, and is named by the next one: this one stands for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stands_for: Option<EntryId>,
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// What an entry is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Content {
    /// A process goes on from an earlier place. Entries between that and this one do not count any more.
    Claim {
        /// Where it goes on; 0 at the beginning.
        from: Place,
        /// Which process it is.
        process: String,
        /// The installation that the archive belongs to.
        installation: InstallationTag,
    },
    /// Groups of the journal.
    Records {
        /// The first record.
        first: u64,
        /// The SHA-256 of the body.
        sha256: String,
    },
    /// An entry without records was lost here, or one whose records another entry has.
    Lost,
}

impl Header {
    /// Which entry it makes of its line.
    fn id(&self, line: &[u8]) -> EntryId {
        self.stands_for.unwrap_or_else(|| EntryId::of(line))
    }
}

/// A body that an erasure has replaced. The header stays as it was, and so does what the next entry names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaced {
    /// The SHA-256 of the body that is there now.
    pub(crate) sha256: String,
    /// When it was replaced, in milliseconds since 1970.
    pub(crate) time: i64,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) header: Header,
    /// The header as it is stored: another spelling of it would be another entry.
    line: Vec<u8>,
    pub(crate) id: EntryId,
    pub(crate) replaced: Option<Replaced>,
    /// Groups in portable form; empty for a claim.
    pub(crate) body: Vec<u8>,
}

/// Why bytes are not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadEntry {
    /// Another program's object.
    #[error("it is not an entry of an archive")]
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

impl Entry {
    /// A claim, or what stands for an entry that was lost.
    pub(crate) fn without_records(header: Header) -> Self {
        Self::new(header, Vec::new())
    }

    /// Groups, whose hash the header has.
    pub(crate) fn new(header: Header, body: Vec<u8>) -> Self {
        let line = json(&header);
        Self {
            id: header.id(&line),
            header,
            line,
            replaced: None,
            body,
        }
    }

    /// The last record that the archive has with it.
    pub(crate) fn last(&self) -> Seq {
        Seq(self.header.last)
    }

    /// The same entry with another body, because records of it were erased.
    pub(crate) fn replace(self, body: Vec<u8>, time: i64) -> Self {
        let sha256 = hash(&body);
        Self {
            replaced: Some(Replaced { sha256, time }),
            body,
            ..self
        }
    }

    /// The SHA-256 of the body that it has to have; none of a claim.
    pub(crate) fn sha256(&self) -> Option<&str> {
        match (&self.replaced, &self.header.content) {
            (Some(replaced), _) => Some(&replaced.sha256),
            (None, Content::Records { sha256, .. }) => Some(sha256),
            (None, Content::Claim { .. } | Content::Lost) => None,
        }
    }

    /// The bytes of its object.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let replaced = self.replaced.as_ref().map(json).unwrap_or_default();
        let covered = [&*self.line, b"\n", &replaced, b"\n", &self.body].concat();
        let crc = format!("{:08x}\n", crc32fast::hash(&covered));
        [FIRST_LINE, crc.as_bytes(), &covered].concat()
    }

    /// Reads the bytes of an object, and checks that they belong together.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, BadEntry> {
        let rest = bytes.strip_prefix(FIRST_LINE).ok_or(BadEntry::Foreign)?;
        let (crc, rest) = split_line(rest)?;
        if crc != format!("{:08x}", crc32fast::hash(rest)).as_bytes() {
            return Err(BadEntry::Changed);
        }
        let (header_line, rest) = split_line(rest)?;
        let (replaced, body) = split_line(rest)?;
        let header: Header = serde_json::from_slice(header_line)
            .map_err(|error| BadEntry::Header(error.to_string()))?;
        let replaced = match replaced {
            [] => None,
            line => {
                serde_json::from_slice(line).map_err(|error| BadEntry::Header(error.to_string()))?
            }
        };
        let entry = Self {
            id: header.id(header_line),
            header,
            line: header_line.to_vec(),
            replaced,
            body: body.to_vec(),
        };
        let right = match entry.sha256() {
            Some(sha256) => hash(body) == sha256,
            None => body.is_empty(),
        };
        right.then_some(entry).ok_or(BadEntry::Body)
    }
}

/// The SHA-256 of a body, as a header has it.
pub(crate) fn hash(body: &[u8]) -> String {
    hex::encode(Sha256::digest(body))
}

fn json(of: &impl Serialize) -> Vec<u8> {
    // Numbers and texts are written into memory.
    serde_json::to_vec(of).unwrap_or_default()
}

fn split_line(bytes: &[u8]) -> Result<(&[u8], &[u8]), BadEntry> {
    let end = memchr::memchr(b'\n', bytes).ok_or(BadEntry::Foreign)?;
    let (line, rest) = bytes.split_at(end);
    Ok((line, rest.get(1..).unwrap_or_default()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An entry with this body behind another one.
    pub(crate) fn records(place: u64, before: EntryId, body: &[u8]) -> Entry {
        let header = Header {
            place: Place(place),
            epoch: 1,
            before,
            time: 1_700_000_000_000,
            last: place,
            stands_for: None,
            content: Content::Records {
                first: place,
                sha256: hash(body),
            },
        };
        Entry::new(header, body.to_vec())
    }

    #[test]
    fn the_bytes_of_an_entry_never_change() {
        let entry = records(7, "ab".repeat(16).try_into().unwrap(), b"body");
        let bytes = entry.encode();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(
            text,
            "switchboard archive entry 1 a5817047\n{\"place\":7,\"epoch\":1,\"before\":\"abababababababababababababababab\",\
             \"time\":1700000000000,\"last\":7,\"kind\":\"records\",\"first\":7,\
             \"sha256\":\"230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5\"}\n\nbody"
        );
        assert_eq!(Entry::decode(&bytes), Ok(entry));
    }

    #[test]
    fn every_flipped_bit_of_an_entry_is_found() {
        let entry = records(7, EntryId::default(), b"body");
        let bytes = entry.encode();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(Entry::decode(&changed).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_replaced_body_leaves_the_entry_what_it_is() {
        let entry = records(7, EntryId::default(), b"body");
        let id = entry.id;
        let replaced = entry.replace(b"less".to_vec(), 5);
        let read = Entry::decode(&replaced.encode()).unwrap();
        assert_eq!((read.id, &*read.body), (id, &b"less"[..]));
        let mut changed = replaced.encode();
        changed.pop();
        assert_eq!(Entry::decode(&changed), Err(BadEntry::Changed));
    }

    #[test]
    fn a_place_has_one_name() {
        assert_eq!(Place(12).key(), "entries/0000000000000012");
        assert_eq!("0000000000000012".parse::<Place>().unwrap(), Place(12));
        for wrong in ["12", "0000000000000000", "", "+000000000000012", "x"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
