//! The state of the engine behind the log, as far as its handles have found it out.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The state of the engine of a process's log. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct LogStanding {
    replicated: Arc<AtomicU8>,
}

const UNKNOWN: u8 = 0;
const ALONE: u8 = 1;
const REPLICATED: u8 = 2;

impl LogStanding {
    /// Notes whether PostgreSQL waits for a standby; gives whether that has changed.
    pub fn note(&self, is_replicated: bool) -> bool {
        let now = if is_replicated { REPLICATED } else { ALONE };
        self.replicated.swap(now, Ordering::Relaxed) != now
    }

    /// Returns whether PostgreSQL waits for a standby; `None`: the log is elsewhere, or no server was asked yet.
    pub fn is_replicated(&self) -> Option<bool> {
        match self.replicated.load(Ordering::Relaxed) {
            UNKNOWN => None,
            state => Some(state == REPLICATED),
        }
    }
}
