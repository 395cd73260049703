//! The word of a node about itself, which it leaves at the log: others list the nodes with their positions.

use serde::{Deserialize, Serialize};

use switchboard_engine::store::Seq;
use switchboard_engine::time::UnixMillis;

use crate::position::Position;

/// The position of a node at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeReport {
    /// Its name.
    pub node: String,
    /// The address at which others reach it.
    pub url: String,
    /// The newest entry that it has.
    pub position: Position,
    /// The last record that it has.
    pub last: Seq,
    /// The time of that entry, by the clock of its maker; `None`: the node has taken in none since its start.
    pub applied_at: Option<UnixMillis>,
    /// The time of this report, by the clock of the node.
    pub reported_at: UnixMillis,
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
