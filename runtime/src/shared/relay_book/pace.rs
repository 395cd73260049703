//! The pace at which requests of a bridge go up, when the operator sets one: each gets the next turn.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use switchboard_domain::time::UnixMillis;

/// The turns of a relay.
#[derive(Debug)]
pub struct UpwardPace {
    /// The time between two turns; none without a pace.
    between: Option<Duration>,
    /// The time of the next turn, since 1970.
    next: Mutex<Duration>,
}

impl UpwardPace {
    /// The pace of so many requests per second; 0: no bound.
    pub(super) fn new(per_second: u32) -> Self {
        Self {
            between: Duration::from_secs(1).checked_div(per_second),
            next: Mutex::default(),
        }
    }

    /// Takes the next turn, and returns the wait until then. None when that is longer than `most`: no turn is taken.
    pub fn turn(&self, now: UnixMillis, most: Duration) -> Option<Duration> {
        let Some(between) = self.between else {
            return Some(Duration::ZERO);
        };
        let now = Duration::from_millis(now.get());
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = next.saturating_sub(now);
        if wait > most {
            return None;
        }
        *next = now.saturating_add(wait).saturating_add(between);
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_apart_and_too_long_a_wait_takes_none() {
        let pace = UpwardPace::new(4);
        let now = UnixMillis::from_secs(7);
        let most = Duration::from_millis(600);
        let turns: Vec<_> = (0..5).map(|_| pace.turn(now, most)).collect();
        let millis = |count| Some(Duration::from_millis(count));
        assert_eq!(turns, [millis(0), millis(250), millis(500), None, None]);
        // A pause of the bridge saves no turns up.
        let later = now.plus(Duration::from_secs(9));
        assert_eq!(pace.turn(later, most), millis(0));
        assert_eq!(pace.turn(later, most), millis(250));
        let unbounded = UpwardPace::new(0);
        assert!((0..9).all(|_| unbounded.turn(now, Duration::ZERO) == millis(0)));
    }
}
