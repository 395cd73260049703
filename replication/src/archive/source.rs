//! The source of an archive: the journal and the files beside it, the identity of its installation, and what was erased.

use std::sync::Arc;

use switchboard_engine::store::Seq;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::ErasedRecords;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::identity::{Identity, InstallationTag};
use switchboard_engine::store::reader::JournalReader;

use crate::files::JournalFiles;

/// The source of an archive.
#[derive(Debug)]
pub struct Source {
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) reader: JournalReader,
    /// The identity of the installation, as its file has it.
    pub(crate) identity: Vec<u8>,
    /// The erasures of the journal.
    pub(crate) erasures: Vec<ErasedRecords>,
    pub(crate) files: JournalFiles,
}

impl Source {
    /// The journal on this disk, up to the frontier, and the files beside it.
    #[must_use]
    pub fn new(
        disk: Arc<dyn Disk>,
        frontier: Frontier,
        identity: Vec<u8>,
        erasures: Vec<ErasedRecords>,
        files: JournalFiles,
    ) -> Self {
        Self {
            reader: JournalReader::new(Arc::clone(&disk), frontier),
            disk,
            identity,
            erasures,
            files,
        }
    }

    /// The installation that it is of.
    pub(crate) fn installation(&self) -> InstallationTag {
        let identity = Identity::decode(&self.identity);
        identity.map_or_else(|_damaged| InstallationTag::default(), |it| it.tag())
    }

    /// Returns whether an erasure has changed this record.
    pub(crate) fn has_erased(&self, seq: Seq) -> bool {
        self.erasures.iter().any(|it| it.touches(seq, seq))
    }
}
