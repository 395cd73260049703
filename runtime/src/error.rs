//! The errors of a system that says «not now», or that cannot start.

use std::path::Path;

use switchboard_engine::runtime::open::OpenError;
use switchboard_engine::store::identity::IdentityError;

pub use switchboard_engine::error::{CommandError, UnavailableError};

/// The error of a system that cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The data directory cannot be used.
    #[error("cannot use the data directory {path}: {reason}")]
    Directory {
        /// The directory.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
    /// Another process uses the data directory.
    #[error(
        "the data directory {path} is in use by another switchboard; stop it, or choose another directory with --data-dir"
    )]
    InUse {
        /// The directory.
        path: String,
    },
    /// The data directory belongs to something else.
    #[error(transparent)]
    Identity(IdentityError),
    /// The journal or the index cannot be opened.
    #[error("{0}")]
    Store(String),
    /// The index is damaged, which has been noted: another start of the owner of a shared log makes it again.
    #[error("the index is damaged; another start makes it again from the journal")]
    IndexDamaged,
}

impl StartError {
    /// An error about a directory that cannot be used.
    pub fn directory(path: &Path, error: &std::io::Error) -> Self {
        Self::Directory {
            path: path.display().to_string(),
            reason: error.to_string(),
        }
    }
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Identity(error) => Self::Identity(error),
            OpenError::Store(reason) => Self::Store(reason),
        }
    }
}
