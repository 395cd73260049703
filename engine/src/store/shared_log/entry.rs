//! An entry of a shared log: a batch of the journal, or a word of its owner.
//!
//! ```text
//! switchboard log entry 1\n
//! {"place":7,"epoch":2,"claim":3,"before":"…","time":…,"last":43,"kind":"batch","first":40}\n
//! groups in portable form
//! ```
//!
//! Its id is the beginning of the SHA-256 of all its bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Claimant, Place};
use crate::store::Seq;

/// The first line.
const FIRST_LINE: &[u8] = b"switchboard log entry 1\n";
/// The bytes of an [`EntryId`].
const ID_BYTES: usize = 16;

/// Which entry of a chain it is: the beginning of the SHA-256 of what the next entry names.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntryId([u8; ID_BYTES]);

impl EntryId {
    /// The id of the entry that has these bytes, or of whose bytes these are named.
    #[must_use]
    pub fn of(entry: &[u8]) -> Self {
        let hash = Sha256::digest(entry);
        Self(hash.first_chunk().copied().unwrap_or_default())
    }
}

impl From<EntryId> for String {
    fn from(id: EntryId) -> Self {
        hex::encode(id.0)
    }
}

impl TryFrom<String> for EntryId {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut id = [0; ID_BYTES];
        hex::decode_to_slice(text, &mut id)?;
        Ok(Self(id))
    }
}

impl fmt::Debug for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// The secret that an installation was made with, as its identity has it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Secret(pub [u8; 16]);

impl From<Secret> for String {
    fn from(secret: Secret) -> Self {
        hex::encode(secret.0)
    }
}

impl TryFrom<String> for Secret {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut secret = [0; 16];
        hex::decode_to_slice(text, &mut secret)?;
        Ok(Self(secret))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// What an entry says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Where it is.
    pub place: Place,
    /// Which claim it belongs to: each claim begins an epoch.
    pub epoch: u64,
    /// The place of that claim.
    pub claim: Place,
    /// The entry at the place before; zeros at the first place.
    pub before: EntryId,
    /// When it was made, in milliseconds since 1970, by the clock of its maker. Nothing depends on it.
    pub time: u64,
    /// The last record that the log has with this entry.
    pub last: Seq,
    /// What it is for.
    #[serde(flatten)]
    pub content: Content,
}

/// What an entry is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    /// The order to begin a log: this node is the first that may claim it.
    Begin {
        /// The name of the node.
        node: String,
    },
    /// A node owns the log from here on.
    Claim {
        /// Who that is.
        #[serde(flatten)]
        claimant: Claimant,
        /// The secret of the installation: nodes with an empty data directory take it over.
        secret: Secret,
        /// The format of the records that the node writes.
        format: u32,
    },
    /// Groups of the journal.
    Batch {
        /// The first record.
        first: Seq,
    },
    /// The owner lives and has nothing to store.
    Beat,
    /// The owner stops, and another node may claim the log at once.
    Release,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it says of itself.
    pub header: Header,
    /// Groups in portable form; empty but for a batch.
    pub groups: Vec<u8>,
}

/// Why bytes are not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadEntry {
    /// Another program's bytes, or those of another version.
    #[error("it is not an entry of this version")]
    Foreign,
    /// The header cannot be read.
    #[error("its header cannot be read: {0}")]
    Header(String),
}

impl Entry {
    /// Returns whether it is never removed from a log: an order or a claim.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        matches!(
            self.header.content,
            Content::Begin { .. } | Content::Claim { .. }
        )
    }

    /// The bytes that are stored.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Numbers and texts are written into memory.
        let header = serde_json::to_vec(&self.header).unwrap_or_default();
        [FIRST_LINE, &header, b"\n", &self.groups].concat()
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// When they are not an entry.
    pub fn decode(bytes: &[u8]) -> Result<Self, BadEntry> {
        let rest = bytes.strip_prefix(FIRST_LINE).ok_or(BadEntry::Foreign)?;
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (header, groups) = end
            .and_then(|end| rest.split_at_checked(end))
            .ok_or(BadEntry::Foreign)?;
        let header =
            serde_json::from_slice(header).map_err(|error| BadEntry::Header(error.to_string()))?;
        Ok(Self {
            header,
            groups: groups.get(1..).unwrap_or_default().to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch() -> Entry {
        Entry {
            header: Header {
                place: Place(7),
                epoch: 2,
                claim: Place(3),
                before: EntryId([0xab; ID_BYTES]),
                time: 1_700_000_000_000,
                last: Seq(43),
                content: Content::Batch { first: Seq(40) },
            },
            groups: b"groups".to_vec(),
        }
    }

    #[test]
    fn the_bytes_of_an_entry_never_change() {
        let bytes = batch().encode();
        assert_eq!(
            String::from_utf8(bytes.clone()).unwrap(),
            "switchboard log entry 1\n{\"place\":7,\"epoch\":2,\"claim\":3,\"before\":\"abababababababababababababababab\",\
             \"time\":1700000000000,\"last\":43,\"kind\":\"batch\",\"first\":40}\ngroups"
        );
        assert_eq!(Entry::decode(&bytes), Ok(batch()));
    }

    #[test]
    fn every_flipped_bit_is_another_entry() {
        let bytes = batch().encode();
        let id = EntryId::of(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(EntryId::of(&changed), id, "bit {bit}");
        }
        assert_eq!(Entry::decode(b"x"), Err(BadEntry::Foreign));
        assert_eq!(Entry::decode(FIRST_LINE), Err(BadEntry::Foreign));
        let other = [FIRST_LINE, b"{}\n"].concat();
        assert!(matches!(Entry::decode(&other), Err(BadEntry::Header(_))));
    }
}
