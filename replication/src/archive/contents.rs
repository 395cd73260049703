//! The contents of an archive: its entries in the order of their positions, and which of them count.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::reached::Reached;
use super::read_error::ArchiveReadError;
use super::volume::{self, VolumeName};
use crate::chain::check_link;
use crate::entry::{Entry, EntryHeader, EntryId};
use crate::position::Position;
use crate::store::{ENTRIES, Store, StoreError, VOLUMES};

/// The objects of an archive.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Entries with an object of their own, and its size.
    pub(crate) loose: BTreeMap<Position, u64>,
    /// Volumes by their first position, with their sizes.
    pub(crate) volumes: BTreeMap<Position, (VolumeName, u64)>,
}

impl Contents {
    /// Lists an archive.
    ///
    /// # Errors
    /// When the store refuses.
    pub fn list(store: &dyn Store) -> Result<Self, StoreError> {
        let mut contents = Self::default();
        for object in store.list(VOLUMES)? {
            if let Some(volume) = VolumeName::from_key(&object.key) {
                contents.add_volume(volume, object.bytes);
            }
        }
        for object in store.list(ENTRIES)? {
            if let Some(position) = Position::from_key(&object.key, ENTRIES) {
                contents.loose.insert(position, object.bytes);
            }
        }
        Ok(contents)
    }

    /// Adds a volume. Of two that begin at the same position the longer one counts: the other is its beginning, which a merge
    /// left behind.
    fn add_volume(&mut self, volume: VolumeName, bytes: u64) {
        let longest = self.volumes.get(&volume.first);
        if longest.is_none_or(|(longest, _)| longest.last < volume.last) {
            self.volumes.insert(volume.first, (volume, bytes));
        }
    }

    /// The volume that has this position.
    pub(crate) fn volume_of(&self, position: Position) -> Option<VolumeName> {
        let (_, (volume, _)) = self.volumes.range(..=position).next_back()?;
        (position <= volume.last).then_some(*volume)
    }

    /// The newest position; `None` of an empty archive.
    pub fn newest(&self) -> Option<Position> {
        let newest_loose = self.loose.keys().next_back().copied();
        let newest_in_volumes = self.volumes.values().map(|(volume, _)| volume.last).max();
        newest_loose.max(newest_in_volumes)
    }

    /// The sizes of all objects together.
    pub(crate) fn bytes(&self) -> u64 {
        let volumes = self.volumes.values().map(|(_, bytes)| *bytes);
        volumes
            .chain(self.loose.values().copied())
            .fold(0, u64::saturating_add)
    }

    /// Reads the entries from this position to that of the newest, in order, and checks that each names the one before.
    pub(crate) fn walk<'a>(&self, store: &'a dyn Store, from: Position) -> Entries<'a> {
        Entries {
            contents: self.clone(),
            newest: self.newest(),
            store,
            next: from,
            before: (from == Position(1)).then(EntryId::default),
            ready: Vec::new().into_iter(),
        }
    }

    /// The position that the archive has reached and has no entry for any more, if its end is gone.
    pub(crate) fn missing_end(&self, reached: Option<&Reached>) -> Option<Position> {
        let newest = self.newest().unwrap_or_default();
        let reached = reached.map_or(Position(1), |it| it.position.max(Position(1)));
        (newest < reached).then(|| newest.next())
    }

    /// The entry at this position.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub(crate) fn read(
        &self,
        store: &dyn Store,
        position: Position,
    ) -> Result<Entry, ArchiveReadError> {
        let mut entries = self.walk(store, position);
        let missing = || ArchiveReadError::missing(store, &position.key(ENTRIES));
        entries.next().ok_or_else(missing)?
    }

    /// Returns the positions that do not count: behind a claim those from which it goes on do not, and neither does a claim that another one has
    /// left out. `is_past` says which claims were made by the moment that is asked for.
    ///
    /// # Errors
    /// When the store refuses. A damaged entry is no claim here; a walk reports it.
    pub(crate) fn superseded(
        &self,
        store: &dyn Store,
        is_past: impl Fn(&EntryHeader) -> bool,
    ) -> Result<Superseded, ArchiveReadError> {
        let claims = self.claims(store)?;
        let past = claims.iter().filter(|header| is_past(header));
        Ok(Superseded::new(past.filter_map(|header| {
            Some((header.position, header.content.claim()?.from))
        })))
    }

    /// All claims.
    ///
    /// # Errors
    /// When the store refuses. A damaged entry is no claim here.
    pub(crate) fn claims(&self, store: &dyn Store) -> Result<Vec<EntryHeader>, ArchiveReadError> {
        let mut claims = Vec::new();
        for position in self.loose.keys() {
            // Claims are never merged into a volume.
            if self.volume_of(*position).is_some() {
                continue;
            }
            match self.read(store, *position) {
                Ok(entry) if entry.header.content.claim().is_some() => {
                    claims.push(entry.header);
                }
                Ok(_) => {}
                Err(failure) if failure.is_damage() => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(claims)
    }
}

/// Ranges of positions that do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Superseded(Vec<RangeInclusive<Position>>);

impl Superseded {
    /// The positions that these claims, in ascending order, leave out: each goes on from a position before it.
    pub(crate) fn new(claims: impl IntoIterator<Item = (Position, Position)>) -> Self {
        let claims: Vec<_> = claims.into_iter().collect();
        let mut superseded = Vec::new();
        // Of the positions before the claims behind this one, the newest that counts.
        let mut counts = Position(u64::MAX);
        for (at, from) in claims.iter().rev() {
            if *at > counts {
                continue;
            }
            let last = at.previous();
            if from.next() <= last {
                superseded.push(from.next()..=last);
            }
            counts = *from;
        }
        Self(superseded)
    }

    /// Returns whether this position does not count.
    pub(crate) fn has(&self, position: Position) -> bool {
        self.0.iter().any(|range| range.contains(&position))
    }
}

/// A walk over entries; over after the first error.
pub(crate) struct Entries<'a> {
    contents: Contents,
    /// The end of the walk, whatever is added meanwhile.
    newest: Option<Position>,
    store: &'a dyn Store,
    next: Position,
    /// The entry before, once it is known.
    before: Option<EntryId>,
    /// Entries of the volume that was read.
    ready: std::vec::IntoIter<Entry>,
}

impl Entries<'_> {
    fn load(&mut self) -> Result<Option<Entry>, ArchiveReadError> {
        let position = self.next;
        if self.newest.is_none_or(|newest| newest < position) {
            return Ok(None);
        }
        if let Some(entry) = self.ready.next() {
            return Ok(Some(entry));
        }
        let is_loose = self.contents.volume_of(position).is_none();
        if is_loose {
            match self.load_loose(position) {
                Err(ArchiveReadError::Missing { .. }) => {
                    self.contents = Contents::list(self.store)?
                }
                loaded => return loaded.map(Some),
            }
        }
        // It may have been merged into a volume meanwhile.
        let Some(volume) = self.contents.volume_of(position) else {
            return self.load_loose(position).map(Some);
        };
        let bytes = self.get(&volume.key())?;
        let entries = volume::decode(&bytes, volume.first)
            .map_err(|bad| ArchiveReadError::damaged(self.store, &volume.key(), bad))?;
        let skipped = usize::try_from(position.0.saturating_sub(volume.first.0));
        let mut entries = entries.into_iter();
        for _ in 0..skipped.unwrap_or(usize::MAX) {
            if entries.next().is_none() {
                break;
            }
        }
        self.ready = entries;
        let first = self.ready.next();
        first
            .map(Some)
            .ok_or_else(|| self.damaged(position, "it is too short"))
    }

    fn load_loose(&mut self, position: Position) -> Result<Entry, ArchiveReadError> {
        let bytes = self.get(&position.key(ENTRIES))?;
        Entry::decode(&bytes).map_err(|bad| self.damaged(position, bad))
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, ArchiveReadError> {
        let bytes = self.store.get(key)?;
        bytes.ok_or_else(|| ArchiveReadError::missing(self.store, key))
    }

    fn damaged(&self, position: Position, reason: impl ToString) -> ArchiveReadError {
        let volume = self.contents.volume_of(position);
        let key = volume.map_or_else(|| position.key(ENTRIES), VolumeName::key);
        ArchiveReadError::damaged(self.store, &key, reason)
    }

    fn advance(&mut self) -> Result<Option<Entry>, ArchiveReadError> {
        let position = self.next;
        let Some(entry) = self.load()? else {
            return Ok(None);
        };
        check_link(&entry.header, position, self.before)
            .map_err(|reason| self.damaged(position, reason))?;
        self.before = Some(entry.id);
        self.next = position.next();
        Ok(Some(entry))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, ArchiveReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.advance().transpose();
        if matches!(item, Some(Err(_))) {
            self.next = Position(u64::MAX);
            self.ready = Vec::new().into_iter();
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_was_left_out_leaves_nothing_out() {
        let positions = |claims: &[(u64, u64)]| -> Vec<u64> {
            let claims = claims
                .iter()
                .map(|(at, from)| (Position(*at), Position(*from)));
            let superseded = Superseded::new(claims);
            (1..=9)
                .filter(|position| !superseded.has(Position(*position)))
                .collect()
        };
        assert_eq!(positions(&[(1, 0)]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(positions(&[(1, 0), (5, 2)]), [1, 2, 5, 6, 7, 8, 9]);
        // The restore to position 2 was a mistake; the next one went to position 4.
        assert_eq!(positions(&[(1, 0), (5, 2), (7, 4)]), [1, 2, 3, 4, 7, 8, 9]);
        assert_eq!(positions(&[(1, 0), (5, 2), (8, 6)]), [1, 2, 5, 6, 8, 9]);
    }
}
