//! The reasons for which nothing is restored, and their remedies.

use std::io;

use switchboard_engine::store::portable::PortableError;

use crate::archive::read_error::ArchiveReadError;
use crate::store::StoreError;

/// The reason for which nothing is restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object is damaged or missing.
    #[error("{what}; {advice}", advice = advice(*.restorable))]
    Damaged {
        /// The defect.
        what: String,
        /// The last record before it.
        restorable: u64,
    },
    /// There is none.
    #[error(
        "there is no archive at {0}: it has no identity; is its disk mounted, and is its path right?"
    )]
    NoArchive(String),
    /// The directory is in use.
    #[error("{0}; name a directory that does not exist")]
    Occupied(String),
    /// The archive has nothing from before the wanted moment.
    #[error("the archive has nothing that old: its first records are of {0}")]
    TooEarly(String),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] PortableError),
    /// The operating system refuses.
    #[error("cannot write {path}: {error}")]
    Io {
        /// The file or directory.
        path: String,
        /// Its words.
        error: io::Error,
    },
}

impl RestoreError {
    /// Returns whether the archive is damaged.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }

    /// The last record that `--record` restores in spite of the damage; `None` when nothing is damaged.
    pub fn restorable(&self) -> Option<u64> {
        match self {
            Self::Damaged { restorable, .. } => Some(*restorable),
            Self::Store(_)
            | Self::NoArchive(_)
            | Self::Occupied(_)
            | Self::TooEarly(_)
            | Self::Journal(_)
            | Self::Io { .. } => None,
        }
    }

    pub(super) fn damaged(what: impl ToString, restorable: u64) -> Self {
        Self::Damaged {
            what: what.to_string(),
            restorable,
        }
    }

    /// The failure to read what comes behind this record.
    pub(super) fn after(failure: ArchiveReadError, restorable: u64) -> Self {
        match failure {
            ArchiveReadError::Store(error) => Self::Store(error),
            failure @ (ArchiveReadError::Damaged { .. } | ArchiveReadError::Missing { .. }) => {
                Self::damaged(failure, restorable)
            }
        }
    }
}

/// The remedy for an archive that is damaged behind this record.
pub fn advice(restorable: u64) -> String {
    let now = match restorable {
        0 => "nothing before it can be restored".to_owned(),
        last => format!("`switchboard restore --record {last}` restores what is before it"),
    };
    format!(
        "while the service has its data directory, `switchboard backup repair` writes it again; without one, {now}"
    )
}
