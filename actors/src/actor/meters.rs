//! Counters of the running system, for display. A count costs one atomic addition.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::domain::dispatch::outcome::Class;
use crate::domain::dispatch::quota::Quota;
use crate::domain::dispatch::record::{CancelReason, DeathReason};

/// The upper bounds of the classes that times are sorted into, in milliseconds; above the last there is one more.
pub const TIME_BOUNDS_MS: [u64; 14] = [
    5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000, 600_000, 3_600_000,
];

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long something took, sorted into classes.
#[derive(Debug, Default)]
pub(crate) struct Times {
    sum_ms: AtomicU64,
    classes: [Counter; TIME_BOUNDS_MS.len() + 1],
}

impl Times {
    pub(crate) fn add(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let class = TIME_BOUNDS_MS.partition_point(|bound| *bound < millis);
        if let Some(counter) = self.classes.get(class) {
            counter.add();
        }
        self.sum_ms.fetch_add(millis, Ordering::Relaxed);
    }

    fn read(&self) -> TimesRead {
        TimesRead {
            sum_ms: self.sum_ms.load(Ordering::Relaxed),
            classes: self.classes.each_ref().map(Counter::get),
        }
    }
}

/// Times as they were read: how many there were in each class of [`TIME_BOUNDS_MS`], and above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimesRead {
    /// The sum of all times, in milliseconds.
    pub sum_ms: u64,
    /// How many times were at most as long as the bound of their class, and longer than the one before.
    pub classes: [u64; TIME_BOUNDS_MS.len() + 1],
}

/// The counters of the dispatcher.
#[derive(Debug, Default)]
pub(crate) struct Meters {
    pub(crate) accepted: Counter,
    refused: [Counter; Quota::WORDS.len()],
    attempts: [Counter; Class::WORDS.len()],
    pub(crate) delivered: Counter,
    dead: [Counter; DeathReason::NAMES.len()],
    cancelled: [Counter; CancelReason::WORDS.len()],
    pub(crate) replayed: Counter,
    pub(crate) first_attempt: Times,
    pub(crate) delivered_after: Times,
}

/// What was counted, by the names that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetersRead {
    /// Messages that were queued.
    pub accepted: u64,
    /// Messages that were refused, by quota.
    pub refused: Vec<(&'static str, u64)>,
    /// Attempts that came back, by class.
    pub attempts: Vec<(&'static str, u64)>,
    /// Messages that were delivered.
    pub delivered: u64,
    /// Messages that were given up, by reason.
    pub dead: Vec<(&'static str, u64)>,
    /// Messages that were cancelled, by reason.
    pub cancelled: Vec<(&'static str, u64)>,
    /// Messages that were queued again.
    pub replayed: u64,
    /// From the acceptance of a message to its first attempt.
    pub first_attempt: TimesRead,
    /// From the acceptance of a message to its delivery.
    pub delivered_after: TimesRead,
}

impl Meters {
    pub(crate) fn refused(&self, quota: Quota) {
        count(&self.refused, &Quota::WORDS, quota.as_str());
    }

    pub(crate) fn attempt(&self, class: Class) {
        count(&self.attempts, &Class::WORDS, class.as_str());
    }

    pub(crate) fn dead(&self, why: DeathReason) {
        count(&self.dead, &DeathReason::NAMES, why.as_str());
    }

    pub(crate) fn cancelled(&self, why: CancelReason) {
        count(&self.cancelled, &CancelReason::WORDS, why.as_str());
    }

    pub(crate) fn read(&self) -> MetersRead {
        MetersRead {
            accepted: self.accepted.get(),
            refused: named(&self.refused, &Quota::WORDS),
            attempts: named(&self.attempts, &Class::WORDS),
            delivered: self.delivered.get(),
            dead: named(&self.dead, &DeathReason::NAMES),
            cancelled: named(&self.cancelled, &CancelReason::WORDS),
            replayed: self.replayed.get(),
            first_attempt: self.first_attempt.read(),
            delivered_after: self.delivered_after.read(),
        }
    }
}

fn count(counters: &[Counter], names: &[&'static str], name: &str) {
    let found = names.iter().position(|known| *known == name);
    if let Some(counter) = found.and_then(|place| counters.get(place)) {
        counter.add();
    }
}

fn named(counters: &[Counter], names: &[&'static str]) -> Vec<(&'static str, u64)> {
    let counts = counters.iter().map(Counter::get);
    names.iter().copied().zip(counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_its_own_counter() {
        let meters = Meters::default();
        meters.refused(Quota::Queue);
        meters.attempt(Class::Gone);
        meters.attempt(Class::Gone);
        meters.dead(DeathReason::Aborted);
        meters.cancelled(CancelReason::Discarded);
        let read = meters.read();
        assert_eq!(read.refused.first(), Some(&("conversation", 1)));
        assert!(read.attempts.contains(&("gone", 2)));
        assert!(read.dead.contains(&("aborted", 1)));
        assert!(read.cancelled.contains(&("discarded", 1)));
        let all = [&read.refused, &read.attempts, &read.dead, &read.cancelled];
        let sum: u64 = all
            .iter()
            .flat_map(|list| list.iter())
            .map(|(_, n)| n)
            .sum();
        assert_eq!(sum, 5);
    }

    #[test]
    fn a_duration_counts_in_the_first_bucket_that_fits() {
        let times = Times::default();
        for millis in [0, 5, 6, 3_600_000, 3_600_001] {
            times.add(Duration::from_millis(millis));
        }
        let read = times.read();
        assert_eq!(read.classes[..2], [2, 1]);
        assert_eq!(read.classes[13..], [1, 1]);
        assert_eq!(read.sum_ms, 7_200_012);
    }
}
