//! The node of a shared log, as far as the interface shows it and obeys it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::derive::InstallationId;

/// A node of a shared log.
pub trait SharedLogNode: fmt::Debug + Send + Sync {
    /// Returns whether the node owns the log and may answer. Every request asks this.
    fn answers(&self) -> bool;

    /// The node at this moment.
    fn status(&self) -> NodeStatus;
}

/// A node that handlers share.
pub type NodeHandle = Arc<dyn SharedLogNode>;

/// The role of a node for the log.
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
    /// The address at which others reach it.
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
    /// The role of the node.
    pub role: Role,
    /// The owner of the log, as far as this node knows.
    pub owner: Option<OwnerNode>,
    /// The number of times a node has claimed the log.
    pub epoch: u64,
    /// The newest entry that this node has.
    pub position: u64,
    /// The number of entries that it lacks; `None`: it is not known yet.
    pub behind: Option<u64>,
    /// It may lack what was stored in this time; `None`: that is not known yet.
    pub behind_for: Option<Duration>,
    /// The installation that it is of; `None`: that is not known yet.
    pub installation: Option<InstallationId>,
    /// True when PostgreSQL waits for a standby; `None`: the log is elsewhere, or that is not known yet.
    pub is_replicated: Option<bool>,
    /// True when it may answer requests.
    pub answers: bool,
    /// The number of entries it has stored, and the time these appends took in all.
    pub appends: (u64, Duration),
    /// The number of appends with an outcome that was unknown at first.
    pub unknown: u64,
    /// The reason for which it does not go on, for the public: it names no address. The node tries again.
    pub trouble: Option<String>,
}
