//! The key from which the secrets of all worlds of a process follow, each with the seed of its world.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::world::{OwnIds, Secrets};

/// The fewest bytes of a file with a key: fewer can be guessed.
const BYTES_MIN: usize = 16;
/// The most bytes of such a file.
const BYTES_MAX: u64 = 4_096;

/// The key of the worlds of a process.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WorldsKey {
    bytes: [u8; 32],
    /// The choice of the ids that worlds draw, beside that of the key and the seed.
    chance: [u8; 16],
}

impl WorldsKey {
    /// A key that no other process has.
    pub fn from_random(bytes: [[u8; 16]; 2]) -> Self {
        Self::from_bytes(&bytes.concat())
    }

    /// The key that a file holds, so that worlds in several processes have the same secrets.
    ///
    /// # Errors
    /// When the file cannot be read, or is too short or too long for a key.
    pub fn read(path: &Path) -> Result<Self> {
        let display = path.display();
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(BYTES_MAX + 1).read_to_end(&mut bytes))
            .with_context(|| format!("cannot read the key of the worlds in {display}"))?;
        ensure!(
            bytes.len() >= BYTES_MIN && u64::try_from(bytes.len()).is_ok_and(|it| it <= BYTES_MAX),
            "the key of the worlds in {display} has {BYTES_MIN} to {BYTES_MAX} bytes: «openssl rand -hex 32» makes one"
        );
        Ok(Self::from_bytes(&bytes))
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            bytes: Sha256::digest(bytes).into(),
            chance: [0; 16],
        }
    }

    /// The key of worlds with the same secrets that draw other ids.
    pub(crate) fn with_other_ids(self, chance: [u8; 16]) -> Self {
        Self { chance, ..self }
    }

    /// The secrets of a world with this seed and these ids.
    pub(crate) fn secrets(self, seed: u64, ids: &OwnIds) -> Secrets {
        let Self { bytes, chance } = self;
        Secrets::derive(&bytes, seed, ids.subdomain.as_ref(), ids.channel.as_ref())
            .with_chance(chance)
    }
}

impl fmt::Debug for WorldsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
