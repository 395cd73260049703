//! What is archived: the journal, the identity of its installation, and what was erased; and why an archive of it does not go
//! on.

use std::sync::Arc;

use serde::Serialize;
use switchboard_actors::system::erasures::ErasureNote;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::ErasedRecords;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::identity::{Identity, InstallationTag};
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::{ReadError, Seq};

use crate::archive::read_failure::ReadFailure;
use crate::archive::store::StoreError;

/// Why the archive does not go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The store refuses; later it may not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object of the archive is damaged or missing.
    #[error("{0}; {REPAIR}")]
    Damaged(String),
    /// The journal or a file cannot be read.
    #[error("{0}")]
    Local(String),
    /// The archive is not that of this data directory. The service goes on without it.
    #[error("{0}")]
    Unfit(String),
    /// Another process archives there: what this process acknowledges would not be in the archive.
    #[error("{0}")]
    Refused(String),
    /// Another node of the same shared log archives there. What it archives is what this node has, so this one finds out
    /// where the archive ends and claims the next place.
    #[error("{0}")]
    Overtaken(String),
}

/// What to do about damage, while there is a data directory.
const REPAIR: &str = "`switchboard backup repair` writes again what the archive lacks, from the data directory of the running service";

impl From<ReadFailure> for Trouble {
    fn from(failure: ReadFailure) -> Self {
        match failure {
            ReadFailure::Store(error) => Self::Store(error),
            ReadFailure::Damaged { .. } | ReadFailure::Missing { .. } => {
                Self::Damaged(failure.to_string())
            }
        }
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Self {
        Self::Local(error.to_string())
    }
}

/// What is archived.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) reader: JournalReader,
    /// The identity of the installation, as its file has it.
    pub(crate) identity: Vec<u8>,
    /// What was erased from the journal.
    pub(crate) erasures: Vec<Erased>,
}

/// What an erasure has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Erased {
    /// The records that are gone or say something else now.
    pub(crate) records: ErasedRecords,
    /// Which files are gone.
    #[serde(skip)]
    pub(crate) note: ErasureNote,
}

impl Erased {
    /// Whether it has changed this record.
    pub(crate) fn has(&self, seq: Seq) -> bool {
        self.meets(seq, seq)
    }

    /// Whether it has changed one of these records.
    pub(crate) fn meets(&self, first: Seq, last: Seq) -> bool {
        let (erased, replaced) = (self.records.erased.iter(), self.records.replaced.iter());
        erased
            .chain(replaced)
            .any(|(from, to)| from <= last && first <= to)
    }
}

/// What two identities say of their installations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Installations {
    Same,
    Different,
    /// The first one cannot be read.
    Damaged,
}

impl Installations {
    /// Compares what was found with the own identity, whatever the formats of their data.
    pub(crate) fn of(found: &[u8], own: &[u8]) -> Self {
        let secret = |bytes| Identity::decode(bytes).map(|it| it.secret());
        match (secret(found), secret(own)) {
            (Err(_), _) => Self::Damaged,
            (Ok(found), Ok(own)) if found == own && own.is_some() => Self::Same,
            (Ok(_), _) => Self::Different,
        }
    }
}

impl Source {
    /// The journal on this disk, up to the frontier.
    pub(crate) fn new(
        disk: Arc<dyn Disk>,
        frontier: Frontier,
        identity: Vec<u8>,
        erasures: Vec<Erased>,
    ) -> Self {
        Self {
            reader: JournalReader::new(disk, frontier),
            identity,
            erasures,
        }
    }

    /// The installation that it is of.
    pub(crate) fn installation(&self) -> InstallationTag {
        let identity = Identity::decode(&self.identity);
        identity.map_or_else(|_damaged| InstallationTag::default(), |it| it.tag())
    }

    /// Whether an erasure has changed this record.
    pub(crate) fn has_erased(&self, seq: Seq) -> bool {
        self.erasures.iter().any(|it| it.has(seq))
    }
}
