//! The start: finds out up to which entry the archive has what the journal has, and claims the next place.

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use switchboard_actors::system::erasures::ErasureNote;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::ErasedRecords;
use switchboard_engine::store::frontier::Frontier;
use switchboard_engine::store::portable;
use switchboard_engine::store::reader::JournalReader;
use switchboard_engine::store::{Position, ReadError, Seq};

use crate::archive::IDENTITY;
use crate::archive::contents::{Contents, ReadFailure};
use crate::archive::entry::{Content, Entry, EntryId, Header, Place};
use crate::archive::position::Archived;
use crate::archive::store::{Created, Store, StoreError, create_once};

/// Why the archive does not go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The store refuses; later it may not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ReadFailure),
    /// The journal or a file cannot be read.
    #[error("{0}")]
    Local(String),
    /// Another process archives there: what this process acknowledges would not be in the archive.
    #[error("{0}")]
    Refused(String),
    /// Another node of the same shared log archives there. What it archives is what this node has, so this one finds out
    /// where the archive ends and claims the next place.
    #[error("{0}")]
    Overtaken(String),
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
        let ranges = self
            .records
            .erased
            .iter()
            .chain(self.records.replaced.iter());
        ranges
            .into_iter()
            .any(|(first, last)| (first..=last).contains(&seq))
    }

    /// Whether it has changed one of these records.
    pub(crate) fn meets(&self, first: Seq, last: Seq) -> bool {
        let ranges = self
            .records
            .erased
            .iter()
            .chain(self.records.replaced.iter());
        ranges
            .into_iter()
            .any(|(from, to)| from <= last && first <= to)
    }
}

fn local(error: io::Error) -> Trouble {
    Trouble::Local(error.to_string())
}

/// Whether two identities are of one installation, whatever the formats of their data.
pub(crate) fn is_same_installation(one: &[u8], other: &[u8]) -> bool {
    one == other || id_space(one).is_some_and(|one| id_space(other) == Some(one))
}

/// What an identity says of its installation, whatever its format.
pub(crate) fn id_space(identity: &[u8]) -> Option<serde_json::Value> {
    let identity = serde_json::from_slice::<serde_json::Value>(identity).ok()?;
    identity.get("id_space").cloned()
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
}

/// The end of the archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct End {
    /// The newest entry.
    pub(crate) place: Place,
    pub(crate) id: EntryId,
    pub(crate) epoch: u64,
    /// The last record of the journal that is in the archive.
    pub(crate) last: Seq,
    /// Where the next records are; none at the beginning.
    pub(crate) next: Option<Position>,
}

/// What a start needs to know.
pub(crate) struct Beginning<'b> {
    pub(crate) store: &'b dyn Store,
    /// Where the archive is, for people.
    pub(crate) to: &'b str,
    pub(crate) source: &'b Source,
    /// The data directory.
    pub(crate) directory: &'b Path,
    /// A name that no other process has.
    pub(crate) process: &'b str,
    /// Whether other nodes of a shared log archive there, one at a time: what they archive is part of what this one has.
    pub(crate) is_shared: bool,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
}

impl Beginning<'_> {
    /// Claims the next place of the archive.
    ///
    /// # Errors
    /// When that is impossible now, or for ever.
    pub(crate) fn begin(&self) -> Result<End, Trouble> {
        let known = Archived::read(self.directory, self.to).map_err(local)?;
        if let Some(known) = &known
            && known.place != Place::default()
            && self.store.get(IDENTITY)?.is_none()
        {
            return Err(Trouble::Local(format!(
                "there is no archive at {}, and the data directory was archived there up to record {}: is its disk mounted? If                  the archive is gone for good, remove archive.json from the data directory",
                self.to, known.last
            )));
        }
        self.identify()?;
        if self.store.create(IDENTITY, &self.source.identity)? == Created::Stored {
            tracing::warn!(
                archive = self.to,
                "the store ignores the condition «only if the object is new»: it cannot notice a second process that archives to the same place; make sure that there is none"
            );
        }
        let contents = Contents::list(self.store)?;
        let mut processes = known
            .as_ref()
            .map_or_else(Vec::new, |it| it.processes.clone());
        processes.push(self.process.to_owned());
        let newest = match contents.newest() {
            Some(newest) => Some(contents.read(self.store, newest)?),
            None => None,
        };
        let restored =
            |known: &Archived, newest: &Entry| known.restored_at == Some(newest.header.place);
        let (from, restored_at) = match (&newest, &known) {
            (None, _) => (End::default(), None),
            // A directory that was restored, and nothing was archived since: what the restore left out does not count.
            (Some(newest), known)
                if self.is_shared && !known.as_ref().is_some_and(|it| restored(it, newest)) =>
            {
                (self.of_nodes(newest)?, None)
            }
            (Some(_), Some(known)) => self.own(&contents, known)?,
            (Some(_), None) => (self.shared(&contents)?, None),
        };
        // Should this process end behind the claim, the next one knows that the claim was of this data directory.
        let archived = Archived {
            to: self.to.to_owned(),
            place: from.place,
            id: from.id,
            last: from.last.0,
            processes,
            restored_at,
        };
        archived.store(self.directory).map_err(local)?;
        let end = newest.map_or_else(End::default, |newest| End {
            place: newest.header.place,
            id: newest.id,
            epoch: newest.header.epoch,
            last: Seq(0),
            next: None,
        });
        let end = self.claim(&end, &from)?;
        // No other process writes there from here on, unless there are other nodes.
        if !self.is_shared
            && let Err(error) = self.store.tidy()
        {
            tracing::warn!(%error, "what interrupted writes left in the archive stays there");
        }
        Ok(end)
    }

    /// Stores the identity in a new archive, and compares it with that of an older one.
    fn identify(&self) -> Result<(), Trouble> {
        let own = &self.source.identity;
        if create_once(self.store, IDENTITY, own)? == Created::Stored {
            return Ok(());
        }
        let found = self.store.get(IDENTITY)?.unwrap_or_default();
        if !is_same_installation(&found, own) {
            return Err(Trouble::Refused(format!(
                "the archive {} belongs to another installation; give this one an archive of its own (archive.to)",
                self.to
            )));
        }
        // An upgrade has changed the format of the data since.
        Ok(self.store.replace(IDENTITY, own)?)
    }

    /// Claims the place behind `end`, to go on from `from`.
    fn claim(&self, end: &End, from: &End) -> Result<End, Trouble> {
        let header = Header {
            place: end.place.next(),
            epoch: end.epoch.saturating_add(1),
            before: end.id,
            time: self.now,
            last: from.last.0,
            content: Content::Claim {
                from: from.place,
                process: self.process.to_owned(),
            },
        };
        let claim = Entry::claim(header);
        if create_once(self.store, &claim.header.place.key(), &claim.encode())? == Created::Taken {
            // A request of this data directory that came late, or another process: the next look shows it.
            return Err(Trouble::Local(format!(
                "place {} of the archive {} was taken at this moment",
                claim.header.place.0, self.to
            )));
        }
        Ok(End {
            place: claim.header.place,
            id: claim.id,
            epoch: claim.header.epoch,
            last: from.last,
            next: from.next,
        })
    }

    /// The newest entry, of whichever node: the log has ensured that all of them have the same history. What a node has erased,
    /// another may erase later.
    fn of_nodes(&self, newest: &Entry) -> Result<End, Trouble> {
        let last = Seq(newest.header.last);
        let next = match last {
            Seq(0) => None,
            last => {
                let next = self.source.reader.place_after(last)?;
                Some(next.ok_or_else(|| {
                    Trouble::Local(format!(
                        "the archive {} has records up to {}, which another node has archived and this one does not have yet",
                        self.to, last.0
                    ))
                })?)
            }
        };
        Ok(End {
            place: newest.header.place,
            id: newest.id,
            epoch: 0,
            last,
            next,
        })
    }

    /// The last entry that counts of an archive that the data directory says nothing of. The journal has to have all of
    /// it.
    fn shared(&self, contents: &Contents) -> Result<End, Trouble> {
        let superseded = contents.superseded(self.store, |_| true)?;
        let mut shared = End::default();
        for entry in contents.walk(self.store, Place(1)) {
            let entry = entry?;
            if !superseded.has(entry.header.place) {
                self.compare(&entry, &mut shared)?;
            }
        }
        Ok(shared)
    }

    /// The last entry that counts, from the one that the data directory names. What came behind it has to be of this data
    /// directory. Gives also what a restore left out.
    fn own(&self, contents: &Contents, known: &Archived) -> Result<(End, Option<Place>), Trouble> {
        let mut shared = self.confirmed(contents, known)?;
        let mut restored_at = known.restored_at;
        let behind = restored_at.unwrap_or_default().max(shared.place).next();
        for entry in contents.walk(self.store, behind) {
            let entry = entry?;
            match &entry.header.content {
                Content::Claim { process, .. } if known.processes.contains(process) => {
                    restored_at = None;
                }
                Content::Records { .. } if restored_at.is_none() => {}
                Content::Claim { .. } | Content::Records { .. } => {
                    return Err(self.refused("was continued by another process"));
                }
            }
            self.compare(&entry, &mut shared)?;
        }
        Ok((shared, restored_at))
    }

    /// What the data directory says of the archive, if the archive says the same.
    fn confirmed(&self, contents: &Contents, known: &Archived) -> Result<End, Trouble> {
        if known.place != Place::default() {
            let found = match contents.read(self.store, known.place) {
                Err(ReadFailure::Missing { .. }) => None,
                read => Some(read?),
            };
            if found.is_none_or(|found| found.id != known.id) {
                return Err(self.refused("is not the one that this data directory was archived to"));
            }
        }
        let last = Seq(known.last);
        let next = match last {
            Seq(0) => None,
            last => match self.source.reader.place_after(last)? {
                Some(next) => Some(next),
                None => return Err(self.lacks(last)),
            },
        };
        Ok(End {
            place: known.place,
            id: known.id,
            epoch: 0,
            last,
            next,
        })
    }

    /// Moves `shared` behind this entry. The journal has to have the same, but for what was erased here and is not
    /// erased there yet.
    fn compare(&self, entry: &Entry, shared: &mut End) -> Result<(), Trouble> {
        if !entry.body.is_empty() {
            let changed = |seq| self.source.erasures.iter().any(|it| it.has(seq));
            let groups = self
                .source
                .reader
                .groups_through(shared.next, entry.last())?;
            let groups = groups.filter(|it| portable::agree(&it.bytes, &entry.body, changed));
            let Some(groups) = groups else {
                return Err(self.lacks(entry.last()));
            };
            shared.last = entry.last();
            shared.next = Some(groups.next);
        }
        (shared.place, shared.id) = (entry.header.place, entry.id);
        Ok(())
    }

    fn lacks(&self, last: Seq) -> Trouble {
        self.refused(&format!(
            "has records up to {} that this data directory does not have",
            last.0
        ))
    }

    fn refused(&self, why: &str) -> Trouble {
        Trouble::Refused(format!(
            "the archive {to} {why}; either restore the data directory from it (switchboard restore --from {to} --to DIR), or \
             archive to another place (archive.to)",
            to = self.to
        ))
    }
}
