//! The counts of what bridges send up through a relay.

use std::sync::atomic::{AtomicU64, Ordering};

use switchboard_domain::time::UnixMillis;

/// The outcome of a request of a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpwardOutcome {
    /// The counterpart answered.
    Answered,
    /// It answered with a page for people, as it does to an address that it has blocked.
    Page,
    /// No answer came.
    Failed,
    /// The request was for what is not on the list.
    Refused,
}

impl UpwardOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Answered, Self::Page, Self::Failed, Self::Refused];

    /// The word of the outcome.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Page => "page",
            Self::Failed => "failed",
            Self::Refused => "refused",
        }
    }
}

/// The counts.
#[derive(Debug, Default)]
pub struct UpwardCounts {
    counts: [AtomicU64; UpwardOutcome::ALL.len()],
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
        let place = UpwardOutcome::ALL
            .iter()
            .position(|known| *known == outcome);
        if let Some(count) = place.and_then(|place| self.counts.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        match outcome {
            UpwardOutcome::Answered => self.pages_since.store(0, Ordering::Relaxed),
            UpwardOutcome::Page => {
                let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
                let first = self.pages_since.compare_exchange(0, now.get(), set, fetch);
                first.unwrap_or_default();
            }
            UpwardOutcome::Failed | UpwardOutcome::Refused => {}
        }
    }

    /// The counts of this moment.
    pub fn read(&self) -> UpwardRead {
        let counts = UpwardOutcome::ALL.iter().zip(&self.counts);
        let since = self.pages_since.load(Ordering::Relaxed);
        UpwardRead {
            counts: counts
                .map(|(outcome, count)| (outcome.as_str(), count.load(Ordering::Relaxed)))
                .collect(),
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
        assert_eq!(numbers, [1, 2, 1, 0]);
    }
}
