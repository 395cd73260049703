//! How many there are of something, counted until each is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many there are of something.
#[derive(Debug, Default)]
pub(super) struct Count(AtomicUsize);

/// One of them, counted until it is dropped.
#[derive(Debug)]
pub(super) struct One(Arc<Count>);

impl Count {
    /// Counts one more; gives it, and how many there were before.
    pub(super) fn one_more(self: &Arc<Self>) -> (One, usize) {
        let before = self.0.fetch_add(1, Ordering::AcqRel);
        (One(Arc::clone(self)), before)
    }

    /// Counts one more unless there are `most` already; 0: there is no limit.
    pub(super) fn take(self: &Arc<Self>, most: usize) -> Option<One> {
        let (one, before) = self.one_more();
        // Given back by the drop when it is one too many.
        (most == 0 || before < most).then_some(one)
    }
}

impl Drop for One {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}
