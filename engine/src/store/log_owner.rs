//! The hook by which the committer waits for a log that outlives this machine: each batch is in the log before anything else
//! happens to it. What such a log is, and how a node comes to own it, the engine does not know.

use std::io;
use std::time::Duration;

use crate::store::Seq;
use crate::store::disk::Disk;

/// The reason for which a batch is not stored in the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnerError {
    /// Another node owns the log. Nothing of the batch was answered.
    #[error("{by} owns the log now")]
    Deposed {
        /// The other node, or what is at the position of the batch.
        by: String,
    },
    /// The log will never store it.
    #[error("the log refuses a batch: {0}")]
    Refused(String),
    /// The process ends before the outcome is known. The next start finds out.
    #[error("whether the log has a batch is unknown: {0}")]
    Unknown(String),
}

/// The owner of a log. Its calls block; the committer makes them on its thread.
pub trait LogOwner: Send {
    /// The most bytes that the groups of a batch may have.
    fn batch_bytes_max(&self) -> usize;

    /// Stores groups in [portable form](crate::store::portable), from the record after the end of the log up to `last`. Returns
    /// when it is known whether the log has them.
    ///
    /// # Errors
    /// Why the log does not have them. After any error but a refusal, the owner stores nothing more.
    fn append(&mut self, last: Seq, groups: Vec<u8>) -> Result<(), OwnerError>;

    /// The time until a heartbeat is due; zero when it is.
    fn heartbeat_in(&self) -> Duration;

    /// Stores a sign of life for the other nodes.
    ///
    /// # Errors
    /// As of [`Self::append`].
    fn heartbeat(&mut self) -> Result<(), OwnerError>;

    /// Notes in the data directory that the local journal has, on disk, everything up to the end of the log.
    ///
    /// # Errors
    /// When the disk refuses.
    fn note(&self, disk: &dyn Disk) -> io::Result<()>;

    /// Gives the log up: another node may own it at once.
    ///
    /// # Errors
    /// As of [`Self::append`].
    fn release(&mut self) -> Result<(), OwnerError>;
}
