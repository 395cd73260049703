//! The threads that actors live on. A stream always lives on the same one.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix::{Arbiter, ArbiterHandle};

use crate::stream::StreamKey;

/// The threads that actors live on.
#[derive(Debug)]
pub struct Shards {
    handles: Box<[OnceLock<ArbiterHandle>]>,
    joined: AtomicUsize,
}

impl Shards {
    /// Room for this many threads, at least one.
    pub fn new(count: usize) -> Self {
        Self {
            handles: (0..count.max(1)).map(|_| OnceLock::new()).collect(),
            joined: AtomicUsize::new(0),
        }
    }

    /// The next free place is the current thread's from now on; `false` when all places are taken.
    pub fn join(&self, handle: ArbiterHandle) -> bool {
        let place = self.joined.fetch_add(1, Ordering::Relaxed);
        self.handles
            .get(place)
            .is_some_and(|slot| slot.set(handle).is_ok())
    }

    /// The thread on which the actors of this stream live. The first thread stands in for a place that no thread has
    /// taken, and the caller's own thread while there is none.
    pub fn thread_of(&self, stream: &StreamKey) -> ArbiterHandle {
        let count = u128::try_from(self.handles.len()).unwrap_or(1);
        let place = usize::try_from((stream.key().0 >> 64) % count).unwrap_or_default();
        let handle = self.handles.get(place).and_then(OnceLock::get);
        handle
            .or_else(|| self.handles.first().and_then(OnceLock::get))
            .cloned()
            .unwrap_or_else(Arbiter::current)
    }
}
