//! The place of worlds that follow each other.

use crate::dev::worlds_key::WorldsKey;

/// The place of worlds that follow each other, for a program that is configured once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPlace {
    /// The port of 127.0.0.1.
    pub port: u16,
    /// The key from which the account, the secret of the channel and the tokens of users follow, with the seed.
    pub key: WorldsKey,
}
