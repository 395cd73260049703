//! The counts of what bridges send up through a relay.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::shared::meters::{self, Counter};
use switchboard_domain::time::UnixMillis;
use switchboard_relay::upward::UpwardOutcome;

/// The counts.
#[derive(Debug, Default)]
pub struct UpwardCounts {
    counts: [Counter; UpwardOutcome::WORDS.len()],
    /// The time of the first of the pages since the last other answer, in milliseconds; 0 when the last answer was none.
    pages_since: AtomicU64,
}

/// The counts at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpwardRead {
    /// The requests by outcome.
    pub counts: Vec<(&'static str, u64)>,
    /// The time from which all answers were pages.
    pub pages_since: Option<UnixMillis>,
}

impl UpwardCounts {
    /// Counts a request.
    pub fn note(&self, outcome: UpwardOutcome, now: UnixMillis) {
        meters::count(&self.counts, &UpwardOutcome::WORDS, outcome.as_str());
        match outcome {
            UpwardOutcome::Answered => self.pages_since.store(0, Ordering::Relaxed),
            UpwardOutcome::Page => {
                let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
                let first = self.pages_since.compare_exchange(0, now.get(), set, fetch);
                first.unwrap_or_default();
            }
            UpwardOutcome::Stored | UpwardOutcome::Failed | UpwardOutcome::Refused => {}
        }
    }

    /// The counts of this moment.
    pub fn read(&self) -> UpwardRead {
        let since = self.pages_since.load(Ordering::Relaxed);
        UpwardRead {
            counts: meters::named(&self.counts, &UpwardOutcome::WORDS),
            pages_since: (since > 0).then(|| UnixMillis::new(since)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_count_from_the_first_until_another_answer() {
        let counts = UpwardCounts::default();
        let at = UnixMillis::from_secs;
        for (outcome, secs) in [
            (UpwardOutcome::Page, 5),
            (UpwardOutcome::Page, 6),
            (UpwardOutcome::Failed, 7),
        ] {
            counts.note(outcome, at(secs));
        }
        assert_eq!(counts.read().pages_since, Some(at(5)));
        counts.note(UpwardOutcome::Answered, at(8));
        let read = counts.read();
        assert_eq!(read.pages_since, None);
        let numbers: Vec<_> = read.counts.iter().map(|(_, count)| *count).collect();
        assert_eq!(numbers, [1, 0, 2, 1, 0]);
    }
}
