//! The queues that notices named. Their number is bounded: queues beyond it are found in the store.

use std::collections::BTreeSet;

/// The maximum number of queues that are remembered by name.
const QUEUES_MAX: usize = 100_000;

/// The queues that were named and not taken yet.
#[derive(Debug)]
pub(crate) struct QueueNames<Q> {
    queues: BTreeSet<Q>,
    replays: BTreeSet<Q>,
    has_overflowed: bool,
}

/// Some of the queues that were named.
#[derive(Debug)]
pub(crate) struct NamedQueues<Q> {
    /// Queues with new deliveries.
    pub(crate) queues: Vec<Q>,
    /// Queues in which a delivery that was final is queued again.
    pub(crate) replays: BTreeSet<Q>,
    /// True when others found no room.
    pub(crate) has_overflowed: bool,
}

impl<Q: Ord> QueueNames<Q> {
    /// Names a queue with a new delivery.
    pub(crate) fn add(&mut self, queue: Q) {
        if self.queues.len() < QUEUES_MAX {
            self.queues.insert(queue);
        } else {
            self.has_overflowed = true;
        }
    }

    /// Names a queue in which a delivery is queued again.
    pub(crate) fn add_replay(&mut self, queue: Q) {
        self.replays.insert(queue);
    }

    /// Takes the names, at most so many of those with new deliveries.
    pub(crate) fn take(&mut self, most: usize) -> NamedQueues<Q> {
        NamedQueues {
            queues: std::iter::from_fn(|| self.queues.pop_first())
                .take(most)
                .collect(),
            replays: std::mem::take(&mut self.replays),
            has_overflowed: std::mem::take(&mut self.has_overflowed),
        }
    }

    /// Returns whether no queue with new deliveries is named.
    pub(crate) fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }
}

impl<Q> Default for QueueNames<Q> {
    fn default() -> Self {
        Self {
            queues: BTreeSet::new(),
            replays: BTreeSet::new(),
            has_overflowed: false,
        }
    }
}
