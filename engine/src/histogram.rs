//! Durations sorted into buckets, for display.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Durations, counted by the buckets that they belong to. Recording one costs two atomic additions.
#[derive(Debug)]
pub struct Histogram {
    bounds: &'static [Duration],
    /// One for each bound, and one for what is longer than the last.
    buckets: Box<[AtomicU64]>,
    sum_us: AtomicU64,
}

/// The content of a [`Histogram`] at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistogramSnapshot {
    /// The upper bounds of the buckets, ascending.
    pub bounds: &'static [Duration],
    /// The number of durations in each bucket: those up to its bound and longer than the bound before. The last one, behind
    /// the last bound, has the rest.
    pub counts: Vec<u64>,
    /// The sum of all durations, in whole microseconds.
    pub sum: Duration,
}

impl Histogram {
    /// Returns an empty histogram with buckets up to these ascending bounds, and one for longer durations.
    #[must_use]
    pub fn new(bounds: &'static [Duration]) -> Self {
        let buckets = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self {
            bounds,
            buckets,
            sum_us: AtomicU64::new(0),
        }
    }

    /// Counts a duration.
    pub fn record(&self, duration: Duration) {
        let bucket = self.bounds.partition_point(|bound| *bound < duration);
        if let Some(count) = self.buckets.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.sum_us.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns the counts so far.
    #[must_use]
    pub fn snapshot(&self) -> HistogramSnapshot {
        let counts = self.buckets.iter();
        HistogramSnapshot {
            bounds: self.bounds,
            counts: counts.map(|count| count.load(Ordering::Relaxed)).collect(),
            sum: Duration::from_micros(self.sum_us.load(Ordering::Relaxed)),
        }
    }
}

impl HistogramSnapshot {
    /// Returns the number of durations in all buckets.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(10)];

    #[test]
    fn a_duration_counts_in_the_first_bucket_that_is_long_enough() {
        let histogram = Histogram::new(&BOUNDS);
        for micros in [0, 5_000, 5_001, 10_000, 10_001, 3_600_000_000] {
            histogram.record(Duration::from_micros(micros));
        }
        let snapshot = histogram.snapshot();
        assert_eq!(snapshot.counts, [2, 2, 2]);
        assert_eq!(snapshot.count(), 6);
        assert_eq!(snapshot.sum, Duration::from_micros(3_600_030_002));
    }
}
