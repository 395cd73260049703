//! The node of a shared log, as far as the interface shows it and obeys it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::derive::InstallationId;

/// A node of a shared log.
pub trait SharedLogNode: fmt::Debug + Send + Sync {
    /// Whether it owns the log and may answer. Every request asks this.
    fn answers(&self) -> bool;

    /// The node at this moment.
    fn status(&self) -> NodeStatus;
}

/// A node that handlers share.
pub type NodeHandle = Arc<dyn SharedLogNode>;

/// What a node does for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It answers requests.
    Owner,
    /// It follows, and answers none.
    Standby,
}

impl Role {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Standby => "standby",
        }
    }
}

/// The node that owns the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerNode {
    /// Its name.
    pub node: String,
    /// Where others reach it.
    pub url: String,
}

impl fmt::Display for OwnerNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} ({})", self.node, self.url)
    }
}

/// A node at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStatus {
    /// Its name.
    pub node: String,
    /// What it does.
    pub role: Role,
    /// Who owns the log, as far as this node knows.
    pub owner: Option<OwnerNode>,
    /// How many times a node has claimed the log.
    pub epoch: u64,
    /// The newest entry that this node has.
    pub position: u64,
    /// The number of entries that it lacks; `None`: it is not known yet.
    pub behind: Option<u64>,
    /// It may lack what was stored in this time; `None`: that is not known yet.
    pub behind_for: Option<Duration>,
    /// The installation that it is of; `None`: that is not known yet.
    pub installation: Option<InstallationId>,
    /// Whether PostgreSQL waits for a standby; `None`: the log is elsewhere, or that is not known yet.
    pub is_replicated: Option<bool>,
    /// Whether it may answer requests.
    pub answers: bool,
    /// How many entries it has stored, and how long these appends took in all.
    pub appends: (u64, Duration),
    /// How many outcomes of appends were unknown at first.
    pub unknown: u64,
    /// Why it does not go on, for anybody who asks: it names no address. It tries again.
    pub trouble: Option<String>,
}
