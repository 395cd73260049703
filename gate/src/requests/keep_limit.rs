//! The limit of requests kept each second: looking at traffic must not slow it down.

use switchboard_actors::domain::time::UnixMillis;

/// More than this many of one kind are not kept in one second.
const PER_SECOND: u32 = 50;

/// Counts what is kept in the current second.
#[derive(Debug, Default)]
pub(super) struct KeepLimit {
    second: u64,
    kept: u32,
}

impl KeepLimit {
    /// Returns whether one more is kept now.
    pub(super) fn takes(&mut self, now: UnixMillis) -> bool {
        if self.second != now.secs() {
            self.second = now.secs();
            self.kept = 0;
        }
        let takes = self.kept < PER_SECOND;
        self.kept = self.kept.saturating_add(u32::from(takes));
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_requests_a_second_are_kept_and_the_next_starts_anew() {
        let mut limit = KeepLimit::default();
        let now = UnixMillis::new(1_700_000_000_123);
        let count = (0..200).filter(|_| limit.takes(now)).count();
        assert_eq!(count, 50);
        assert!(limit.takes(UnixMillis::new(1_700_000_001_000)));
    }
}
