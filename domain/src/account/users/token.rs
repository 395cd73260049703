//! The stored form of a bearer token.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The stored form of a bearer token: its SHA-256.
#[derive(Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a token. Tokens are long and random, so a plain hash is enough.
    #[must_use]
    pub fn new(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// The bytes of the hash.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl PartialEq for TokenHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(***)")
    }
}

impl TryFrom<String> for TokenHash {
    type Error = hex::FromHexError;
    fn try_from(text: String) -> Result<Self, hex::FromHexError> {
        let mut hash = [0; 32];
        hex::decode_to_slice(text, &mut hash)?;
        Ok(Self(hash))
    }
}

impl From<TokenHash> for String {
    fn from(hash: TokenHash) -> Self {
        hex::encode(hash.0)
    }
}
