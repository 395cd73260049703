//! The reasons for which an archive does not go on.

use std::io;

use switchboard_engine::store::ReadError;

use super::read_error::ArchiveReadError;
use crate::store::StoreError;

/// The reason for which the archive does not go on.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The store refuses; later it may not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object of the archive is damaged or missing.
    #[error("{0}; {REPAIR}")]
    Damaged(String),
    /// The journal or a file cannot be read.
    #[error("{0}")]
    Local(String),
    /// The archive is not that of this data directory. The service goes on without it.
    #[error("{0}")]
    Unfit(String),
    /// Another process archives there: what this process acknowledges would not be in the archive.
    #[error("{0}")]
    Refused(String),
    /// Another node of the same shared log archives there. What it archives is what this node has, so this one finds out
    /// where the archive ends and claims the next position.
    #[error("{0}")]
    Overtaken(String),
}

/// The remedy for damage, while there is a data directory.
const REPAIR: &str = "`switchboard backup repair` writes again what the archive lacks, from the data directory of the running service";

impl ArchiveError {
    /// The data directory refuses.
    pub(crate) fn local(error: impl ToString) -> Self {
        Self::Local(error.to_string())
    }

    /// A file of the data directory cannot be read.
    pub(crate) fn unread(path: &std::path::Path, error: &io::Error) -> Self {
        Self::Local(format!("cannot read {}: {error}", path.display()))
    }
}

impl From<ArchiveReadError> for ArchiveError {
    fn from(failure: ArchiveReadError) -> Self {
        match failure {
            ArchiveReadError::Store(error) => Self::Store(error),
            ArchiveReadError::Damaged { .. } | ArchiveReadError::Missing { .. } => {
                Self::Damaged(failure.to_string())
            }
        }
    }
}

impl From<ReadError> for ArchiveError {
    fn from(error: ReadError) -> Self {
        Self::local(error)
    }
}
