//! The reasons for which an archive cannot be read: its store refuses, or something in it is damaged or missing.

use crate::store::{Store, StoreError};

/// The reason for which an archive cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveReadError {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object is not what it was.
    #[error("{object} is damaged: {reason}")]
    Damaged {
        /// The object.
        object: String,
        /// The defect.
        reason: String,
    },
    /// There is a position without an entry.
    #[error("{object} is missing, though the archive has reached beyond it")]
    Missing {
        /// Its address.
        object: String,
    },
}

impl ArchiveReadError {
    /// The object with this key is damaged.
    pub(crate) fn damaged(store: &dyn Store, key: &str, reason: impl ToString) -> Self {
        Self::Damaged {
            object: store.describe(key),
            reason: reason.to_string(),
        }
    }

    /// The object with this key is missing.
    pub(crate) fn missing(store: &dyn Store, key: &str) -> Self {
        let object = store.describe(key);
        Self::Missing { object }
    }

    /// Returns whether something is wrong with what was read; otherwise it could not be read.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Store(_) => false,
            Self::Damaged { .. } | Self::Missing { .. } => true,
        }
    }
}
