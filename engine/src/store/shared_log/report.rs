//! The word of a node about itself, which it leaves at the log: others list the nodes with their places.

use serde::{Deserialize, Serialize};

use super::Place;
use crate::store::Seq;

/// The place of a node at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeReport {
    /// Its name.
    pub node: String,
    /// Where others reach it.
    pub url: String,
    /// The newest entry that it has.
    pub place: Place,
    /// The last record that it has.
    pub last: Seq,
    /// The time of that entry, in milliseconds since 1970 by the clock of its maker; `None`: the node has taken in none since its start.
    pub applied_at: Option<u64>,
    /// The time of this report, in milliseconds since 1970 by the clock of the node.
    pub reported_at: u64,
}

impl NodeReport {
    /// The bytes that are stored.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Numbers and texts are written into memory.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads stored bytes; `None`: they are of another version.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}
