//! The identity of an entry, and the secret of an installation: bytes that are written as hexadecimal digits.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The identity of an entry: the beginning of the SHA-256 of its header.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EntryId([u8; 16]);

impl EntryId {
    /// The identity of the entry with this header, as it is stored.
    pub(super) fn from_header(line: &[u8]) -> Self {
        let hash = Sha256::digest(line);
        Self(hash.first_chunk().copied().unwrap_or_default())
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

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Reads and writes 16 bytes as hexadecimal digits.
macro_rules! digits {
    ($name:ident) => {
        impl From<$name> for String {
            fn from(it: $name) -> Self {
                hex::encode(it.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = hex::FromHexError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                let mut bytes = [0; 16];
                hex::decode_to_slice(text, &mut bytes)?;
                Ok(Self(bytes))
            }
        }
    };
}

digits!(EntryId);
digits!(Secret);

/// The SHA-256 of a body, as a header has it.
pub(crate) fn hash(body: &[u8]) -> String {
    hex::encode(Sha256::digest(body))
}
