//! Appends what the journal has new to the archive, and merges small objects into volumes.

use std::collections::BTreeMap;

use switchboard_engine::store::portable::PortableGroups;
use switchboard_engine::time::UnixMillis;

use super::archive_end::ArchiveEnd;
use super::archived::{Archived, FILE};
use super::begin::Beginning;
use super::contents::Contents;
use super::error::ArchiveError;
use super::reached::Reached;
use super::read_error::ArchiveReadError;
use super::volume::{self, VolumeName};
use crate::entry::{Content, Entry};
use crate::position::Position;
use crate::store::{Created, ENTRIES, Store, create_once};

/// The size of an entry, in bytes, at which it takes no further group.
pub(super) const ENTRY_BYTES: usize = 4 << 20;

/// The limits at which entries with objects of their own are merged into a volume.
#[derive(Clone, Copy, Debug)]
pub struct MergeAt {
    /// They have so many bytes together.
    pub bytes: u64,
    /// They are so many.
    pub entries: usize,
}

impl Default for MergeAt {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            entries: 10_000,
        }
    }
}

/// The end of the archive, open for writing.
pub(crate) struct Shipper<'s> {
    beginning: Beginning<'s>,
    end: ArchiveEnd,
    /// Entries with records that have an object of their own, with its size.
    loose: BTreeMap<Position, u64>,
    merge_at: MergeAt,
    /// Groups that were read and may be stored already: the same bytes are stored again until it is known that they are.
    unsettled: Option<(PortableGroups, Entry)>,
}

impl<'s> Shipper<'s> {
    /// Goes on behind the claim `end`. What a merge left behind goes.
    ///
    /// # Errors
    /// When the store refuses.
    pub(crate) fn new(
        beginning: &Beginning<'s>,
        end: ArchiveEnd,
        merge_at: MergeAt,
    ) -> Result<Self, ArchiveError> {
        let store = beginning.store;
        let contents = Contents::list(store)?;
        let mut loose = contents.loose.clone();
        loose.retain(|position, _| contents.volume_of(*position).is_none());
        for position in contents.loose.keys() {
            if !loose.contains_key(position) {
                remove_merged(store, *position);
            }
        }
        let shipper = Self {
            beginning: *beginning,
            end,
            loose,
            merge_at,
            unsettled: None,
        };
        shipper.note_reached()?;
        shipper.write_position()?;
        Ok(shipper)
    }

    /// The end of the archive.
    pub(crate) fn end(&self) -> &ArchiveEnd {
        &self.end
    }

    /// Appends everything that the journal has by now, unless it is over before, and merges. Calls `copy_files` before it
    /// appends records that it has read: so the archive has the files that they refer to first.
    ///
    /// # Errors
    /// When it cannot go on now, or for ever.
    pub(crate) fn ship(
        &mut self,
        now: impl Fn() -> UnixMillis,
        is_over: impl Fn() -> bool,
        mut copy_files: impl FnMut(),
    ) -> Result<(), ArchiveError> {
        let mut shipped = false;
        while !is_over() && self.ship_one(now(), &mut copy_files)? {
            shipped = true;
            // A thread that was left behind must not write over what its successor notes.
            if is_over() {
                return Ok(());
            }
            self.write_position()?;
            if self.is_merge_due() {
                self.note_reached()?;
                self.merge()?;
            }
        }
        if shipped && !is_over() {
            self.note_reached()?;
        }
        Ok(())
    }

    /// Notes in the archive which entry is the newest.
    fn note_reached(&self) -> Result<(), ArchiveError> {
        let reached = Reached {
            position: self.end.log.position,
            id: self.end.log.id,
            last: self.end.log.last,
            installation: self.beginning.source.installation(),
        };
        Ok(reached.write(self.beginning.store)?)
    }

    /// Appends an entry. False: the journal has nothing new.
    fn ship_one(
        &mut self,
        now: UnixMillis,
        copy_files: &mut impl FnMut(),
    ) -> Result<bool, ArchiveError> {
        let (groups, entry) = match self.unsettled.take() {
            Some(unsettled) => unsettled,
            None => {
                let reader = &self.beginning.source.reader;
                match reader.groups(self.end.next, ENTRY_BYTES)? {
                    Some(mut groups) => {
                        let entry = self.entry(&mut groups, now);
                        (groups, entry)
                    }
                    None => return Ok(false),
                }
            }
        };
        // Not before they are read: a record that came meanwhile may refer to a file that came with it.
        copy_files();
        let bytes = entry.encode();
        let position = entry.header.position;
        match create_once(self.beginning.store, &position.key(ENTRIES), &bytes) {
            Ok(Created::Stored) => {}
            Ok(Created::Taken) => return Err(self.overtaken(position)),
            Err(error) => {
                self.unsettled = Some((groups, entry));
                return Err(error.into());
            }
        }
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.loose.insert(position, size);
        self.end.log.advance(&entry);
        self.end.next = Some(groups.next);
        Ok(true)
    }

    /// An entry is not there any more that was there at the start.
    fn is_missing(&self, position: Position) -> ArchiveError {
        let missing = ArchiveReadError::missing(self.beginning.store, &position.key(ENTRIES));
        match &missing {
            ArchiveReadError::Missing { object } if self.beginning.is_shared => {
                let reason = format!("another node has merged {object} meanwhile");
                ArchiveError::Overtaken(reason)
            }
            ArchiveReadError::Store(_)
            | ArchiveReadError::Damaged { .. }
            | ArchiveReadError::Missing { .. } => missing.into(),
        }
    }

    /// The position of the next entry is taken.
    fn overtaken(&self, position: Position) -> ArchiveError {
        let to = self.beginning.to;
        if self.beginning.is_shared {
            return ArchiveError::Overtaken(format!(
                "another node archives to {to} now: it has taken place {position}"
            ));
        }
        ArchiveError::Refused(format!(
            "another process archives to {to} now: it has taken place {position}; this process must not go on, since what it \
             acknowledges would not be in the archive"
        ))
    }

    fn entry(&self, groups: &mut PortableGroups, now: UnixMillis) -> Entry {
        let body = std::mem::take(&mut groups.bytes);
        let content = Content::groups(groups.first, &body);
        Entry::new(self.end.log.next_header(now, groups.last, content), body)
    }

    fn write_position(&self) -> Result<(), ArchiveError> {
        let Beginning {
            to,
            source,
            process,
            ..
        } = self.beginning;
        let archived = Archived {
            to: to.to_owned(),
            end: self.end.log.clone(),
            processes: vec![process.to_owned()],
            restored_at: None,
        };
        archived.write(&*source.disk).map_err(|error| {
            let file = source.disk.describe(FILE);
            ArchiveError::Local(format!("cannot write {file}: {error}"))
        })
    }

    fn is_merge_due(&self) -> bool {
        let bytes = self
            .loose
            .values()
            .fold(0_u64, |sum, it| sum.saturating_add(*it));
        bytes >= self.merge_at.bytes || self.loose.len() >= self.merge_at.entries
    }

    /// Merges entries that follow each other into volumes; the newest one and claims stay.
    fn merge(&mut self) -> Result<(), ArchiveError> {
        let mut run: Vec<(Position, Vec<u8>)> = Vec::new();
        let mut gathered = 0_usize;
        let older: Vec<Position> = self
            .loose
            .keys()
            .copied()
            .filter(|position| *position < self.end.log.position)
            .collect();
        for position in older {
            if run.last().is_some_and(|(last, _)| last.next() != position) {
                self.merge_run(&std::mem::take(&mut run))?;
            }
            let key = position.key(ENTRIES);
            let Some(bytes) = self.beginning.store.get(&key)? else {
                return Err(self.is_missing(position));
            };
            let entry = Entry::decode(&bytes)
                .map_err(|bad| ArchiveReadError::damaged(self.beginning.store, &key, bad))?;
            if entry.header.is_permanent() {
                // Each start reads the claims: they stay where they are found without decompression.
                self.loose.remove(&position);
                self.merge_run(&std::mem::take(&mut run))?;
            } else {
                gathered = gathered.saturating_add(bytes.len());
                run.push((position, bytes));
            }
            if u64::try_from(gathered).is_ok_and(|bytes| bytes >= self.merge_at.bytes) {
                gathered = 0;
                self.merge_run(&std::mem::take(&mut run))?;
            }
        }
        self.merge_run(&run)
    }

    fn merge_run(&mut self, run: &[(Position, Vec<u8>)]) -> Result<(), ArchiveError> {
        let [(first, _), .., (last, _)] = run else {
            // One alone stays what it is.
            if let [(position, _)] = run {
                self.loose.remove(position);
            }
            return Ok(());
        };
        let name = VolumeName {
            first: *first,
            last: *last,
        };
        let bytes = volume::encode(run.iter().map(|(_, bytes)| bytes.as_slice()))
            .map_err(ArchiveError::local)?;
        self.beginning.store.replace(&name.key(), &bytes)?;
        for (position, _) in run {
            remove_merged(self.beginning.store, *position);
            self.loose.remove(position);
        }
        Ok(())
    }
}

/// Removes an entry that a volume has. Where it stays, it does no harm: the next start tries again.
fn remove_merged(store: &dyn Store, position: Position) {
    if let Err(error) = store.remove(&position.key(ENTRIES)) {
        tracing::warn!(%error, "an entry that was merged into a volume stays beside it");
    }
}
