//! Rates by name.
//!
//! Of each name it is kept until when it is «full»: every request moves that moment on by the time that one takes at the
//! allowed rate, and is refused when the moment would lie further ahead than what may come at once (the generic cell
//! rate algorithm). Who has room in either place of a [`Sketch`] is let through.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use switchboard_engine::collections::sketch::Sketch;
use tokio::time::Instant;

use super::RateLimitError;

const PLACES: u16 = 4_096;

/// The rate at which requests may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rate {
    /// So often in a second, over a longer time.
    pub(super) per_second: u32,
    /// So often at once after a pause.
    pub(super) at_once: u32,
}

impl Rate {
    /// So often in a second, and as much as comes in two of them at once.
    pub(super) fn per_second(per_second: u32) -> Self {
        Self {
            per_second,
            at_once: per_second.saturating_mul(2),
        }
    }
}

/// The recent requests, by name.
#[derive(Debug)]
pub(super) struct Buckets {
    /// The time that one request takes.
    each: Duration,
    /// The longest time by which a place may be ahead.
    most: Duration,
    begun: Instant,
    /// Until when each name is full, since the beginning.
    full: Mutex<Sketch<Duration>>,
}

impl Buckets {
    /// Nothing has come yet; `None` when the rate is 0, which stands for no limit.
    pub(super) fn new(rate: Rate) -> Option<Self> {
        let each = Duration::from_secs(1).checked_div(rate.per_second)?;
        let half = || u128::from(RandomState::new().hash_one(0));
        let key = (half() << 64 | half()).to_ne_bytes();
        Some(Self {
            each,
            most: each.saturating_mul(rate.at_once),
            begun: Instant::now(),
            full: Mutex::new(Sketch::new(key, PLACES)),
        })
    }

    /// One more of this name.
    pub(super) fn take(&self, name: &str) -> Result<(), RateLimitError> {
        let now = self.begun.elapsed();
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        let least = full.get(name).min().unwrap_or_default().max(now);
        let next = least.saturating_add(self.each);
        if next.saturating_sub(now) > self.most {
            return Err(RateLimitError(
                next.saturating_sub(now).saturating_sub(self.most),
            ));
        }
        full.change(name, |full| full.max(next));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        per_second: 10,
        at_once: 20,
    };

    #[tokio::test(start_paused = true)]
    async fn the_rate_limit_allows_a_burst_and_then_its_rate() {
        let buckets = Buckets::new(RATE).unwrap();
        for _ in 0..20 {
            buckets.take("a").unwrap();
        }
        let RateLimitError(wait) = buckets.take("a").unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        buckets.take("b").unwrap();
        tokio::time::advance(wait).await;
        buckets.take("a").unwrap();
        assert!(
            buckets.take("a").is_err(),
            "a refusal costs nothing and gives nothing"
        );
        tokio::time::advance(Duration::from_secs(60)).await;
        let count = (0..100).filter(|_| buckets.take("a").is_ok()).count();
        assert_eq!(
            count, 20,
            "a pause gives no more than what may come at once"
        );
    }

    #[test]
    fn a_rate_of_0_is_no_limit() {
        assert!(Buckets::new(Rate::per_second(0)).is_none());
    }
}
