//! Reasons for which nothing was erased.

use std::io;

use crate::store::ReadError;
use crate::store::disk::Disk;
use crate::store::identity::IdentityError;
use crate::store::index::config::IndexOpenError;
use crate::store::record::UnfitError;
use crate::store::recovery::error::JournalOpenError;
use crate::store::tables::TablesError;

/// The reason for which nothing was erased.
#[derive(Debug, thiserror::Error)]
pub enum ErasureError {
    /// The operating system refused.
    #[error("cannot use {file}: {reason}")]
    Io {
        /// The file.
        file: String,
        /// The operating system's words.
        reason: String,
    },
    /// The file that says what an interrupted erasure is to complete cannot be read.
    #[error(
        "{file} is damaged: an erasure was interrupted, and what it has to complete is unknown; restore the data directory \
         from a backup"
    )]
    Commit {
        /// The file.
        file: String,
    },
    /// A replacement does not fit into a record.
    #[error("record {seq} cannot be replaced: {reason}; nothing was erased")]
    Unfit {
        /// The number of the record.
        seq: u64,
        /// The mismatch.
        reason: UnfitError,
    },
    /// The journal cannot be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The journal is damaged.
    #[error("{0}")]
    Journal(#[from] JournalOpenError),
    /// The identity of the data directory does not fit.
    #[error("{0}")]
    Identity(#[from] IdentityError),
    /// The index cannot be removed. The erasure is committed, and the next start completes it.
    #[error("{0}; the erasure is committed, and the next start completes it")]
    Index(#[from] IndexOpenError),
    /// The tables of the index refuse.
    #[error("{0}; the next start goes on")]
    Tables(#[from] TablesError),
    /// The judge gave up.
    #[error("the judge of an erasure gave up")]
    GivenUp,
    /// The index that belongs to the rewritten segments cannot be built. Nothing was erased.
    #[error("the next index cannot be built: {0}")]
    NextIndex(IndexOpenError),
}

impl ErasureError {
    pub(super) fn io(disk: &dyn Disk, file: &str, error: &io::Error) -> Self {
        Self::Io {
            file: disk.describe(file),
            reason: error.to_string(),
        }
    }
}
