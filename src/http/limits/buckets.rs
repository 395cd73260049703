//! Rates by name, in a table of fixed size.
//!
//! Of each place it is kept until when it is «full»: every request moves that moment on by the time that one takes at the
//! allowed rate, and is refused when the moment would lie further ahead than what may come at once (the generic cell
//! rate algorithm). Each name hashes into two rows; two names that share a place in one seldom share it in the other,
//! and who has room in either is let through.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::TooFast;

const ROWS: usize = 2;
const PLACES: usize = 4_096;

/// How fast something may come.
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

/// What has come, by name.
#[derive(Debug)]
pub(super) struct Buckets {
    /// What one request takes.
    each: Duration,
    /// How far ahead a place may be.
    most: Duration,
    begun: Instant,
    hashers: [RandomState; ROWS],
    /// Until when each place is full, since the beginning.
    full: Mutex<Box<[Duration]>>,
}

impl Buckets {
    /// Nothing has come yet; `None` when the rate is 0, which stands for no limit.
    pub(super) fn new(rate: Rate) -> Option<Self> {
        let each = Duration::from_secs(1).checked_div(rate.per_second)?;
        Some(Self {
            each,
            most: each.saturating_mul(rate.at_once),
            begun: Instant::now(),
            hashers: [RandomState::new(), RandomState::new()],
            full: Mutex::new(vec![Duration::ZERO; ROWS * PLACES].into()),
        })
    }

    /// One more of this name.
    pub(super) fn take(&self, name: &str) -> Result<(), TooFast> {
        let now = self.begun.elapsed();
        let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
        let places = self.places(name);
        let until = |place: &usize| full.get(*place).copied().unwrap_or_default().max(now);
        let least = places.iter().map(until).min().unwrap_or(now);
        let next = least.saturating_add(self.each);
        if next.saturating_sub(now) > self.most {
            return Err(TooFast(next.saturating_sub(now).saturating_sub(self.most)));
        }
        for place in places {
            if let Some(full) = full.get_mut(place) {
                *full = next.max(*full);
            }
        }
        Ok(())
    }

    fn places(&self, name: &str) -> [usize; ROWS] {
        let mut row = 0;
        self.hashers.each_ref().map(|hasher| {
            let hash = usize::try_from(hasher.hash_one(name) % 4_096).unwrap_or(0);
            let place = hash.min(PLACES - 1).saturating_add(row);
            row = row.saturating_add(PLACES);
            place
        })
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
    async fn as_much_as_allowed_comes_at_once_and_then_at_the_rate() {
        let buckets = Buckets::new(RATE).unwrap();
        for _ in 0..20 {
            buckets.take("a").unwrap();
        }
        let TooFast(wait) = buckets.take("a").unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        buckets.take("b").unwrap();
        tokio::time::advance(wait).await;
        buckets.take("a").unwrap();
        assert!(
            buckets.take("a").is_err(),
            "a refusal costs nothing and gives nothing"
        );
        tokio::time::advance(Duration::from_secs(60)).await;
        let taken = (0..100).filter(|_| buckets.take("a").is_ok()).count();
        assert_eq!(
            taken, 20,
            "a pause gives no more than what may come at once"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn many_names_hurt_few_others() {
        let buckets = Buckets::new(RATE).unwrap();
        for number in 0..400 {
            for _ in 0..20 {
                buckets.take(&format!("busy {number}")).unwrap_or_default();
            }
        }
        let hurt = (0..1_000).filter(|number| buckets.take(&format!("quiet {number}")).is_err());
        let hurt = hurt.count();
        assert!(hurt < 40, "{hurt} of 1000");
    }

    #[test]
    fn a_rate_of_0_is_no_limit() {
        assert!(Buckets::new(Rate::per_second(0)).is_none());
    }
}
