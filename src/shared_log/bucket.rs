//! A shared log in the store of the archive: an object for each entry, which is created only if its key is new.
//!
//! ```text
//! log/0000000000000001      the first claim
//! log/0000000000000002      …
//! ```

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use bytes::Bytes;
use switchboard_engine::store::shared_log::entry::Entry;
use switchboard_engine::store::shared_log::{
    Extent, LogError, NotAppended, Place, SharedLog, Stored,
};

use crate::archive::store::{Created, Store, StoreError};

/// What the keys of entries begin with.
const PREFIX: &str = "log";
/// An entry has so many bytes at most.
const ENTRY_BYTES_MAX: usize = 8 << 20;
/// An answer has so many bytes at most, and one entry more.
const ANSWER_BYTES: usize = 4 << 20;
/// The first pause between two looks at an entry that is not there yet; it doubles.
const PAUSE_MIN: Duration = Duration::from_millis(20);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(200);

/// A log in a store with conditional writes.
#[derive(Debug)]
pub(super) struct BucketLog {
    store: Box<dyn Store>,
    /// Claims that a trim has met: they stay.
    claims: BTreeSet<Place>,
}

impl BucketLog {
    pub(super) fn new(store: Box<dyn Store>) -> Self {
        Self {
            store,
            claims: BTreeSet::new(),
        }
    }

    pub(super) fn store(&mut self) -> &dyn Store {
        &*self.store
    }

    fn get(&self, place: Place) -> Result<Option<Vec<u8>>, LogError> {
        self.store.get(&key(place)).map_err(|error| unread(&error))
    }

    /// All places that have an entry, in order.
    fn places(&self) -> Result<Vec<Place>, LogError> {
        let listed = self.store.list(PREFIX).map_err(|error| unread(&error))?;
        let place = |key: &str| key.rsplit('/').next()?.parse().ok().map(Place);
        Ok(listed.iter().filter_map(|it| place(&it.key)).collect())
    }

    /// The entry at a place, if it has one.
    fn entry(&self, place: Place) -> Result<Option<Stored>, LogError> {
        let bytes = self.get(place)?.map(Bytes::from);
        Ok(bytes.map(|bytes| Stored { place, bytes }))
    }

    /// As many entries from `place` on as fit an answer.
    fn answer(&self, first: Stored) -> Result<Vec<Stored>, LogError> {
        let mut bytes = first.bytes.len();
        let mut next = first.place.next();
        let mut found = vec![first];
        while bytes < ANSWER_BYTES
            && let Some(stored) = self.entry(next)?
        {
            bytes = bytes.saturating_add(stored.bytes.len());
            next = next.next();
            found.push(stored);
        }
        Ok(found)
    }
}

impl SharedLog for BucketLog {
    fn append(&mut self, after: Place, entry: &[u8]) -> Result<(), NotAppended> {
        match self.store.create(&key(after.next()), entry) {
            Ok(Created::Stored) => Ok(()),
            Ok(Created::Taken) => Err(NotAppended::Taken),
            // A store says no more than that it has not answered: it may have stored the object.
            Err(error) => Err(NotAppended::Unknown(error.to_string())),
        }
    }

    fn read(&mut self, after: Place, patience: Duration) -> Result<Vec<Stored>, LogError> {
        let begun = Instant::now();
        let mut pause = PAUSE_MIN;
        loop {
            if let Some(first) = self.entry(after.next())? {
                return self.answer(first);
            }
            // Behind a place that was trimmed there are claims, and a list is what shows them.
            if after == Place(0)
                && let Some(oldest) = self.places()?.first()
                && let Some(first) = self.entry(*oldest)?
            {
                return self.answer(first);
            }
            let left = patience.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(Vec::new());
            }
            std::thread::sleep(pause.min(left));
            pause = pause.saturating_mul(2).min(PAUSE_MAX);
        }
    }

    fn extent(&mut self) -> Result<Option<Extent>, LogError> {
        let places = self.places()?;
        let Some(newest) = places.last().copied() else {
            return Ok(None);
        };
        let mut oldest = newest;
        for place in places.iter().rev().skip(1) {
            if place.next() != oldest {
                break;
            }
            oldest = *place;
        }
        Ok(Some(Extent { oldest, newest }))
    }

    fn trim(&mut self, upto: Place) -> Result<(), LogError> {
        let places = self.places()?;
        let newest = places.last().copied().unwrap_or_default();
        let older = places
            .into_iter()
            .filter(|place| *place <= upto && *place < newest);
        for place in older {
            if self.claims.contains(&place) {
                continue;
            }
            let bytes = self.get(place)?;
            let entry = bytes.map(|bytes| Entry::decode(&bytes));
            match entry {
                Some(Ok(entry)) if !entry.is_claim() => {
                    let removed = self.store.remove(&key(place));
                    removed.map_err(|error| unread(&error))?;
                }
                // What this version cannot read may be a claim.
                Some(Ok(_) | Err(_)) => {
                    self.claims.insert(place);
                }
                None => {}
            }
        }
        Ok(())
    }

    fn entry_bytes_max(&self) -> usize {
        ENTRY_BYTES_MAX
    }
}

fn key(place: Place) -> String {
    format!("{PREFIX}/{:016}", place.0)
}

fn unread(error: &StoreError) -> LogError {
    LogError(error.to_string())
}
