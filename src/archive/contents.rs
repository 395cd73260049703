//! What is in an archive: its entries in the order of their places, and which of them count.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::archive::entry::{BadEntry, Content, ENTRIES, Entry, EntryId, Header, Place};
use crate::archive::reached::Reached;
use crate::archive::read_failure::ReadFailure;
use crate::archive::store::{Listed, Store, StoreError};
use crate::archive::volume::{self, BadVolume, VOLUMES, VolumeName};

/// The objects of an archive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    /// Entries with an object of their own, and its size.
    pub(crate) loose: BTreeMap<Place, u64>,
    /// Volumes by their first place, with their sizes.
    pub(crate) volumes: BTreeMap<Place, (VolumeName, u64)>,
}

impl Contents {
    /// Lists an archive.
    ///
    /// # Errors
    /// When the store refuses.
    pub(crate) fn list(store: &dyn Store) -> Result<Self, StoreError> {
        let name = |it: &Listed, prefix: &str| {
            let name = it.key.strip_prefix(prefix)?.strip_prefix('/')?;
            Some(name.to_owned())
        };
        let mut contents = Self::default();
        for listed in store.list(VOLUMES)? {
            let volume = name(&listed, VOLUMES).and_then(|name| name.parse::<VolumeName>().ok());
            if let Some(volume) = volume {
                contents.add_volume(volume, listed.bytes);
            }
        }
        for listed in store.list(ENTRIES)? {
            let place = name(&listed, ENTRIES).and_then(|name| name.parse::<Place>().ok());
            if let Some(place) = place {
                contents.loose.insert(place, listed.bytes);
            }
        }
        Ok(contents)
    }

    /// Adds a volume. Of two that begin at the same place the longer one counts: the other is its beginning, which a merge
    /// left behind.
    fn add_volume(&mut self, volume: VolumeName, bytes: u64) {
        let known = self.volumes.get(&volume.first);
        if known.is_none_or(|(known, _)| known.last < volume.last) {
            self.volumes.insert(volume.first, (volume, bytes));
        }
    }

    /// The volume that has this place.
    pub(crate) fn volume_of(&self, place: Place) -> Option<VolumeName> {
        let (_, (volume, _)) = self.volumes.range(..=place).next_back()?;
        (place <= volume.last).then_some(*volume)
    }

    /// The newest place; `None` of an empty archive.
    pub(crate) fn newest(&self) -> Option<Place> {
        let loose = self.loose.keys().next_back().copied();
        let merged = self.volumes.values().map(|(volume, _)| volume.last).max();
        loose.max(merged)
    }

    /// The sizes of all objects together.
    pub(crate) fn bytes(&self) -> u64 {
        let volumes = self.volumes.values().map(|(_, bytes)| *bytes);
        volumes
            .chain(self.loose.values().copied())
            .fold(0, u64::saturating_add)
    }

    /// Reads the entries from this place to that of the newest, in order, and checks that each names the one before.
    pub(crate) fn walk<'a>(&self, store: &'a dyn Store, from: Place) -> Entries<'a> {
        Entries {
            contents: self.clone(),
            newest: self.newest(),
            store,
            next: from,
            before: (from == Place(1)).then(EntryId::default),
            ready: Vec::new().into_iter(),
        }
    }

    /// The place that the archive has reached and has no entry for any more, if its end is gone.
    pub(crate) fn missing_end(&self, reached: Option<&Reached>) -> Option<Place> {
        let newest = self.newest().unwrap_or_default();
        let reached = reached.map_or(Place(1), |it| it.place.max(Place(1)));
        (newest < reached).then(|| newest.next())
    }

    /// The entry at this place.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub(crate) fn read(&self, store: &dyn Store, place: Place) -> Result<Entry, ReadFailure> {
        let mut entries = self.walk(store, place);
        let missing = || ReadFailure::Missing {
            object: store.describe(&place.key()),
        };
        entries.next().ok_or_else(missing)?
    }

    /// Which places count: behind a claim those from which it goes on do not, and neither does a claim that another one has
    /// left out. `is_past` says which claims were made by the moment that is asked for.
    ///
    /// # Errors
    /// When the store refuses. A damaged entry is no claim here; a walk reports it.
    pub(crate) fn superseded(
        &self,
        store: &dyn Store,
        is_past: impl Fn(&Header) -> bool,
    ) -> Result<Superseded, ReadFailure> {
        let claims = self.claims(store)?.into_iter();
        let past = claims.filter(|header| is_past(header));
        let from = |header: Header| match header.content {
            Content::Claim { from, .. } => Some((header.place, from)),
            Content::Records { .. } | Content::Lost => None,
        };
        Ok(Superseded::of(&past.filter_map(from).collect::<Vec<_>>()))
    }

    /// All claims.
    ///
    /// # Errors
    /// When the store refuses. A damaged entry is no claim here.
    pub(crate) fn claims(&self, store: &dyn Store) -> Result<Vec<Header>, ReadFailure> {
        let mut claims = Vec::new();
        for place in self.loose.keys() {
            // Claims are never merged into a volume.
            if self.volume_of(*place).is_some() {
                continue;
            }
            match self.read(store, *place) {
                Ok(entry) if matches!(entry.header.content, Content::Claim { .. }) => {
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

/// Ranges of places that do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Superseded(Vec<RangeInclusive<Place>>);

impl Superseded {
    /// What these claims, in ascending order, leave out: each goes on from a place before it.
    pub(crate) fn of(claims: &[(Place, Place)]) -> Self {
        let mut superseded = Vec::new();
        // Of the places before the claims behind this one, the newest that counts.
        let mut counts = Place(u64::MAX);
        for (at, from) in claims.iter().rev() {
            if *at > counts {
                continue;
            }
            let last = Place(at.0.saturating_sub(1));
            if from.next() <= last {
                superseded.push(from.next()..=last);
            }
            counts = *from;
        }
        Self(superseded)
    }

    /// Whether this place does not count.
    pub(crate) fn has(&self, place: Place) -> bool {
        self.0.iter().any(|range| range.contains(&place))
    }
}

/// A walk over entries; over after the first error.
pub(crate) struct Entries<'a> {
    contents: Contents,
    /// Where the walk ends, whatever is added meanwhile.
    newest: Option<Place>,
    store: &'a dyn Store,
    next: Place,
    /// The entry before, once it is known.
    before: Option<EntryId>,
    /// Entries of the volume that was read.
    ready: std::vec::IntoIter<Entry>,
}

impl Entries<'_> {
    fn load(&mut self) -> Result<Option<Entry>, ReadFailure> {
        let place = self.next;
        if self.newest.is_none_or(|newest| newest < place) {
            return Ok(None);
        }
        if let Some(entry) = self.ready.next() {
            return Ok(Some(entry));
        }
        let is_loose = self.contents.volume_of(place).is_none();
        if is_loose {
            match self.load_loose(place) {
                Err(ReadFailure::Missing { .. }) => self.contents = Contents::list(self.store)?,
                loaded => return loaded.map(Some),
            }
        }
        // It may have been merged into a volume meanwhile.
        let Some(volume) = self.contents.volume_of(place) else {
            return self.load_loose(place).map(Some);
        };
        let bytes = self.get(&volume.key())?;
        let entries = volume::decode(&bytes, volume.first).map_err(|bad: BadVolume| {
            ReadFailure::Damaged {
                object: self.store.describe(&volume.key()),
                reason: bad.to_string(),
            }
        })?;
        let skipped = usize::try_from(place.0.saturating_sub(volume.first.0));
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
            .ok_or_else(|| self.damaged(place, "it is too short"))
    }

    fn load_loose(&mut self, place: Place) -> Result<Entry, ReadFailure> {
        let bytes = self.get(&place.key())?;
        Entry::decode(&bytes).map_err(|bad: BadEntry| self.damaged(place, &bad.to_string()))
    }

    fn get(&self, key: &str) -> Result<Vec<u8>, ReadFailure> {
        self.store.get(key)?.ok_or_else(|| ReadFailure::Missing {
            object: self.store.describe(key),
        })
    }

    fn damaged(&self, place: Place, reason: &str) -> ReadFailure {
        let volume = self.contents.volume_of(place);
        let key = volume.map_or_else(|| place.key(), VolumeName::key);
        ReadFailure::Damaged {
            object: self.store.describe(&key),
            reason: reason.to_owned(),
        }
    }

    fn advance(&mut self) -> Result<Option<Entry>, ReadFailure> {
        let place = self.next;
        let Some(entry) = self.load()? else {
            return Ok(None);
        };
        if entry.header.place != place {
            let found = entry.header.place.0;
            return Err(self.damaged(place, &format!("it has the entry {found}")));
        }
        if self
            .before
            .is_some_and(|before| before != entry.header.before)
        {
            return Err(self.damaged(place, "it does not follow the entry before it"));
        }
        self.before = Some(entry.id);
        self.next = place.next();
        Ok(Some(entry))
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, ReadFailure>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.advance().transpose();
        if matches!(found, Some(Err(_))) {
            self.next = Place(u64::MAX);
            self.ready = Vec::new().into_iter();
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_was_left_out_leaves_nothing_out() {
        let counted = |claims: &[(u64, u64)]| -> Vec<u64> {
            let claims: Vec<_> = claims
                .iter()
                .map(|(at, from)| (Place(*at), Place(*from)))
                .collect();
            let superseded = Superseded::of(&claims);
            (1..=9)
                .filter(|place| !superseded.has(Place(*place)))
                .collect()
        };
        assert_eq!(counted(&[(1, 0)]), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(counted(&[(1, 0), (5, 2)]), [1, 2, 5, 6, 7, 8, 9]);
        // The restore to place 2 was a mistake; the next one went to place 4.
        assert_eq!(counted(&[(1, 0), (5, 2), (7, 4)]), [1, 2, 3, 4, 7, 8, 9]);
        assert_eq!(counted(&[(1, 0), (5, 2), (8, 6)]), [1, 2, 5, 6, 8, 9]);
    }
}
