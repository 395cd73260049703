//! How many there are of something.
//!
//! The threads of all connections change these counts with each request, so nothing else is written for one.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many there are of something.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicUsize);

impl Count {
    /// Counts one more; gives how many there were before.
    pub(super) fn add(&self) -> usize {
        self.0.fetch_add(1, Ordering::AcqRel)
    }

    /// Counts one more unless there are `most` already; 0: there is no limit. Returns whether it is counted.
    pub(super) fn take(&self, most: usize) -> bool {
        let is_taken = self.add() < most || most == 0;
        if !is_taken {
            self.remove();
        }
        is_taken
    }

    /// One that was counted has ended.
    pub(super) fn remove(&self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
