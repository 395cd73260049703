//! The reasons for which a node waits although no other one owns the log, or cannot follow it now.

use crate::position::Position;
use crate::shared_log::FollowError;

/// The reason for which a node does not go on; it tries again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitReason {
    /// The log does not answer, in these words.
    #[error("{0}")]
    Unreachable(String),
    /// The log has no entry, and no order to begin it.
    #[error(
        "the shared log at {log} has no entry. If it is new, order the node that is to own it first to begin it (switchboard shared-log \
         begin, on that node). If it is not, correct shared_log.to or archive.to, or mount its disk"
    )]
    NotBegun {
        /// Its address.
        log: String,
    },
    /// Another node is to begin the log.
    #[error("node {node} is to begin the shared log at {log}: start that node first")]
    BegunBy {
        /// The name of that node.
        node: String,
        /// The address of the log.
        log: String,
    },
    /// The log shows no entry, and this node has followed it.
    #[error("{}", absent(.0))]
    Absent(Position),
}

impl WaitReason {
    /// The reason for anybody who asks `/readyz`: it has no address.
    pub fn public(&self) -> String {
        match self {
            Self::Unreachable(_) => "the shared log does not answer".to_owned(),
            Self::NotBegun { .. } => {
                "the shared log has no entry, and no node has been ordered to begin it".to_owned()
            }
            Self::BegunBy { node, .. } => format!("node {node} is to begin the shared log"),
            Self::Absent(_) => {
                "the shared log shows no entry, and this node has followed it: is its disk mounted?"
                    .to_owned()
            }
        }
    }
}

fn absent(position: &Position) -> FollowError {
    FollowError::Absent {
        position: *position,
    }
}

impl From<&FollowError> for WaitReason {
    fn from(error: &FollowError) -> Self {
        if let FollowError::Absent { position } = error {
            return Self::Absent(*position);
        }
        Self::Unreachable(error.to_string())
    }
}
