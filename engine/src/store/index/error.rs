//! The failures of the index, sorted by their consequences.

use std::io;

use crate::store::tables::TablesError;
use crate::store::{Position, ReadError};

/// Something went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum IndexError {
    /// The journal, which is the truth, cannot be read, or the store is closed: nothing here can help.
    #[error(transparent)]
    Journal(ReadError),
    /// A part of the index is not what was written: it has to be rebuilt.
    #[error("{file} is damaged: {reason}")]
    Damaged { file: String, reason: String },
    /// The operating system refused: trying again may help.
    #[error("cannot use {file}: {reason}")]
    Refused { file: String, reason: String },
}

impl IndexError {
    pub(super) fn io(file: impl Into<String>, error: &io::Error) -> Self {
        let (file, reason) = (file.into(), error.to_string());
        if error.kind() == io::ErrorKind::InvalidData {
            Self::Damaged { file, reason }
        } else {
            Self::Refused { file, reason }
        }
    }

    pub(super) fn damaged(file: impl Into<String>, reason: impl ToString) -> Self {
        Self::Damaged {
            file: file.into(),
            reason: reason.to_string(),
        }
    }

    /// A record is whole, but its event does not fit its stream: written by another version, perhaps.
    pub(super) fn undecodable(position: Position, reason: impl ToString) -> Self {
        Self::Journal(ReadError::Damaged {
            file: format!("journal segment {}", position.segment),
            offset: u64::from(position.offset),
            reason: reason.to_string(),
        })
    }

    /// The failure as a reader of the store gets to see it.
    pub(super) fn into_read_error(self) -> ReadError {
        match self {
            Self::Journal(error) => error,
            Self::Damaged { file, reason } => ReadError::Index { file, reason },
            Self::Refused { file, reason } => ReadError::Io { file, reason },
        }
    }
}

impl From<TablesError> for IndexError {
    fn from(error: TablesError) -> Self {
        match error {
            TablesError::Damaged { place, reason } => Self::Damaged {
                file: place,
                reason,
            },
            TablesError::Refused { place, reason } => Self::Refused {
                file: place,
                reason,
            },
            TablesError::Closed => Self::Journal(ReadError::Closed),
        }
    }
}
