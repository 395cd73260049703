//! Counters of the running system, for display. A count costs one atomic addition.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use switchboard_engine::histogram::{Histogram, HistogramSnapshot};

use switchboard_domain::dispatch::outcome::Class;
use switchboard_domain::dispatch::quota::Quota;
use switchboard_domain::dispatch::record::{CancelReason, DeathReason};
use switchboard_domain::notifications::PushOutcome;

/// The bounds of the histograms of callbacks: from one within the building to one after an hour of retries.
const CALLBACK_BOUNDS: [Duration; 14] = [
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(25),
    Duration::from_millis(50),
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_millis(2_500),
    Duration::from_secs(5),
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(600),
    Duration::from_secs(3_600),
];

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds one.
    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(in crate::shared) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counters of the dispatcher.
#[derive(Debug)]
pub struct Meters {
    /// Messages that were queued.
    pub accepted: Counter,
    refused: [Counter; Quota::WORDS.len()],
    attempts: [Counter; Class::WORDS.len()],
    /// Messages that were delivered.
    pub delivered: Counter,
    dead: [Counter; DeathReason::NAMES.len()],
    cancelled: [Counter; CancelReason::WORDS.len()],
    pushes: [Counter; PushOutcome::WORDS.len()],
    /// Messages that were queued again.
    pub replayed: Counter,
    /// The time from the acceptance of a message to its first attempt.
    pub first_attempt: Histogram,
    /// The time from the acceptance of a message to its delivery.
    pub delivered_after: Histogram,
}

/// The counters, by the names that people read.
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
    /// Pushes to browsers that have ended, by outcome.
    pub pushes: Vec<(&'static str, u64)>,
    /// Messages that were queued again.
    pub replayed: u64,
    /// From the acceptance of a message to its first attempt.
    pub first_attempt: HistogramSnapshot,
    /// From the acceptance of a message to its delivery.
    pub delivered_after: HistogramSnapshot,
}

impl Default for Meters {
    fn default() -> Self {
        Self {
            accepted: Counter::default(),
            refused: Default::default(),
            attempts: Default::default(),
            delivered: Counter::default(),
            dead: Default::default(),
            cancelled: Default::default(),
            pushes: Default::default(),
            replayed: Counter::default(),
            first_attempt: Histogram::new(&CALLBACK_BOUNDS),
            delivered_after: Histogram::new(&CALLBACK_BOUNDS),
        }
    }
}

impl Meters {
    /// Counts a message that this quota refused.
    pub fn refused(&self, quota: Quota) {
        count(&self.refused, &Quota::WORDS, quota.as_str());
    }

    /// Counts an attempt that came back with this class of outcomes.
    pub fn attempt(&self, class: Class) {
        count(&self.attempts, &Class::WORDS, class.as_str());
    }

    /// Counts a message that was given up for this reason.
    pub fn dead(&self, why: DeathReason) {
        count(&self.dead, &DeathReason::NAMES, why.as_str());
    }

    /// Counts a message that was cancelled for this reason.
    pub fn cancelled(&self, why: CancelReason) {
        count(&self.cancelled, &CancelReason::WORDS, why.as_str());
    }

    /// Counts a push to a browser.
    pub fn push(&self, outcome: PushOutcome) {
        count(&self.pushes, &PushOutcome::WORDS, outcome.as_str());
    }

    /// The counters as they are now.
    pub fn read(&self) -> MetersRead {
        MetersRead {
            accepted: self.accepted.get(),
            refused: named(&self.refused, &Quota::WORDS),
            attempts: named(&self.attempts, &Class::WORDS),
            delivered: self.delivered.get(),
            dead: named(&self.dead, &DeathReason::NAMES),
            cancelled: named(&self.cancelled, &CancelReason::WORDS),
            pushes: named(&self.pushes, &PushOutcome::WORDS),
            replayed: self.replayed.get(),
            first_attempt: self.first_attempt.snapshot(),
            delivered_after: self.delivered_after.snapshot(),
        }
    }
}

/// Adds one to the counter of a name.
pub(in crate::shared) fn count(counters: &[Counter], names: &[&'static str], name: &str) {
    let counter_place = names.iter().position(|known| *known == name);
    if let Some(counter) = counter_place.and_then(|place| counters.get(place)) {
        counter.add();
    }
}

/// The counts, each with its name.
pub(in crate::shared) fn named(
    counters: &[Counter],
    names: &[&'static str],
) -> Vec<(&'static str, u64)> {
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
        meters.push(PushOutcome::Gone);
        let read = meters.read();
        assert_eq!(read.refused.first(), Some(&("conversation", 1)));
        assert!(read.attempts.contains(&("gone", 2)));
        assert!(read.dead.contains(&("aborted", 1)));
        assert!(read.cancelled.contains(&("discarded", 1)));
        assert!(read.pushes.contains(&("gone", 1)));
        let all = [
            &read.refused,
            &read.attempts,
            &read.dead,
            &read.cancelled,
            &read.pushes,
        ];
        let sum: u64 = all
            .iter()
            .flat_map(|list| list.iter())
            .map(|(_, n)| n)
            .sum();
        assert_eq!(sum, 6);
    }
}
