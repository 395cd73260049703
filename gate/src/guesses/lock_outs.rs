//! The choice of lock-outs for the audit log: guessing from many addresses must not fill it.

use switchboard_actors::domain::account::throttle::WINDOW;
use switchboard_actors::domain::time::UnixMillis;

/// Entries within the time that guesses are counted over.
const ENTRIES_MAX: u16 = 10;

/// Counts lock-outs.
#[derive(Debug, Default)]
pub(super) struct LockOuts {
    since: UnixMillis,
    entered: u16,
    left_out: u64,
}

/// A lock-out that is to be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LockOut {
    /// The number of lock-outs before it that were not entered.
    pub(super) left_out: u64,
}

impl LockOuts {
    /// An address is locked out now. `None` when there are entries enough for now: then the next entry counts it.
    pub(super) fn another(&mut self, now: UnixMillis) -> Option<LockOut> {
        if now < self.since || now.since(self.since) >= WINDOW {
            (self.since, self.entered) = (now, 0);
        }
        if self.entered >= ENTRIES_MAX {
            self.left_out = self.left_out.saturating_add(1);
            return None;
        }
        self.entered = self.entered.saturating_add(1);
        let left_out = std::mem::take(&mut self.left_out);
        Some(LockOut { left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next entry counts the lock-outs beyond ten in a quarter of an hour.
    #[test]
    fn lock_outs_beyond_ten_in_15_minutes_are_only_counted() {
        let mut lock_outs = LockOuts::default();
        let start = UnixMillis::from_secs(1_000_000);
        for _ in 0..ENTRIES_MAX {
            assert_eq!(lock_outs.another(start), Some(LockOut { left_out: 0 }));
        }
        let later = UnixMillis::from_secs(1_000_000 + WINDOW.as_secs() - 1);
        for _ in 0..7 {
            assert_eq!(lock_outs.another(later), None);
        }
        let over = UnixMillis::from_secs(1_000_000 + WINDOW.as_secs());
        assert_eq!(lock_outs.another(over), Some(LockOut { left_out: 7 }));
        assert_eq!(lock_outs.another(over), Some(LockOut { left_out: 0 }));
        // A clock that was set back does not silence it.
        assert_eq!(lock_outs.another(start), Some(LockOut { left_out: 0 }));
    }
}
