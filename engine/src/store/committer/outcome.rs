//! The outcome of a group: taken or not, on disk or lost; and the reasons why a journal ends.

use crate::store::log_owner::OwnerError;
use crate::store::record::UnfitError;
use crate::store::{Epoch, Seq};

/// A group that was taken: its place in the order is fixed, but it is not on disk yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// The number of the group's last record: wait for it before anything is answered.
    pub last: Seq,
    /// The epoch that the number belongs to.
    pub epoch: Epoch,
}

/// The reason for which a group was not taken. Nothing of it was written or will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// The queue is full: try again in a moment.
    #[error("the journal's queue is full")]
    Busy,
    /// A batch failed since the submitter's state was built: the state may hold what was never stored; rebuild it.
    #[error("the state is older than the last failed write")]
    Stale,
    /// There is no space; reading goes on. Taken again once there is.
    #[error("the disk is full")]
    DiskFull,
    /// The journal was closed, or a sync failed: nothing is taken any more.
    #[error("the journal is closed after a failed write")]
    Stopping,
    /// The group can never be stored, whatever the disk says.
    #[error(transparent)]
    Unfit(#[from] UnfitError),
}

/// The record will not be on disk: its batch failed, or the journal ended before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record was not stored")]
pub struct NotStoredError;

/// The reason for which the journal ended: what is on disk is unknown, and only a restart finds out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FatalError {
    /// A sync failed. Asking again proves nothing: the kernel may have dropped the bytes.
    #[error("cannot sync {file}: {reason}; what is on disk is unknown until the next start")]
    Sync {
        /// The file, or the directory.
        file: String,
        /// The reason that the operating system gives.
        reason: String,
    },
    /// A failed batch could not be taken back.
    #[error("cannot take back a failed write to {file}: {reason}")]
    Rewind {
        /// The file.
        file: String,
        /// The reason that the operating system gives.
        reason: String,
    },
    /// The shared log has a batch that the local journal refuses. The next start reads it from there.
    #[error(
        "cannot write {file}: {reason}; the shared log is ahead of this node until the next start"
    )]
    Behind {
        /// The file.
        file: String,
        /// The reason that the operating system gives.
        reason: String,
    },
    /// Another node owns the shared log, or whether it has a batch is unknown.
    #[error("{0}")]
    Owner(OwnerError),
    /// The committer panicked, in itself or in the sink.
    #[error("the journal's committer panicked")]
    Panicked,
}
