//! Up to which entry a data directory is archived: a file in it, so that a start need not read the whole archive.
//!
//! The file may be older than the archive, missing or damaged: a start compares what came after it, or all of the archive.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use switchboard_engine::store::disk::whole_file;
use switchboard_engine::store::small_file;
use switchboard_engine::store::verify::{Damage, FileReport, FileState};

use crate::archive::entry::{EntryId, Place};

/// The name of the file in a data directory.
pub(crate) const FILE: &str = "archive-position";
const HEADING: &str = "switchboard-archive-position 1 ";
/// What to do about damage of the file.
const COMPARE: &str = "nothing is lost: the next start compares the whole archive with the journal, and writes the file again";

/// An entry up to which the archive has what the journal has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Archived {
    /// Where the archive is.
    pub(crate) to: String,
    pub(crate) place: Place,
    pub(crate) id: EntryId,
    /// The last record that the archive has with this entry.
    pub(crate) last: u64,
    /// The processes of this data directory that may have claimed what comes behind. The claims of others mean that they
    /// went on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) processes: Vec<String>,
    /// The newest place at the moment of the restore that made the data directory. The next start goes on from `place`, and
    /// leaves out what is between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) restored_at: Option<Place>,
}

impl Archived {
    fn path(directory: &Path) -> PathBuf {
        directory.join(FILE)
    }

    /// What the directory says of the archive at this address; `None` when it says nothing that can be read.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn read(directory: &Path, to: &str) -> io::Result<Option<Self>> {
        let text = match fs::read(Self::path(directory)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let read = small_file::decode::<Self>(&text, HEADING).ok();
        Ok(read.filter(|read| read.to == to))
    }

    /// What is true of the file in a data directory; `None` when there is none.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn verify(directory: &Path) -> io::Result<Option<FileReport>> {
        let text = match fs::read(Self::path(directory)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        let mut report = FileReport::sound(FILE, bytes, "");
        match small_file::decode::<Self>(&text, HEADING) {
            Ok(read) => report.note = format!("archived up to record {}", read.last),
            Err(error) => {
                let damage = Damage::whole(bytes, error.to_string(), COMPARE);
                report.add(FileState::Rebuildable, damage);
            }
        }
        Ok(Some(report))
    }

    /// Writes it. A power cut may undo that.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn write(&self, directory: &Path) -> io::Result<()> {
        let text = small_file::encode(HEADING, self)?;
        let text = String::from_utf8(text).map_err(io::Error::other)?;
        whole_file::write(&Self::path(directory), &text, whole_file::PRIVATE)
    }

    /// Writes it, and makes it durable.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn store(&self, directory: &Path) -> io::Result<()> {
        self.write(directory)?;
        fs::File::open(Self::path(directory))?.sync_all()?;
        fs::File::open(directory)?.sync_all()
    }
}
