//! Signatures: HMAC-SHA1, keyed with the channel's secret, in hexadecimal.
//!
//! The 2019 generation signs the raw JSON body of a request, and so do all callbacks. The current generation signs more
//! of a request ([`request`]). The key is the secret's text; a secret that looks like
//! hexadecimal digits is not decoded.

pub mod request;

use std::fmt;
use std::str::FromStr;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The header that carries a signature, in both directions.
pub const HEADER: &str = "X-Signature";

/// A secret that the service shares with an integration: of a channel, or of an OAuth client. Text of 1 to 255 characters of
/// ASCII without spaces and control characters. Debug output never shows it.
///
/// It is serialised as its text, because the service has to keep it to sign with it; so it belongs into
/// stored events and nowhere else.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SharedSecret(String);

/// The text cannot be a shared secret. Does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a secret of 1 to 255 ASCII characters without spaces")]
pub struct SecretError;

impl SharedSecret {
    /// A secret made of random bytes, in the form that the vendor's have: 40 hexadecimal digits.
    #[must_use]
    pub fn from_random(bytes: [[u8; 16]; 2]) -> Self {
        let mut digits = hex::encode(bytes.concat());
        digits.truncate(40);
        Self(digits)
    }

    /// The key itself.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The text itself, to be shown to the party that is to sign with it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The SHA-256 of the text in hexadecimal. It shows whether a secret is the same without keeping the secret.
    #[must_use]
    pub fn digest(&self) -> String {
        hex::encode(Sha256::digest(self.bytes()))
    }

    /// The first 16 digits of [`Self::digest`], by which people distinguish secrets.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut digest = self.digest();
        digest.truncate(16);
        digest
    }
}

impl TryFrom<String> for SharedSecret {
    type Error = SecretError;
    fn try_from(text: String) -> Result<Self, SecretError> {
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
        if plain && (1..=255).contains(&text.len()) {
            Ok(Self(text))
        } else {
            Err(SecretError)
        }
    }
}

impl FromStr for SharedSecret {
    type Err = SecretError;
    fn from_str(text: &str) -> Result<Self, SecretError> {
        Self::try_from(text.to_owned())
    }
}

impl From<SharedSecret> for String {
    fn from(secret: SharedSecret) -> Self {
        secret.0
    }
}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl PartialEq for SharedSecret {
    /// Takes the same time wherever two secrets of one length differ.
    fn eq(&self, other: &Self) -> bool {
        self.bytes().ct_eq(other.bytes()).into()
    }
}

impl Eq for SharedSecret {}

/// A signature: 20 bytes, written as 40 lower-case hexadecimal digits.
#[derive(Clone, Copy)]
pub struct Signature([u8; 20]);

impl Signature {
    /// Reads a header's value: exactly 40 hexadecimal digits of either case, nothing around them.
    #[must_use]
    pub fn from_header(value: &[u8]) -> Option<Self> {
        let mut bytes = [0; 20];
        hex::decode_to_slice(value, &mut bytes)
            .is_ok()
            .then_some(Self(bytes))
    }

    /// The 20 bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 20] {
        &self.0
    }
}

impl PartialEq for Signature {
    /// Takes the same time wherever two signatures differ.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Signature {}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 40];
        match hex::encode_to_slice(self.0, &mut digits) {
            Ok(()) => f.write_str(&String::from_utf8_lossy(&digits)),
            Err(_) => Err(fmt::Error),
        }
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Signs and verifies with one secret, the key already worked in: two of the four rounds that signing a short
/// text takes are done once.
#[derive(Clone)]
pub struct Signer {
    keyed: Hmac<Sha1>,
}

impl Signer {
    /// The signer of this secret.
    #[must_use]
    pub fn new(secret: &SharedSecret) -> Self {
        #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
        let keyed = Hmac::new_from_slice(secret.bytes()).expect("a key of any length");
        Self { keyed }
    }

    /// The signature of these bytes.
    #[must_use]
    pub fn sign(&self, body: &[u8]) -> Signature {
        let mut mac = self.keyed.clone();
        mac.update(body);
        Signature(mac.finalize().into_bytes().into())
    }

    /// Returns whether a header's value is the signature of these bytes. Takes the same time for every wrong signature
    /// of the right form.
    #[must_use]
    pub fn verify(&self, body: &[u8], header: &[u8]) -> bool {
        let Some(claimed) = Signature::from_header(header) else {
            return false;
        };
        let mut mac = self.keyed.clone();
        mac.update(body);
        mac.verify_slice(claimed.bytes()).is_ok()
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer(***)")
    }
}

/// The signature of a body, for a secret that is used once; see [`Signer`] otherwise.
#[must_use]
pub fn sign_body(secret: &SharedSecret, body: &[u8]) -> Signature {
    Signer::new(secret).sign(body)
}

/// Returns whether a header's value is the signature of a body, for a secret that is used once; see [`Signer`].
#[must_use]
pub fn verify_body(secret: &SharedSecret, body: &[u8], header: &[u8]) -> bool {
    Signer::new(secret).verify(body, header)
}

#[cfg(test)]
mod tests;
