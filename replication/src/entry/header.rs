//! The header of an entry.

use serde::{Deserialize, Serialize};
use switchboard_engine::store::Seq;
use switchboard_engine::time::UnixMillis;

use super::claim::Claim;
use super::id::{EntryId, hash};
use crate::position::Position;

/// The header of an entry, whose hash is its identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryHeader {
    /// Its position.
    pub position: Position,
    /// The number of the claim that it belongs to: each claim begins an epoch.
    pub epoch: u64,
    /// The position of that claim.
    pub claim: Position,
    /// The entry before it; zeros at the first position.
    pub before: EntryId,
    /// The time at which it was made, by the clock of its maker. Nothing depends on it.
    pub time: UnixMillis,
    /// The last record that the log has with this entry.
    pub last: Seq,
    /// The entry that was here, was lost, and is named by the next one: this one stands for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<EntryId>,
    /// The purpose of the entry.
    #[serde(flatten)]
    pub content: Content,
}

/// The purpose of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    /// The order to begin a log: this node is the first that may claim it.
    Begin {
        /// The name of the node.
        node: String,
    },
    /// A process owns the log from here on.
    Claim(Claim),
    /// Groups of the journal.
    Groups {
        /// The first record.
        first: Seq,
        /// The SHA-256 of the body.
        sha256: String,
    },
    /// The owner lives and has nothing to store.
    Heartbeat,
    /// The owner stops, and another node may claim the log at once.
    Release,
    /// An entry without groups was lost here, or one whose groups another entry has.
    Lost,
}

impl Content {
    /// Groups that begin with this record.
    #[must_use]
    pub fn groups(first: Seq, body: &[u8]) -> Self {
        let sha256 = hash(body);
        Self::Groups { first, sha256 }
    }

    /// The node that it orders to begin a log; `None` of anything else.
    pub(crate) fn order(&self) -> Option<&str> {
        let Self::Begin { node } = self else {
            return None;
        };
        Some(node)
    }

    /// The claim that it is, if it is one.
    #[must_use]
    pub fn claim(&self) -> Option<&Claim> {
        let Self::Claim(claim) = self else {
            return None;
        };
        Some(claim)
    }

    /// The first record of groups; `None` of anything else.
    #[must_use]
    pub fn first(&self) -> Option<Seq> {
        let Self::Groups { first, .. } = self else {
            return None;
        };
        Some(*first)
    }

    /// The SHA-256 of the groups; `None` of anything else.
    pub(crate) fn sha256(&self) -> Option<&str> {
        let Self::Groups { sha256, .. } = self else {
            return None;
        };
        Some(sha256)
    }
}

impl EntryHeader {
    /// Returns whether the entry is never removed from a log: an order or a claim.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.content.order().is_some() || self.content.claim().is_some()
    }

    /// The last record that the log had before this entry.
    #[must_use]
    pub fn last_before(&self) -> Seq {
        let first = self.content.first();
        first.map_or(self.last, |first| Seq(first.0.saturating_sub(1)))
    }
}
