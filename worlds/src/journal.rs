//! The journal of a world: what was asked, answered, sent and ordered, in one order. It is printed when a test fails.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use switchboard_actors::domain::time::UnixMillis;

/// So many entries are kept, the newest ones.
const KEPT: usize = 10_000;
/// So many of them are printed.
const PRINTED: usize = 200;

/// The journal of a world. Clones are the same journal.
#[derive(Clone, Debug, Default)]
pub struct WorldJournal(Arc<Mutex<Entries>>);

#[derive(Clone, Debug, Default)]
struct Entries {
    kept: VecDeque<JournalEntry>,
    /// The number of older entries that are not kept any more.
    dropped: usize,
    /// The time of the first entry: times are printed from there.
    began: Option<UnixMillis>,
}

/// Something that happened in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// The time, by the clock of the world.
    pub at: UnixMillis,
    /// The actor: `customer bo`, `user ada`, `callback`, `world`, `test`.
    pub who: String,
    /// The act, in words.
    pub what: String,
}

impl WorldJournal {
    /// Adds an entry; ten thousand are kept.
    pub fn note(&self, at: UnixMillis, who: &str, what: &str) {
        let mut entries = self.entries();
        entries.began.get_or_insert(at);
        if entries.kept.len() == KEPT {
            entries.kept.pop_front();
            entries.dropped = entries.dropped.saturating_add(1);
        }
        entries.kept.push_back(JournalEntry {
            at,
            who: who.to_owned(),
            what: what.to_owned(),
        });
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<JournalEntry> {
        self.entries().kept.iter().cloned().collect()
    }

    /// Another journal with the same entries.
    pub(super) fn copied(&self) -> Self {
        Self(Arc::new(Mutex::new(self.entries().clone())))
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for WorldJournal {
    /// One line for each of the newest entries, with the time since the first one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.entries();
        let unprinted = entries.kept.len().saturating_sub(PRINTED);
        let before = entries.dropped.saturating_add(unprinted);
        if before > 0 {
            writeln!(f, "  … {before} earlier entries")?;
        }
        let began = entries.began.unwrap_or(UnixMillis::new(0));
        for entry in entries.kept.iter().skip(unprinted) {
            let since = Since(entry.at.since(began));
            writeln!(f, "  {since}  {:<14} {}", entry.who, entry.what)?;
        }
        Ok(())
    }
}

/// A time since the beginning of a world, as `hours:minutes:seconds.milliseconds`.
pub(super) struct Since(pub(super) Duration);

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        let (seconds, millis) = (seconds % 60, self.0.subsec_millis());
        write!(f, "{hours:02}:{minutes:02}:{seconds:02}.{millis:03}")
    }
}
