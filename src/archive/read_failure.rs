//! Why an archive cannot be read: its store refuses, or something in it is damaged or missing.

use crate::archive::store::StoreError;

/// Why an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadFailure {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object is not what it was.
    #[error("{object} is damaged: {reason}")]
    Damaged {
        /// Which one.
        object: String,
        /// What is wrong.
        reason: String,
    },
    /// There is a place without an entry.
    #[error("{object} is missing, though the archive has reached beyond it")]
    Missing {
        /// Where it should be.
        object: String,
    },
}

impl ReadFailure {
    /// Whether something is wrong with what was read; otherwise it could not be read.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Store(_) => false,
            Self::Damaged { .. } | Self::Missing { .. } => true,
        }
    }
}
