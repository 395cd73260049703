//! The time for which an owner may answer reads, and do what others see, without a word from the log.
//!
//! A lease begins when an append was begun that the log has stored since: no other node may claim the log before a longer
//! time has passed since it saw that entry. The time counts while a machine is suspended, too.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time since the machine was started, suspended or not.
#[must_use]
pub fn since_boot() -> Duration {
    let now = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    let nanos = u32::try_from(now.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanos)
}

/// A lease. Clones are the same lease.
#[derive(Clone)]
pub struct Lease {
    /// In milliseconds of the clock; 0: it has ended.
    until: Arc<AtomicU64>,
    length: Duration,
    clock: Arc<dyn Fn() -> Duration + Send + Sync>,
}

impl Lease {
    /// A lease that has not begun, of this length, by a clock that never goes back.
    #[must_use]
    pub fn new(length: Duration, clock: Arc<dyn Fn() -> Duration + Send + Sync>) -> Self {
        Self {
            until: Arc::default(),
            length,
            clock,
        }
    }

    /// Returns whether the owner may answer reads, and do what others see.
    #[must_use]
    pub fn holds(&self) -> bool {
        let now = millis((self.clock)());
        now < self.until.load(Ordering::Acquire)
    }

    /// The time from a beginning of the lease to its end.
    #[must_use]
    pub fn length(&self) -> Duration {
        self.length
    }

    pub(super) fn now(&self) -> Duration {
        (self.clock)()
    }

    /// The log has stored what was begun then.
    pub(super) fn extend(&self, start: Duration) {
        let until = millis(start.saturating_add(self.length));
        self.until.fetch_max(until, Ordering::AcqRel);
    }

    /// The owner gives up, or was deposed.
    pub(super) fn end(&self) {
        self.until.store(0, Ordering::Release);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("length", &self.length)
            .field("holds", &self.holds())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_lasts_from_the_beginning_of_a_stored_append() {
        let now = Arc::new(AtomicU64::new(1_000));
        let clock = {
            let now = Arc::clone(&now);
            Arc::new(move || Duration::from_millis(now.load(Ordering::Relaxed)))
        };
        let lease = Lease::new(Duration::from_millis(600), clock);
        assert!(!lease.holds());
        lease.extend(Duration::from_millis(900));
        now.store(1_499, Ordering::Relaxed);
        assert!(lease.holds());
        now.store(1_500, Ordering::Relaxed);
        assert!(!lease.holds());
        lease.extend(Duration::from_millis(1_500));
        // An answer that comes late takes nothing away.
        lease.extend(Duration::from_millis(1_400));
        now.store(2_099, Ordering::Relaxed);
        assert!(lease.holds());
        lease.end();
        assert!(!lease.holds());
        let (one, other) = (since_boot(), since_boot());
        assert!(one <= other && one > Duration::ZERO);
    }
}
