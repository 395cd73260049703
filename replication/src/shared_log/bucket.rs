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

use super::log::{AppendError, LogError, LogRange, SharedLog, Span, Stored};
use super::report::NodeReport;
use crate::entry::EntryHeader;
use crate::position::Position;
use crate::store::{Created, LOG, NODES, Store, StoreError};
use bytes::Bytes;

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
pub struct BucketLog {
    store: Box<dyn Store>,
    /// Orders and claims that a trim has met: they stay.
    permanent: BTreeSet<Position>,
    /// So many entries are asked for at once. It grows while the log has all of them, so a reader that is behind does not wait
    /// for each, and one that is not asks for one.
    at_once: usize,
}

impl BucketLog {
    /// The log in this store.
    #[must_use]
    pub fn new(store: Box<dyn Store>) -> Self {
        Self {
            store,
            permanent: BTreeSet::new(),
            at_once: 1,
        }
    }

    /// The store.
    pub fn store(&mut self) -> &dyn Store {
        &*self.store
    }

    fn get(&self, position: Position) -> Result<Option<Vec<u8>>, LogError> {
        Ok(self.store.get(&key(position))?)
    }

    /// All positions that have an entry, in order.
    fn positions(&self) -> Result<Vec<Position>, LogError> {
        let objects = self.store.list(LOG)?;
        Ok(objects
            .iter()
            .filter_map(|it| position_of(&it.key))
            .collect())
    }

    /// The entries from this position on without a gap, as many as are asked for at once.
    fn entries(&mut self, first: Position) -> Result<Vec<Stored>, LogError> {
        let positions: Vec<Position> =
            std::iter::successors(Some(first), |position| Some(position.next()))
                .take(self.at_once)
                .collect();
        let keys: Vec<String> = positions.iter().map(|position| key(*position)).collect();
        let mut entries = Vec::new();
        for (position, object) in positions.into_iter().zip(self.store.get_all(&keys)) {
            match object {
                Ok(Some(bytes)) => entries.push(Stored {
                    position,
                    bytes: Bytes::from(bytes),
                }),
                Ok(None) => break,
                Err(error) if entries.is_empty() => return Err(error.into()),
                // The next read asks for it again.
                Err(_) => break,
            }
        }
        self.at_once = at_once(self.at_once, &entries);
        Ok(entries)
    }
}

impl SharedLog for BucketLog {
    fn append(&mut self, after: Position, entry: &[u8]) -> Result<(), AppendError> {
        match self.store.create(&key(after.next()), entry) {
            Ok(Created::Stored) => Ok(()),
            Ok(Created::Taken) => Err(AppendError::Taken),
            // A store says no more than that it has not answered: it may have stored the object.
            Err(error) => Err(AppendError::Unknown(error.to_string())),
        }
    }

    fn read(&mut self, after: Position, patience: Duration) -> Result<Vec<Stored>, LogError> {
        let start = Instant::now();
        let mut pause = PAUSE_MIN;
        loop {
            let entries = self.entries(after.next())?;
            if !entries.is_empty() {
                return Ok(entries);
            }
            // Behind a position that was trimmed there are claims, and a list is what shows them.
            if after == Position(0)
                && let Some(oldest) = self.positions()?.first()
            {
                return self.entries(*oldest);
            }
            let time_left = patience.saturating_sub(start.elapsed());
            if time_left.is_zero() {
                return Ok(Vec::new());
            }
            std::thread::sleep(pause.min(time_left));
            pause = pause.saturating_mul(2).min(PAUSE_MAX);
        }
    }

    fn range(&mut self) -> Result<Option<LogRange>, LogError> {
        let positions = self.positions()?;
        let Some(newest) = positions.last().copied() else {
            return Ok(None);
        };
        let mut oldest = newest;
        for position in positions.iter().rev().skip(1) {
            if position.next() != oldest {
                break;
            }
            oldest = *position;
        }
        Ok(Some(LogRange { oldest, newest }))
    }

    fn span(&mut self, from: Position) -> Result<Option<Span>, LogError> {
        let before = key(from.previous());
        let ends = self.store.span(LOG, &before)?;
        Ok(ends.and_then(|(first, newest)| {
            let (first, newest) = (position_of(&first)?, position_of(&newest)?);
            Some(Span { first, newest })
        }))
    }

    fn report(&mut self, report: &NodeReport) -> Result<(), LogError> {
        let key = format!("{NODES}/{}", report.node);
        Ok(self.store.replace(&key, &report.encode())?)
    }

    fn reports(&mut self) -> Result<Vec<NodeReport>, LogError> {
        let objects = self.store.list(NODES)?;
        let mut reports = Vec::new();
        for object in objects.into_iter().take(NODES_MAX) {
            let bytes = self.store.get(&object.key)?;
            reports.extend(bytes.and_then(|bytes| NodeReport::decode(&bytes)));
        }
        Ok(reports)
    }

    fn trim(&mut self, upto: Position) -> Result<(), LogError> {
        let positions = self.positions()?;
        let newest = positions.last().copied().unwrap_or_default();
        let older = positions
            .into_iter()
            .filter(|position| *position <= upto && *position < newest);
        for position in older {
            if self.permanent.contains(&position) {
                continue;
            }
            let bytes = self.get(position)?;
            let header = bytes.map(|bytes| EntryHeader::decode(&bytes));
            match header {
                Some(Ok(header)) if !header.is_permanent() => {
                    self.store.remove(&key(position))?;
                }
                // What this version cannot read may be a claim.
                Some(Ok(_) | Err(_)) => {
                    self.permanent.insert(position);
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

fn key(position: Position) -> String {
    position.key(LOG)
}

fn position_of(key: &str) -> Option<Position> {
    Position::from_key(key, LOG)
}

/// Returns the number of entries that are asked for next, when these came of so many.
fn at_once(before: usize, entries: &[Stored]) -> usize {
    let largest = entries.iter().map(|stored| stored.bytes.len()).max();
    let fit = ANSWER_BYTES.checked_div(largest.unwrap_or_default());
    let more = match entries.len() < before {
        true => entries.len().saturating_add(1),
        false => before.saturating_mul(2),
    };
    more.min(fit.unwrap_or(AT_ONCE_MAX)).clamp(1, AT_ONCE_MAX)
}

impl From<StoreError> for LogError {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}
