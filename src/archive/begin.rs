//! The start: finds out up to which entry the archive has what the journal has, and claims the next place.

use std::io;
use std::path::Path;

use switchboard_engine::store::portable;
use switchboard_engine::store::{Position, Seq};

use crate::archive::IDENTITY;
use crate::archive::contents::Contents;
use crate::archive::entry::{Content, Entry, EntryId, Header, Place};
use crate::archive::position::Archived;
use crate::archive::reached::Reached;
use crate::archive::read_failure::ReadFailure;
use crate::archive::source::{Installations, Source, Trouble};
use crate::archive::store::{Created, Store, create_once};

fn local(error: io::Error) -> Trouble {
    Trouble::Local(error.to_string())
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
#[derive(Clone, Copy)]
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
        self.identify(known.as_ref())?;
        let reached = self.reached()?;
        if reached.is_none() {
            // Before the first entry, so that entries without this object have lost it.
            self.note_nothing()?;
        }
        let contents = Contents::list(self.store)?;
        self.check_end(&contents, reached.as_ref())?;
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
            (None, Some(known)) if known.place > Place(0) => {
                return Err(self.behind(&contents, known));
            }
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
    fn identify(&self, known: Option<&Archived>) -> Result<(), Trouble> {
        let own = &self.source.identity;
        if let Some(found) = self.store.get(IDENTITY)? {
            self.compare_identity(&found)?;
            if found != *own {
                // An upgrade has changed the format of the data since.
                self.store.replace(IDENTITY, own)?;
            }
        } else {
            if let Some(known) = known.filter(|it| it.place > Place(0)) {
                return Err(Trouble::Unfit(format!(
                    "there is no archive at {to}, and the data directory was archived there up to record {last}: is its disk mounted? If \
                     the archive is gone for good, `switchboard backup repair` begins it again",
                    to = self.to,
                    last = known.last
                )));
            }
            if Contents::list(self.store)?.newest().is_some() {
                let object = self.store.describe(IDENTITY);
                return Err(ReadFailure::Missing { object }.into());
            }
            if create_once(self.store, IDENTITY, own)? == Created::Taken {
                self.compare_identity(&self.store.get(IDENTITY)?.unwrap_or_default())?;
            }
        }
        if self.store.create(IDENTITY, own)? == Created::Stored {
            tracing::warn!(
                archive = self.to,
                "the store ignores the condition «only if the object is new»: it cannot notice a second process that archives to the same place; make sure that there is none"
            );
        }
        Ok(())
    }

    /// Refuses the identity of another installation.
    pub(crate) fn compare_identity(&self, found: &[u8]) -> Result<(), Trouble> {
        match Installations::of(found, &self.source.identity) {
            Installations::Same => Ok(()),
            Installations::Different => Err(Trouble::Unfit(format!(
                "the archive {} belongs to another installation; give this one an archive of its own (archive.to)",
                self.to
            ))),
            Installations::Damaged => Err(ReadFailure::Damaged {
                object: self.store.describe(IDENTITY),
                reason: "its checksum is not right".to_owned(),
            }
            .into()),
        }
    }

    /// How far the archive has reached. The object is written anew behind the claim: a damaged one does not matter.
    fn reached(&self) -> Result<Option<Reached>, Trouble> {
        match Reached::read(self.store) {
            Err(failure) if failure.is_damage() => {
                tracing::warn!("{failure}; it is written anew");
                Ok(None)
            }
            read => Ok(read?),
        }
    }

    /// Notes that it is not known how far the archive has reached.
    fn note_nothing(&self) -> Result<(), Trouble> {
        let reached = Reached {
            place: Place(0),
            id: EntryId::default(),
            last: 0,
            installation: self.source.installation(),
        };
        Ok(reached.write(self.store)?)
    }

    /// Refuses an archive that has lost its newest entries.
    fn check_end(&self, contents: &Contents, reached: Option<&Reached>) -> Result<(), Trouble> {
        let Some(reached) = reached else {
            return Ok(());
        };
        match contents.missing_end(Some(reached)) {
            Some(missing) if reached.place > Place(0) => {
                Err(self.ends_before(contents, (missing, reached.last)))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Claims the place behind `end`, to go on from `from`.
    fn claim(&self, end: &End, from: &End) -> Result<End, Trouble> {
        let header = Header {
            place: end.place.next(),
            epoch: end.epoch.saturating_add(1),
            before: end.id,
            time: self.now,
            last: from.last.0,
            stands_for: None,
            content: Content::Claim {
                from: from.place,
                process: self.process.to_owned(),
                installation: self.source.installation(),
            },
        };
        let claim = Entry::without_records(header);
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
                Content::Lost => {}
                Content::Claim { .. } | Content::Records { .. } => return Err(self.continued()),
            }
            self.compare(&entry, &mut shared)?;
        }
        Ok((shared, restored_at))
    }

    /// What the data directory says of the archive, if the archive says the same.
    fn confirmed(&self, contents: &Contents, known: &Archived) -> Result<End, Trouble> {
        let mut last = Seq(0);
        if known.place != Place::default() {
            let entry = match contents.read(self.store, known.place) {
                Err(ReadFailure::Missing { .. }) => return Err(self.behind(contents, known)),
                read => read?,
            };
            if entry.id != known.id {
                return Err(ReadFailure::Damaged {
                    object: self.store.describe(&known.place.key()),
                    reason: "it is not the entry that this data directory has archived".to_owned(),
                }
                .into());
            }
            last = entry.last();
        }
        let next = match last {
            Seq(0) => None,
            last => match self.source.reader.place_after(last)? {
                Some(next) => Some(next),
                None => return Err(self.lacks(last)?),
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
    pub(crate) fn compare(&self, entry: &Entry, shared: &mut End) -> Result<(), Trouble> {
        if !entry.body.is_empty() {
            let reader = &self.source.reader;
            let groups = reader.groups_through(shared.next, entry.last())?;
            let erased = |seq| self.source.has_erased(seq);
            let groups = groups.filter(|it| portable::agree(&it.bytes, &entry.body, erased));
            let Some(groups) = groups else {
                return Err(self.lacks(entry.last())?);
            };
            shared.last = entry.last();
            shared.next = Some(groups.next);
        }
        (shared.place, shared.id) = (entry.header.place, entry.id);
        Ok(())
    }

    /// The archive does not have the entry up to which the data directory was archived.
    fn behind(&self, contents: &Contents, known: &Archived) -> Trouble {
        self.ends_before(contents, (known.place, known.last))
    }

    /// The archive does not have an entry that it had, with the records up to this one.
    fn ends_before(&self, contents: &Contents, (missing, last): (Place, u64)) -> Trouble {
        let has = contents.newest().map_or(Ok(0), |newest| {
            let read = contents.read(self.store, newest);
            read.map(|entry| entry.header.last)
        });
        let has = has.map_or_else(
            |_damaged| "cannot be read at its end".to_owned(),
            |has| format!("has records up to {has}"),
        );
        let own = match self.source.reader.last() {
            Ok(own) => own.0.to_string(),
            Err(error) => return error.into(),
        };
        Trouble::Damaged(format!(
            "the archive {to} {has}, this data directory up to {own}: {object} is missing, with which it had records up to {last}",
            to = self.to,
            object = self.store.describe(&missing.key()),
        ))
    }

    /// The archive has records up to this one that the data directory does not have, or others.
    pub(crate) fn lacks(&self, last: Seq) -> Result<Trouble, Trouble> {
        let own = self.source.reader.last()?;
        let to = self.to;
        let which = if own < last {
            "that this data directory does not have"
        } else {
            "and some of them are not those of this data directory"
        };
        Ok(Trouble::Unfit(format!(
            "the archive {to} has records up to {last} {which}, which has records up to {own}; either restore the data \
             directory from it (switchboard restore --from {to} --to DIR), or archive to another place (archive.to)",
            last = last.0,
            own = own.0,
        )))
    }

    /// Another process goes on with the archive.
    pub(crate) fn continued(&self) -> Trouble {
        let to = self.to;
        Trouble::Refused(format!(
            "the archive {to} was continued by another process; either restore the data directory from it (switchboard restore --from {to} \
             --to DIR), or archive to another place (archive.to)"
        ))
    }
}
