//! A claim: the word by which a process owns a log from here on.

use std::fmt;

use serde::{Deserialize, Serialize};
use switchboard_engine::store::identity::{FORMAT, InstallationTag};

use super::id::Secret;
use crate::position::Position;

/// The claim of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The position after which its epoch goes on. Entries between that one and the claim do not count any more.
    pub from: Position,
    /// The process that claims.
    #[serde(flatten)]
    pub claimant: Claimant,
    /// The installation whose log it is.
    pub installation: InstallationTag,
    /// The secret of the installation: nodes with an empty data directory take it over. An archive has it in its identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
    /// The format of the records that the process writes.
    pub format: u32,
}

/// A process that claims a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimant {
    /// The name of the node, for people; empty where a machine is alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub node: String,
    /// The URL at which others reach it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// A random word: two processes of one node are two claimants.
    pub process: String,
}

impl Claimant {
    /// A process of a machine that is alone.
    #[must_use]
    pub fn alone(process: &str) -> Self {
        Self {
            node: String::new(),
            url: String::new(),
            process: process.to_owned(),
        }
    }
}

impl fmt::Display for Claimant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} ({})", self.node, self.url)
    }
}

impl Claim {
    /// The claim of a process of this version, for the installation with this tag.
    pub(crate) fn new(from: Position, claimant: Claimant, installation: InstallationTag) -> Self {
        Self {
            from,
            claimant,
            installation,
            secret: None,
            format: FORMAT,
        }
    }
}
