//! Appends what the journal has new to the archive, and merges small objects into volumes.

use std::collections::BTreeMap;
use std::path::Path;

use switchboard_engine::store::portable::PortableGroups;

use crate::archive::begin::{Beginning, End};
use crate::archive::contents::Contents;
use crate::archive::entry::{Content, Entry, Header, Place, hash};
use crate::archive::position::Archived;
use crate::archive::reached::Reached;
use crate::archive::read_failure::ReadFailure;
use crate::archive::source::{Source, Trouble};
use crate::archive::store::{Created, Store, create_once};
use crate::archive::volume::{self, VolumeName};

/// When an entry has so many bytes, it takes no further group.
const ENTRY_BYTES: usize = 4 << 20;

/// When entries with objects of their own are merged into a volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergeAt {
    /// They have so many bytes together.
    pub(crate) bytes: u64,
    /// They are so many.
    pub(crate) entries: usize,
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
    store: &'s dyn Store,
    source: &'s Source,
    /// Where the archive is.
    to: &'s str,
    directory: &'s Path,
    /// The name of this process in its claim.
    process: &'s str,
    /// Whether other nodes of a shared log archive there.
    is_shared: bool,
    end: End,
    /// Entries with records that have an object of their own, with its size.
    loose: BTreeMap<Place, u64>,
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
        end: End,
        merge_at: MergeAt,
    ) -> Result<Self, Trouble> {
        let Beginning {
            store,
            to,
            source,
            directory,
            process,
            is_shared,
            ..
        } = *beginning;
        let contents = Contents::list(store)?;
        let mut loose = contents.loose.clone();
        loose.retain(|place, _| contents.volume_of(*place).is_none());
        for place in contents.loose.keys() {
            if !loose.contains_key(place) {
                remove_merged(store, *place);
            }
        }
        let shipper = Self {
            store,
            source,
            to,
            directory,
            process,
            is_shared,
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
    pub(crate) fn end(&self) -> &End {
        &self.end
    }

    /// Whether the journal has something that is not archived.
    pub(crate) fn is_behind(&self) -> bool {
        let end = self.source.reader.end();
        self.end.next.is_none_or(|next| next < end)
    }

    /// Appends everything that the journal has by now, unless it is over before, and merges.
    ///
    /// # Errors
    /// When it cannot go on now, or for ever.
    pub(crate) fn ship(
        &mut self,
        now: impl Fn() -> i64,
        is_over: impl Fn() -> bool,
    ) -> Result<(), Trouble> {
        let mut shipped = false;
        while !is_over() && self.ship_one(now())? {
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
    fn note_reached(&self) -> Result<(), Trouble> {
        let reached = Reached {
            place: self.end.place,
            id: self.end.id,
            last: self.end.last.0,
            installation: self.source.installation(),
        };
        Ok(reached.write(self.store)?)
    }

    /// Appends an entry. False: the journal has nothing new.
    fn ship_one(&mut self, now: i64) -> Result<bool, Trouble> {
        let (groups, entry) = match self.unsettled.take() {
            Some(unsettled) => unsettled,
            None => match self.source.reader.groups(self.end.next, ENTRY_BYTES)? {
                Some(mut groups) => {
                    let entry = self.entry(&mut groups, now);
                    (groups, entry)
                }
                None => return Ok(false),
            },
        };
        let bytes = entry.encode();
        let created = create_once(self.store, &entry.header.place.key(), &bytes);
        match created {
            Ok(Created::Stored) => {}
            Ok(Created::Taken) => {
                return Err(self.overtaken(entry.header.place));
            }
            Err(error) => {
                self.unsettled = Some((groups, entry));
                return Err(error.into());
            }
        }
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.loose.insert(entry.header.place, size);
        self.end = End {
            place: entry.header.place,
            id: entry.id,
            epoch: self.end.epoch,
            last: groups.last,
            next: Some(groups.next),
        };
        Ok(true)
    }

    /// An entry is not there any more that was there at the start.
    fn is_missing(&self, place: Place) -> Trouble {
        let object = self.store.describe(&place.key());
        if self.is_shared {
            let reason = format!("another node has merged {object} meanwhile");
            return Trouble::Overtaken(reason);
        }
        ReadFailure::Missing { object }.into()
    }

    /// The place of the next entry is taken.
    fn overtaken(&self, place: Place) -> Trouble {
        let (to, place) = (self.to, place.0);
        if self.is_shared {
            return Trouble::Overtaken(format!(
                "another node archives to {to} now: it has taken place {place}"
            ));
        }
        Trouble::Refused(format!(
            "another process archives to {to} now: it has taken place {place}; this process must not go on, since what it \
             acknowledges would not be in the archive"
        ))
    }

    fn entry(&self, groups: &mut PortableGroups, now: i64) -> Entry {
        let body = std::mem::take(&mut groups.bytes);
        let header = Header {
            place: self.end.place.next(),
            epoch: self.end.epoch,
            before: self.end.id,
            time: now,
            last: groups.last.0,
            stands_for: None,
            content: Content::Records {
                first: groups.first.0,
                sha256: hash(&body),
            },
        };
        Entry::new(header, body)
    }

    fn write_position(&self) -> Result<(), Trouble> {
        let archived = Archived {
            to: self.to.to_owned(),
            place: self.end.place,
            id: self.end.id,
            last: self.end.last.0,
            processes: vec![self.process.to_owned()],
            restored_at: None,
        };
        let written = archived.write(self.directory);
        written.map_err(|error| {
            Trouble::Local(format!(
                "cannot write to {}: {error}",
                self.directory.display()
            ))
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
    fn merge(&mut self) -> Result<(), Trouble> {
        let mut run: Vec<(Place, Vec<u8>)> = Vec::new();
        let mut gathered = 0_usize;
        let older: Vec<Place> = self
            .loose
            .keys()
            .copied()
            .filter(|place| *place < self.end.place)
            .collect();
        for place in older {
            if run.last().is_some_and(|(last, _)| last.next() != place) {
                self.merge_run(&std::mem::take(&mut run))?;
            }
            let object = || self.store.describe(&place.key());
            let bytes = self.store.get(&place.key())?;
            let Some(bytes) = bytes else {
                return Err(self.is_missing(place));
            };
            let entry = Entry::decode(&bytes).map_err(|bad| ReadFailure::Damaged {
                object: object(),
                reason: bad.to_string(),
            })?;
            match entry.header.content {
                // Each start reads the claims: they stay where they are found without decompression.
                Content::Claim { .. } => {
                    self.loose.remove(&place);
                    self.merge_run(&std::mem::take(&mut run))?;
                }
                Content::Records { .. } | Content::Lost => {
                    gathered = gathered.saturating_add(bytes.len());
                    run.push((place, bytes));
                }
            }
            if u64::try_from(gathered).is_ok_and(|bytes| bytes >= self.merge_at.bytes) {
                gathered = 0;
                self.merge_run(&std::mem::take(&mut run))?;
            }
        }
        self.merge_run(&run)
    }

    fn merge_run(&mut self, run: &[(Place, Vec<u8>)]) -> Result<(), Trouble> {
        let [(first, _), .., (last, _)] = run else {
            // One alone stays what it is.
            if let [(place, _)] = run {
                self.loose.remove(place);
            }
            return Ok(());
        };
        let name = VolumeName {
            first: *first,
            last: *last,
        };
        let bytes = volume::encode(run.iter().map(|(_, bytes)| bytes.as_slice()))
            .map_err(|error| Trouble::Local(error.to_string()))?;
        self.store.replace(&name.key(), &bytes)?;
        for (place, _) in run {
            remove_merged(self.store, *place);
            self.loose.remove(place);
        }
        Ok(())
    }
}

/// Removes an entry that a volume has. Where it stays, it does no harm: the next start tries again.
fn remove_merged(store: &dyn Store, place: Place) {
    if let Err(error) = store.remove(&place.key()) {
        tracing::warn!(%error, "an entry that was merged into a volume stays beside it");
    }
}
