//! The content of the file: the format of the data and the secret of the installation, behind a checksum.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::store::disk::Disk;
use crate::store::small_file;

/// The version of the formats in the data directory. A start upgrades a directory of an older version as
/// [`upgrade`](crate::store::upgrade) says, and touches none of a newer version.
pub const FORMAT: u32 = 1;

/// The name of the file.
pub(in crate::store) const FILE: &str = "identity";
/// No file is longer.
const BYTES_MAX: usize = 4096;
/// The beginning of the file; the checksum follows.
pub(super) const HEADING: &str = "switchboard-identity 1 ";

/// The identity of an installation, as its file has it. Its checksum covers all of it, so that no changed bit makes another
/// installation of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    format: u32,
    /// None of a newer format: there it may be something else.
    secret: Option<[u8; 16]>,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    format: u32,
    id_space: String,
}

impl Identity {
    /// The identity of this installation, in the format of this version.
    #[must_use]
    pub fn new(secret: [u8; 16]) -> Self {
        Self::of_format(FORMAT, secret)
    }

    pub(super) fn of_format(format: u32, secret: [u8; 16]) -> Self {
        Self {
            format,
            secret: Some(secret),
        }
    }

    /// Reads the bytes of the file.
    ///
    /// # Errors
    /// Why they are damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let form: Stored = small_file::decode(bytes, HEADING).map_err(|error| error.to_string())?;
        if form.format > FORMAT {
            return Ok(Self {
                format: form.format,
                secret: None,
            });
        }
        let mut secret = [0; 16];
        hex::decode_to_slice(&form.id_space, &mut secret).map_err(|error| error.to_string())?;
        Ok(Self::of_format(form.format, secret))
    }

    /// The bytes of the file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let form = Stored {
            format: self.format,
            id_space: hex::encode(self.secret.unwrap_or_default()),
        };
        // A number and a text are written into memory.
        small_file::encode(HEADING, &form).unwrap_or_default()
    }

    /// The format of the data.
    #[must_use]
    pub fn format(&self) -> u32 {
        self.format
    }

    /// The secret; `None` of a newer format.
    #[must_use]
    pub fn secret(&self) -> Option<[u8; 16]> {
        self.secret
    }

    /// The name of the installation, which reveals nothing of its secret.
    #[must_use]
    pub fn tag(&self) -> InstallationTag {
        self.secret
            .map_or_else(InstallationTag::default, InstallationTag::from_secret)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity")
            .field("format", &self.format)
            .field("tag", &self.tag())
            .finish_non_exhaustive()
    }
}

/// A name of an installation that follows from its secret and does not reveal it. What is written for an installation carries
/// it, so that an identity proves itself: another one, however whole, does not have this tag.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InstallationTag([u8; 8]);

impl InstallationTag {
    /// The tag of the installation with this secret.
    #[must_use]
    pub fn from_secret(secret: [u8; 16]) -> Self {
        let digest = Sha256::new()
            .chain_update(b"switchboard installation ")
            .chain_update(secret)
            .finalize();
        Self(digest.first_chunk().copied().unwrap_or_default())
    }

    /// Returns whether both may be of one installation: one that is not known fits all.
    #[must_use]
    pub fn fits(self, other: Self) -> bool {
        let unknown = Self::default();
        self == other || self == unknown || other == unknown
    }

    /// Checks that `part`, which has this tag, belongs to the installation with the other one.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] when it does not.
    pub(in crate::store) fn check(self, installation: Self, part: &str) -> io::Result<()> {
        if self.fits(installation) {
            return Ok(());
        }
        let reason = format!("{part} and the identity are of different installations");
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    }

    pub(crate) const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn to_bytes(self) -> [u8; 8] {
        self.0
    }
}

impl fmt::Debug for InstallationTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl From<InstallationTag> for String {
    fn from(tag: InstallationTag) -> Self {
        hex::encode(tag.0)
    }
}

impl TryFrom<String> for InstallationTag {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut tag = [0; 8];
        hex::decode_to_slice(text, &mut tag)?;
        Ok(Self(tag))
    }
}

/// The tag of the identity on this disk; the unknown one when there is none that can be read.
pub(crate) fn tag_on(disk: &dyn Disk) -> io::Result<InstallationTag> {
    if !disk.names()?.iter().any(|name| name == FILE) {
        return Ok(InstallationTag::default());
    }
    let identity = content(disk)?;
    Ok(identity.map_or_else(|_damaged| InstallationTag::default(), |it| it.tag()))
}

/// Reads the content of the file; the inner error says why it is damaged.
pub(super) fn content(disk: &dyn Disk) -> io::Result<Result<Identity, String>> {
    let file = disk.open(FILE)?;
    let mut bytes = [0; BYTES_MAX];
    let length = file.read_at(0, &mut bytes)?;
    Ok(Identity::decode(bytes.get(..length).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_changed_bit_and_no_cut_makes_another_identity() {
        let bytes = Identity::new([0x5a; 16]).encode();
        assert_eq!(Identity::decode(&bytes), Ok(Identity::new([0x5a; 16])));
        for bit in 0..bytes.len() * 8 {
            let mut copy = bytes.clone();
            copy[bit / 8] ^= 1 << (bit % 8);
            Identity::decode(&copy).unwrap_err();
        }
        for length in 0..bytes.len() {
            Identity::decode(&bytes[..length]).unwrap_err();
        }
    }

    #[test]
    fn a_tag_follows_from_the_secret_alone() {
        let tag = Identity::new([7; 16]).tag();
        assert_eq!(tag, InstallationTag::from_secret([7; 16]));
        assert!(!tag.fits(InstallationTag::from_secret([8; 16])));
        assert!(tag.fits(InstallationTag::default()));
        assert_eq!(InstallationTag::try_from(String::from(tag)), Ok(tag));
    }
}
