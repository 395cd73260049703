//! The rates of sending: a bucket per chat, per group and in all.

use serde::{Deserialize, Serialize};

use crate::bounds::SECOND;
use crate::clock::Moment;

/// The rates that the double keeps. Telegram publishes no exact numbers; these are those of its FAQ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rates {
    /// Messages in a second, in one chat. 0 switches this bucket off, like the others.
    pub chat_per_second: i64,
    /// Messages in a burst, in one chat.
    pub chat_burst: i64,
    /// Messages in a minute, in one group.
    pub group_per_minute: i64,
    /// Messages in a second, in all chats of a bot.
    pub all_per_second: i64,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            chat_per_second: 1,
            chat_burst: 5,
            group_per_minute: 20,
            all_per_second: 30,
        }
    }
}

impl Rates {
    /// Rates that refuse nothing.
    pub fn off() -> Self {
        Self {
            chat_per_second: 0,
            chat_burst: 0,
            group_per_minute: 0,
            all_per_second: 0,
        }
    }
}

/// A size of a bucket: its content when it is full, and how much of it comes back in a period.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) burst: i64,
    pub(crate) count: i64,
    pub(crate) period: i64,
}

/// A bucket. It is full at first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bucket {
    /// The moment at which it is full again, in thousandths of a millisecond.
    full_at: i128,
}

impl Bucket {
    /// The time in which one message comes back, in thousandths of a millisecond.
    fn step(size: Size) -> i128 {
        i128::from(size.period) * 1_000 / i128::from(size.count.max(1))
    }

    /// Returns the wait in seconds until it has this many, or 0.
    pub(crate) fn wait(&self, size: Size, count: i64, now: Moment) -> i64 {
        if size.count <= 0 {
            return 0;
        }
        let burst = i128::from(size.burst.max(1));
        let need = i128::from(count).clamp(1, burst);
        let latest = i128::from(now) * 1_000 + (burst - need) * Self::step(size);
        let wait = (self.full_at - latest).max(0);
        let second = i128::from(SECOND) * 1_000;
        i64::try_from((wait + second - 1) / second).unwrap_or(i64::MAX)
    }

    /// Takes this many.
    pub(crate) fn take(&mut self, size: Size, count: i64, now: Moment) {
        if size.count > 0 {
            let need = i128::from(count).clamp(1, i128::from(size.burst.max(1)));
            self.full_at = self.full_at.max(i128::from(now) * 1_000) + need * Self::step(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Size};

    const SIZE: Size = Size {
        burst: 2,
        count: 1,
        period: 1_000,
    };

    #[test]
    fn a_bucket_names_the_wait_and_fills_again() {
        let mut bucket = Bucket::default();
        for _ in 0..2 {
            assert_eq!(bucket.wait(SIZE, 1, 10_000), 0);
            bucket.take(SIZE, 1, 10_000);
        }
        assert_eq!(bucket.wait(SIZE, 1, 10_000), 1);
        assert_eq!(bucket.wait(SIZE, 1, 10_999), 1);
        assert_eq!(bucket.wait(SIZE, 1, 11_000), 0);
        assert_eq!(bucket.wait(SIZE, 2, 11_000), 1);
        assert_eq!(
            bucket.wait(SIZE, 9, 12_000),
            0,
            "an album larger than a bucket passes when it is full"
        );
    }

    #[test]
    fn a_minute_has_its_number() {
        let size = Size {
            burst: 20,
            count: 20,
            period: 60_000,
        };
        let mut bucket = Bucket::default();
        for _ in 0..20 {
            assert_eq!(bucket.wait(size, 1, 0), 0);
            bucket.take(size, 1, 0);
        }
        assert_eq!(bucket.wait(size, 1, 0), 3);
        assert_eq!(bucket.wait(size, 20, 0), 60);
    }
}
