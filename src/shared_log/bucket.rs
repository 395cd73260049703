//! A shared log in the store of the archive: an object for each entry, which is created only if its key is new.
//!
//! ```text
//! log/0000000000000001      the order to begin
//! log/0000000000000002      the first claim
//! log/0000000000000003      …
//! nodes/a                   the word of a node about itself
//! ```

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use bytes::Bytes;
use switchboard_engine::store::shared_log::entry::Entry;
use switchboard_engine::store::shared_log::{
    Extent, LogError, NodeReport, NotAppended, Place, SharedLog, Span, Stored,
};

use crate::archive::store::{Created, Store, StoreError};

/// What the keys of entries begin with.
const PREFIX: &str = "log";
/// What the keys of reports begin with.
const REPORTS: &str = "nodes";
/// So many entries are asked for at once by a reader that is behind.
const AT_ONCE_MAX: usize = 32;
/// An entry has so many bytes at most.
const ENTRY_BYTES_MAX: usize = 8 << 20;
/// An answer has about so many bytes at most: entries are asked for before their size is known, and mostly have that of those
/// before them.
const ANSWER_BYTES: usize = 16 << 20;
/// So many nodes are listed.
const NODES_MAX: usize = 64;
/// The first pause between two looks at an entry that is not there yet; it doubles.
const PAUSE_MIN: Duration = Duration::from_millis(20);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(200);

/// A log in a store with conditional writes.
#[derive(Debug)]
pub(super) struct BucketLog {
    store: Box<dyn Store>,
    /// Orders and claims that a trim has met: they stay.
    permanent: BTreeSet<Place>,
    /// So many entries are asked for at once. It grows while the log has all of them, so a reader that is behind does not wait
    /// for each, and one that is not asks for one.
    at_once: usize,
}

impl BucketLog {
    pub(super) fn new(store: Box<dyn Store>) -> Self {
        Self {
            store,
            permanent: BTreeSet::new(),
            at_once: 1,
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
        Ok(listed.iter().filter_map(|it| place_of(&it.key)).collect())
    }

    /// The entries from this place on without a gap, as many as are asked for at once.
    fn entries(&mut self, first: Place) -> Result<Vec<Stored>, LogError> {
        let places: Vec<Place> = std::iter::successors(Some(first), |place| Some(place.next()))
            .take(self.at_once)
            .collect();
        let keys: Vec<String> = places.iter().map(|place| key(*place)).collect();
        let mut found = Vec::new();
        for (place, object) in places.into_iter().zip(self.store.get_all(&keys)) {
            match object {
                Ok(Some(bytes)) => found.push(Stored {
                    place,
                    bytes: Bytes::from(bytes),
                }),
                Ok(None) => break,
                Err(error) if found.is_empty() => return Err(unread(&error)),
                // The next read asks for it again.
                Err(_) => break,
            }
        }
        self.at_once = at_once(self.at_once, &found);
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
            let found = self.entries(after.next())?;
            if !found.is_empty() {
                return Ok(found);
            }
            // Behind a place that was trimmed there are claims, and a list is what shows them.
            if after == Place(0)
                && let Some(oldest) = self.places()?.first()
            {
                return self.entries(*oldest);
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

    fn span(&mut self, from: Place) -> Result<Option<Span>, LogError> {
        let before = key(Place(from.0.saturating_sub(1)));
        let ends = self.store.span(PREFIX, &before);
        let ends = ends.map_err(|error| unread(&error))?;
        Ok(ends.and_then(|(first, newest)| {
            let (first, newest) = (place_of(&first)?, place_of(&newest)?);
            Some(Span { first, newest })
        }))
    }

    fn report(&mut self, report: &NodeReport) -> Result<(), LogError> {
        let key = format!("{REPORTS}/{}", report.node);
        let written = self.store.replace(&key, &report.encode());
        written.map_err(|error| unread(&error))
    }

    fn reports(&mut self) -> Result<Vec<NodeReport>, LogError> {
        let listed = self.store.list(REPORTS).map_err(|error| unread(&error))?;
        let mut reports = Vec::new();
        for listed in listed.into_iter().take(NODES_MAX) {
            let bytes = self.store.get(&listed.key);
            let bytes = bytes.map_err(|error| unread(&error))?;
            reports.extend(bytes.and_then(|bytes| NodeReport::decode(&bytes)));
        }
        Ok(reports)
    }

    fn trim(&mut self, upto: Place) -> Result<(), LogError> {
        let places = self.places()?;
        let newest = places.last().copied().unwrap_or_default();
        let older = places
            .into_iter()
            .filter(|place| *place <= upto && *place < newest);
        for place in older {
            if self.permanent.contains(&place) {
                continue;
            }
            let bytes = self.get(place)?;
            let entry = bytes.map(|bytes| Entry::decode(&bytes));
            match entry {
                Some(Ok(entry)) if !entry.is_permanent() => {
                    let removed = self.store.remove(&key(place));
                    removed.map_err(|error| unread(&error))?;
                }
                // What this version cannot read may be a claim.
                Some(Ok(_) | Err(_)) => {
                    self.permanent.insert(place);
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

fn place_of(key: &str) -> Option<Place> {
    key.rsplit('/').next()?.parse().ok().map(Place)
}

/// Returns the number of entries that are asked for next, when these came of so many.
fn at_once(before: usize, found: &[Stored]) -> usize {
    let largest = found.iter().map(|stored| stored.bytes.len()).max();
    let fit = ANSWER_BYTES.checked_div(largest.unwrap_or_default());
    let more = match found.len() < before {
        true => found.len().saturating_add(1),
        false => before.saturating_mul(2),
    };
    more.min(fit.unwrap_or(AT_ONCE_MAX)).clamp(1, AT_ONCE_MAX)
}

fn unread(error: &StoreError) -> LogError {
    LogError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::FIRST_LOG_ENTRY;

    #[test]
    fn the_first_entry_has_the_key_that_a_directory_begins_with() {
        assert_eq!(key(Place(1)), FIRST_LOG_ENTRY);
    }
}
