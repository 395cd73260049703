//! Up to which entry a data directory is archived: a file in it, so that a start need not read the whole archive.

use std::io;

use serde::{Deserialize, Serialize};
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::verify::FileReport;

use crate::log_end::LogEnd;
use crate::position::Position;
use crate::position_file::PositionFile;

/// The name of the file in a data directory.
pub const FILE: &str = "archive-position";

const POSITION: PositionFile = PositionFile {
    name: FILE,
    unfinished: "archive-position.new",
    heading: "switchboard-archive-position 2 ",
    advice: "nothing is lost: the next start compares the whole archive with the journal, and writes the file again",
};

/// An entry up to which the archive has what the journal has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Archived {
    /// The address of the archive.
    pub(crate) to: String,
    /// The end of the archive with this entry.
    pub(crate) end: LogEnd,
    /// The processes of this data directory that may have claimed what comes behind. The claims of others mean that they
    /// went on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) processes: Vec<String>,
    /// The newest position at the moment of the restore that made the data directory. The next start goes on from the end, and
    /// leaves out what is between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) restored_at: Option<Position>,
}

impl Archived {
    /// Reads the note of the data directory about the archive at this address; `None`: there is none that can be read.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn read(disk: &dyn Disk, to: &str) -> io::Result<Option<Self>> {
        let archived: Option<Self> = POSITION.read(disk)?;
        Ok(archived.filter(|it| it.to == to))
    }

    /// Writes it. A power cut may undo that.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn write(&self, disk: &dyn Disk) -> io::Result<()> {
        POSITION.write_unsynced(disk, self)
    }

    /// Writes it, and makes it durable.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn store(&self, disk: &dyn Disk) -> io::Result<()> {
        POSITION.write(disk, self)
    }
}

/// Reports what is true of the file in a data directory; `None` when there is none.
///
/// # Errors
/// When the operating system refuses.
pub fn report(disk: &dyn Disk) -> io::Result<Option<FileReport>> {
    let note = |it: Archived| format!("archived up to record {}", it.end.last.0);
    POSITION.report(disk, note)
}
