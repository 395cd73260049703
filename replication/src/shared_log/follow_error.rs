//! The reasons for which a node cannot follow a log.

use switchboard_engine::store::ReadError;
use switchboard_engine::store::identity::{FORMAT, IdentityError};
use switchboard_engine::store::portable::PortableError;
use switchboard_engine::store::recovery::error::JournalOpenError;

use super::log::LogError;
use crate::entry::Claimant;
use crate::entry::EntryError;
use crate::position::Position;

/// The reason for which a node cannot follow a log.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The log cannot be read now. It may be tried again.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The log does not have the entry that is due, but later ones.
    #[error(
        "the log has nothing between place {position}, up to which this node has followed it, and place {oldest}: restore the data \
         directory from the archive, then start this node with it"
    )]
    Gap {
        /// The last position that the node has.
        position: Position,
        /// The next position that the log has.
        oldest: Position,
    },
    /// The log shows no entry, and this node has followed it. It may be tried again.
    #[error(
        "the shared log shows no entry, and this node has followed it up to place {position}: is its disk mounted, and is its address right? \
         If the log is lost, begin a new one (switchboard shared-log begin --new)"
    )]
    Absent {
        /// The last position that the node has.
        position: Position,
    },
    /// An entry does not follow on the one before it.
    #[error(
        "the entry at place {position} does not follow on the one before it: {reason}. The log has lost or changed entries. Keep \
         the data directories of all nodes; begin a new log with that of the node which has the most records (switchboard shared-log \
         begin --new)"
    )]
    Forked {
        /// Its position.
        position: Position,
        /// The mismatch, in words that follow on the position.
        reason: String,
    },
    /// An entry cannot be read by this version.
    #[error(
        "the entry at place {position} cannot be read: {reason}; upgrade this node if the owner has a newer version"
    )]
    Unreadable {
        /// Its position.
        position: Position,
        /// The reason.
        reason: EntryError,
    },
    /// The owner writes records that this version cannot read.
    #[error(
        "the owner of the log, {owner}, writes format {format}, and this version of switchboard reads format {FORMAT}: upgrade this \
         node"
    )]
    Newer {
        /// The process that made the claim.
        owner: Claimant,
        /// The format of its records.
        format: u32,
    },
    /// The local journal has other records than the log.
    #[error(
        "record {first} and those behind it are not what the log has: this data directory belongs to another history. Keep it, \
         and start this node with an empty one"
    )]
    Diverged {
        /// The first record of the entry that differs.
        first: u64,
    },
    /// The log was claimed for another installation.
    #[error(
        "the entry at place {position} is of another installation than this data directory; give this installation a log of its own"
    )]
    OtherInstallation {
        /// The position of the claim.
        position: Position,
    },
    /// The data directory has no identity that can be used.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The local journal cannot be opened.
    #[error(transparent)]
    Open(#[from] JournalOpenError),
    /// The local journal cannot be written.
    #[error(transparent)]
    Journal(#[from] PortableError),
    /// The local journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data directory cannot be used.
    #[error("cannot use {file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's words.
        reason: String,
    },
}

impl FollowError {
    /// The bytes at this position are no entry of this version, or not what was stored.
    pub(super) fn unreadable(position: Position, error: EntryError) -> Self {
        match error {
            EntryError::Foreign | EntryError::Header(_) => Self::Unreadable {
                position,
                reason: error,
            },
            EntryError::Changed | EntryError::Body => Self::Forked {
                position,
                reason: error.to_string(),
            },
        }
    }

    /// Returns whether it may go on later without anybody's help.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Log(_) | Self::Absent { .. })
    }
}
