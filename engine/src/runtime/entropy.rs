//! The source of randomness for ids, jitter and secrets.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};

use crate::runtime::striped::Striped;

/// A source of randomness.
pub trait Entropy: fmt::Debug + Send + Sync + 'static {
    /// Sixteen fresh bytes.
    fn bytes(&self) -> [u8; 16];
}

/// A cryptographic generator, seeded by the operating system, or by a number for a repeatable test. When the
/// operating system seeds it, threads have one generator each.
#[derive(Debug)]
pub struct Generator {
    rngs: Striped<Mutex<StdRng>>,
}

impl Generator {
    /// Seeded by the operating system.
    ///
    /// # Errors
    /// When the operating system has no randomness to give.
    pub fn from_system() -> std::io::Result<Self> {
        let mut seed = [0; 32];
        SysRng
            .try_fill_bytes(&mut seed)
            .map_err(std::io::Error::other)?;
        let mut seeds = StdRng::from_seed(seed);
        Ok(Self {
            rngs: Striped::new(|| Mutex::new(StdRng::from_rng(&mut seeds))),
        })
    }

    /// Seeded by a number: the same number gives the same bytes.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self {
            rngs: Striped::single(Mutex::new(StdRng::seed_from_u64(seed))),
        }
    }

    /// Seeded by a key: the same key gives the same bytes, and only its holder can know them.
    #[must_use]
    pub fn from_key(key: [u8; 32]) -> Self {
        Self {
            rngs: Striped::single(Mutex::new(StdRng::from_seed(key))),
        }
    }
}

impl Entropy for Generator {
    fn bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        self.rngs
            .here()
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .fill_bytes(&mut bytes);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        assert_eq!(
            Generator::from_seed(1).bytes(),
            Generator::from_seed(1).bytes()
        );
        assert_ne!(
            Generator::from_seed(1).bytes(),
            Generator::from_seed(2).bytes()
        );
        assert_ne!(Generator::from_system().unwrap().bytes(), [0; 16]);
    }
}
