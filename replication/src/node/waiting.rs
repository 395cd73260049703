//! The pause between two attempts to store an entry: it grows, unless the process is about to end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::shared_log::RetryPause;

/// The first pause; it doubles.
const PAUSE_MIN: Duration = Duration::from_millis(20);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(500);
/// The time between two mentions of a log that does not answer.
const MENTION_EVERY: Duration = Duration::from_secs(10);

/// The pauses of a process. Clones share its end.
#[derive(Clone, Debug, Default)]
pub struct LogWaiting {
    shared: Arc<Shared>,
    mentioned: Option<Instant>,
}

#[derive(Debug, Default)]
struct Shared {
    ends: Mutex<bool>,
    changed: Condvar,
    /// Outcomes that were unknown at first.
    unknown: AtomicU64,
}

impl LogWaiting {
    /// The process ends: what is unknown stays so.
    pub fn end(&self) {
        *self.ends() = true;
        self.shared.changed.notify_all();
    }

    /// Returns whether the process ends.
    pub fn is_ending(&self) -> bool {
        *self.ends()
    }

    fn ends(&self) -> MutexGuard<'_, bool> {
        self.shared
            .ends
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of appends whose outcome was unknown at first.
    pub fn unknown(&self) -> u64 {
        self.shared.unknown.load(Ordering::Relaxed)
    }

    /// Waits so long, unless the process ends; whether it goes on.
    pub fn pause(&self, pause: Duration) -> bool {
        let outcome = self
            .shared
            .changed
            .wait_timeout_while(self.ends(), pause, |ends| !*ends);
        !*outcome.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl RetryPause for LogWaiting {
    fn is_ending(&self) -> bool {
        Self::is_ending(self)
    }

    fn wait(&mut self, attempts: u32, reason: &str) -> bool {
        self.shared.unknown.fetch_add(1, Ordering::Relaxed);
        let is_due = self
            .mentioned
            .is_none_or(|at| at.elapsed() >= MENTION_EVERY);
        if is_due {
            self.mentioned = Some(Instant::now());
            tracing::warn!(
                reason,
                attempts,
                "the shared log does not confirm an entry; it is sent again until it does"
            );
        }
        let doubled = PAUSE_MIN.saturating_mul(1 << attempts.saturating_sub(1).min(10));
        self.pause(doubled.min(PAUSE_MAX))
    }
}
