//! The start: finds out up to which entry the archive has what the journal has, and claims the next position.

use switchboard_engine::store::Seq;
use switchboard_engine::store::portable;
use switchboard_engine::time::UnixMillis;

use super::archive_end::ArchiveEnd;
use super::archived::Archived;
use super::contents::Contents;
use super::error::ArchiveError;
use super::reached::Reached;
use super::read_error::ArchiveReadError;
use super::source::Source;
use crate::entry::{Claim, Claimant, Content, Entry, EntryId};
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::store::{Created, ENTRIES, IDENTITY, Installations, Store, create_once};

/// The knowledge that a start needs.
#[derive(Clone, Copy)]
pub(crate) struct Beginning<'b> {
    pub(crate) store: &'b dyn Store,
    /// The address of the archive, for people.
    pub(crate) to: &'b str,
    pub(crate) source: &'b Source,
    /// A name that no other process has.
    pub(crate) process: &'b str,
    /// True when other nodes of a shared log archive there, one at a time: what they archive is part of what this one has.
    pub(crate) is_shared: bool,
    /// The present time.
    pub(crate) now: UnixMillis,
}

impl Beginning<'_> {
    /// Claims the next position of the archive.
    ///
    /// # Errors
    /// When that is impossible now, or for ever.
    pub(crate) fn begin(&self) -> Result<ArchiveEnd, ArchiveError> {
        let disk = &*self.source.disk;
        let note = Archived::read(disk, self.to).map_err(ArchiveError::local)?;
        self.identify(note.as_ref())?;
        let reached = self.reached()?;
        if reached.is_none() {
            // Before the first entry, so that entries without this object have lost it.
            self.note_nothing()?;
        }
        let contents = Contents::list(self.store)?;
        self.check_end(&contents, reached.as_ref())?;
        let newest = match contents.newest() {
            Some(newest) => Some(contents.read(self.store, newest)?),
            None => None,
        };
        let (from, restored_at) = self.beginning_of(&contents, newest.as_ref(), note.as_ref())?;
        // Should this process end behind the claim, the next one knows that the claim was of this data directory.
        let mut processes = note.map_or_else(Vec::new, |it| it.processes);
        processes.push(self.process.to_owned());
        let archived = Archived {
            to: self.to.to_owned(),
            end: from.log.clone(),
            processes,
            restored_at,
        };
        archived.store(disk).map_err(ArchiveError::local)?;
        let newest = newest.as_ref().map(LogEnd::at).unwrap_or_default();
        let end = self.claim(newest, from)?;
        // No other process writes there from here on, unless there are other nodes.
        if !self.is_shared
            && let Err(error) = self.store.tidy()
        {
            tracing::warn!(%error, "what interrupted writes left in the archive stays there");
        }
        Ok(end)
    }

    /// The end from which this process goes on, and the newest position of what a restore left out.
    fn beginning_of(
        &self,
        contents: &Contents,
        newest: Option<&Entry>,
        note: Option<&Archived>,
    ) -> Result<(ArchiveEnd, Option<Position>), ArchiveError> {
        let is_restored = |newest: &Entry| {
            note.is_some_and(|note| note.restored_at == Some(newest.header.position))
        };
        match (newest, note) {
            (None, Some(note)) if note.end.position > Position(0) => {
                Err(self.behind(contents, note))
            }
            (None, _) => Ok((ArchiveEnd::default(), None)),
            // A directory that was restored, and nothing was archived since: what the restore left out does not count.
            (Some(newest), _) if self.is_shared && !is_restored(newest) => {
                Ok((self.of_nodes(newest)?, None))
            }
            (Some(_), Some(note)) => self.own(contents, note),
            (Some(_), None) => Ok((self.shared(contents)?, None)),
        }
    }

    /// Stores the identity in a new archive, and compares it with that of an older one.
    fn identify(&self, note: Option<&Archived>) -> Result<(), ArchiveError> {
        let own = &self.source.identity;
        if let Some(identity) = self.store.get(IDENTITY)? {
            self.compare_identity(&identity)?;
            if identity != *own {
                // An upgrade has changed the format of the data since.
                self.store.replace(IDENTITY, own)?;
            }
        } else {
            if let Some(note) = note.filter(|it| it.end.position > Position(0)) {
                return Err(ArchiveError::Unfit(format!(
                    "there is no archive at {to}, and the data directory was archived there up to record {last}: is its disk mounted? If \
                     the archive is lost, `switchboard backup repair` begins it again",
                    to = self.to,
                    last = note.end.last.0
                )));
            }
            if Contents::list(self.store)?.newest().is_some() {
                return Err(ArchiveReadError::missing(self.store, IDENTITY).into());
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
    pub(crate) fn compare_identity(&self, identity: &[u8]) -> Result<(), ArchiveError> {
        match Installations::compare(identity, &self.source.identity) {
            Installations::Same => Ok(()),
            Installations::Different => Err(ArchiveError::Unfit(format!(
                "the archive {} belongs to another installation; give this one an archive of its own (archive.to)",
                self.to
            ))),
            Installations::Newer(format) => Err(ArchiveError::Unfit(Installations::newer(format))),
            Installations::Damaged => {
                let reason = "its checksum is not right";
                Err(ArchiveReadError::damaged(self.store, IDENTITY, reason).into())
            }
        }
    }

    /// The newest position that the archive has reached. The object is written anew behind the claim: a damaged one does not matter.
    fn reached(&self) -> Result<Option<Reached>, ArchiveError> {
        match Reached::read(self.store) {
            Err(failure) if failure.is_damage() => {
                tracing::warn!("{failure}; it is written anew");
                Ok(None)
            }
            read => Ok(read?),
        }
    }

    /// Notes that it is not known how far the archive has reached.
    fn note_nothing(&self) -> Result<(), ArchiveError> {
        let reached = Reached {
            position: Position(0),
            id: EntryId::default(),
            last: Seq(0),
            installation: self.source.installation(),
        };
        Ok(reached.write(self.store)?)
    }

    /// Refuses an archive that has lost its newest entries.
    fn check_end(
        &self,
        contents: &Contents,
        reached: Option<&Reached>,
    ) -> Result<(), ArchiveError> {
        let Some(reached) = reached else {
            return Ok(());
        };
        match contents.missing_end(Some(reached)) {
            Some(missing) if reached.position > Position(0) => {
                Err(self.ends_before(contents, missing, reached.last))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Claims the position after `end`, to go on from `from`.
    fn claim(&self, mut end: LogEnd, from: ArchiveEnd) -> Result<ArchiveEnd, ArchiveError> {
        let claimant = Claimant::alone(self.process);
        let claim = Claim::new(from.log.position, claimant, self.source.installation());
        let entry = end.next_claim(self.now, from.log.last, claim);
        let position = entry.header.position;
        if create_once(self.store, &position.key(ENTRIES), &entry.encode())? == Created::Taken {
            // A request of this data directory that came late, or another process: the next look shows it.
            return Err(ArchiveError::Local(format!(
                "place {position} of the archive {} was taken at this moment",
                self.to
            )));
        }
        end.advance(&entry);
        let next = from.next;
        Ok(ArchiveEnd { log: end, next })
    }

    /// The newest entry, of whichever node: the log has ensured that all of them have the same history. What a node has erased,
    /// another may erase later.
    fn of_nodes(&self, newest: &Entry) -> Result<ArchiveEnd, ArchiveError> {
        let last = newest.header.last;
        let next = match last {
            Seq(0) => None,
            last => {
                let next = self.source.reader.place_after(last)?;
                Some(next.ok_or_else(|| {
                    ArchiveError::Local(format!(
                        "the archive {} has records up to {}, which another node has archived and this one does not have yet",
                        self.to, last.0
                    ))
                })?)
            }
        };
        let log = LogEnd::at(newest);
        Ok(ArchiveEnd { log, next })
    }

    /// The last entry that counts of an archive that the data directory says nothing of. The journal has to have all of
    /// it.
    fn shared(&self, contents: &Contents) -> Result<ArchiveEnd, ArchiveError> {
        let superseded = contents.superseded(self.store, |_| true)?;
        let mut shared = ArchiveEnd::default();
        for entry in contents.walk(self.store, Position(1)) {
            let entry = entry?;
            if !superseded.has(entry.header.position) {
                self.compare(&entry, &mut shared)?;
            }
        }
        Ok(shared)
    }

    /// The last entry that counts, from the one that the data directory names. What came behind it has to be of this data
    /// directory. Gives also what a restore left out.
    fn own(
        &self,
        contents: &Contents,
        note: &Archived,
    ) -> Result<(ArchiveEnd, Option<Position>), ArchiveError> {
        let mut shared = self.confirmed(contents, note)?;
        let mut restored_at = note.restored_at;
        let behind = restored_at
            .unwrap_or_default()
            .max(shared.log.position)
            .next();
        for entry in contents.walk(self.store, behind) {
            let entry = entry?;
            match &entry.header.content {
                Content::Claim(claim) if note.processes.contains(&claim.claimant.process) => {
                    restored_at = None;
                }
                Content::Groups { .. } if restored_at.is_none() => {}
                Content::Lost => {}
                Content::Claim(_)
                | Content::Groups { .. }
                | Content::Begin { .. }
                | Content::Heartbeat
                | Content::Release => return Err(self.continued()),
            }
            self.compare(&entry, &mut shared)?;
        }
        Ok((shared, restored_at))
    }

    /// The note of the data directory about the archive, if the archive says the same.
    fn confirmed(&self, contents: &Contents, note: &Archived) -> Result<ArchiveEnd, ArchiveError> {
        let end = &note.end;
        if end.position == Position(0) {
            return Ok(ArchiveEnd::default());
        }
        let entry = match contents.read(self.store, end.position) {
            Err(ArchiveReadError::Missing { .. }) => return Err(self.behind(contents, note)),
            read => read?,
        };
        if entry.id != end.id {
            let key = end.position.key(ENTRIES);
            let reason = "it is not the entry that this data directory has archived";
            return Err(ArchiveReadError::damaged(self.store, &key, reason).into());
        }
        let next = match entry.header.last {
            Seq(0) => None,
            last => match self.source.reader.place_after(last)? {
                Some(next) => Some(next),
                None => return Err(self.lacks(last)?),
            },
        };
        let log = LogEnd::at(&entry);
        Ok(ArchiveEnd { log, next })
    }

    /// Moves `shared` behind this entry. The journal has to have the same, but for what was erased here and is not
    /// erased there yet.
    pub(crate) fn compare(
        &self,
        entry: &Entry,
        shared: &mut ArchiveEnd,
    ) -> Result<(), ArchiveError> {
        if !entry.body.is_empty() {
            let reader = &self.source.reader;
            let last = entry.header.last;
            let groups = reader.groups_through(shared.next, last)?;
            let is_erased = |seq| self.source.has_erased(seq);
            let groups = groups.filter(|it| portable::agree(&it.bytes, &entry.body, is_erased));
            let Some(groups) = groups else {
                return Err(self.lacks(last)?);
            };
            shared.next = Some(groups.next);
        }
        shared.log.advance(entry);
        Ok(())
    }

    /// The archive does not have the entry up to which the data directory was archived.
    fn behind(&self, contents: &Contents, note: &Archived) -> ArchiveError {
        self.ends_before(contents, note.end.position, note.end.last)
    }

    /// The archive does not have an entry that it had, with the records up to this one.
    fn ends_before(&self, contents: &Contents, missing: Position, last: Seq) -> ArchiveError {
        let newest_record = contents.newest().map_or(Ok(Seq(0)), |newest| {
            let entry = contents.read(self.store, newest);
            entry.map(|entry| entry.header.last)
        });
        let extent = newest_record.map_or_else(
            |_damaged| "cannot be read at its end".to_owned(),
            |record| format!("has records up to {}", record.0),
        );
        let own = match self.source.reader.last() {
            Ok(own) => own.0.to_string(),
            Err(error) => return error.into(),
        };
        ArchiveError::Damaged(format!(
            "the archive {to} {extent}, this data directory up to {own}: {object} is missing, with which it had records up to {last}",
            to = self.to,
            object = self.store.describe(&missing.key(ENTRIES)),
            last = last.0,
        ))
    }

    /// The archive has records up to this one that the data directory does not have, or others.
    pub(crate) fn lacks(&self, last: Seq) -> Result<ArchiveError, ArchiveError> {
        let own = self.source.reader.last()?;
        let to = self.to;
        let which = if own < last {
            "that this data directory does not have"
        } else {
            "and some of them are not those of this data directory"
        };
        Ok(ArchiveError::Unfit(format!(
            "the archive {to} has records up to {last} {which}, which has records up to {own}; either restore the data \
             directory from it (switchboard restore --from {to} --to DIR), or archive to another place (archive.to)",
            last = last.0,
            own = own.0,
        )))
    }

    /// Another process goes on with the archive.
    pub(crate) fn continued(&self) -> ArchiveError {
        let to = self.to;
        ArchiveError::Refused(format!(
            "the archive {to} was continued by another process; either restore the data directory from it (switchboard restore --from {to} \
             --to DIR), or archive to another place (archive.to)"
        ))
    }
}
