//! Reasons for which a journal is not opened: the damage, its place, and what to do about it.

use std::io;

use crate::store::disk::Disk;
use crate::store::segment::{self, SegmentHeaderError};
use crate::store::{Position, Seq};

/// The reason for which the journal cannot be opened. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalOpenError {
    /// A record that was promised to be on disk is not readable.
    #[error(
        "{file} is damaged at offset {offset}: {reason}; nothing was changed: see with \
         `switchboard verify` what is touched, and restore the data directory from a backup"
    )]
    Damaged {
        /// The file's name.
        file: String,
        /// The offset of the first bad byte sequence.
        offset: u64,
        /// The damage.
        reason: String,
    },
    /// The journal is shorter than the index that was made from it.
    #[error(
        "{file} does not hold record {seq} at offset {offset}, which was on disk before: {reason}; nothing was \
         changed: see with `switchboard verify` what is missing, and restore the data directory from a backup"
    )]
    Missing {
        /// The file's name.
        file: String,
        /// The expected place of the record.
        offset: u64,
        /// Its number.
        seq: u64,
        /// The content of that place.
        reason: String,
    },
    /// A segment between two others is not there.
    #[error(
        "{file} is missing between older and newer segments; put it back, or restore a backup (`switchboard verify` lists \
         what else is damaged)"
    )]
    Gap {
        /// The missing file's name.
        file: String,
    },
    /// The oldest segment does not begin with record 1.
    #[error(
        "the journal does not begin with record 1: {file} is its oldest segment and begins with record {first}, so \
         records 1 to {last_missing} are missing; nothing was changed: put the missing segments back, or restore the data \
         directory from a backup (`switchboard verify` lists what else is damaged)"
    )]
    Headless {
        /// The name of the oldest file.
        file: String,
        /// Its first record.
        first: u64,
        /// The last record before that.
        last_missing: u64,
    },
    /// A file with the name of a segment does not begin like one. Damage there looks the same as a foreign file, so
    /// the text does not simply advise to remove it.
    #[error(
        "{file} does not begin as a journal segment does, from offset 0 on: restore it from a backup if it is a part of \
         the journal that was damaged, and move it out of the data directory only if it never was one (`switchboard verify` lists what else is \
         damaged)"
    )]
    Foreign {
        /// The file's name.
        file: String,
    },
    /// A later version wrote this.
    #[error("{file} has format version {found}, which this version cannot read; use the newer one")]
    Newer {
        /// The file's name.
        file: String,
        /// Its version.
        found: u32,
    },
    /// The operating system refused.
    #[error("cannot open {file}: {reason}")]
    Io {
        /// The file's name.
        file: String,
        /// The operating system's words.
        reason: String,
    },
}

impl JournalOpenError {
    pub(crate) fn io(disk: &dyn Disk, name: &str, error: &io::Error) -> Self {
        Self::Io {
            file: disk.describe(name),
            reason: error.to_string(),
        }
    }

    pub(crate) fn thread(error: &io::Error) -> Self {
        Self::Io {
            file: "the journal's thread".to_owned(),
            reason: error.to_string(),
        }
    }

    pub(crate) fn header(disk: &dyn Disk, number: u32, bad: SegmentHeaderError) -> Self {
        let file = disk.describe(&segment::name(number));
        match bad {
            SegmentHeaderError::Foreign => Self::Foreign { file },
            SegmentHeaderError::Newer(found) => Self::Newer { file, found },
            SegmentHeaderError::Short | SegmentHeaderError::Damaged => Self::Damaged {
                file,
                offset: 0,
                reason: "the header of the segment is not readable".to_owned(),
            },
        }
    }

    pub(super) fn missing(disk: &dyn Disk, at: Position, seq: Seq, reason: &str) -> Self {
        Self::Missing {
            file: disk.describe(&segment::name(at.segment)),
            offset: u64::from(at.offset),
            seq: seq.0,
            reason: reason.to_owned(),
        }
    }

    pub(crate) fn damaged(disk: &dyn Disk, number: u32, offset: u64, reason: &str) -> Self {
        Self::Damaged {
            file: disk.describe(&segment::name(number)),
            offset,
            reason: reason.to_owned(),
        }
    }
}
