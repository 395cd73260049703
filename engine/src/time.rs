//! Time: milliseconds since 1970, handed in, never read here.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment in milliseconds since the Unix epoch. Never negative.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct UnixMillis(u64);

impl UnixMillis {
    /// The first moment that can be represented.
    pub const ZERO: Self = Self(0);
    /// The last moment that can be represented.
    pub const MAX: Self = Self(u64::MAX);

    /// From milliseconds since the epoch.
    #[must_use]
    pub const fn new(millis: u64) -> Self {
        Self(millis)
    }

    /// From whole seconds; a later moment than can be represented becomes [`Self::MAX`].
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000))
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Whole seconds since the epoch.
    #[must_use]
    pub const fn secs(self) -> u64 {
        self.0 / 1_000
    }

    /// This moment and `by` more; a later moment than can be represented becomes [`Self::MAX`].
    #[must_use]
    pub fn plus(self, by: Duration) -> Self {
        Self(
            self.0
                .saturating_add(u64::try_from(by.as_millis()).unwrap_or(u64::MAX)),
        )
    }

    /// Returns the time from `earlier` to this moment; zero when it is not later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_set_back_gives_no_negative_time() {
        assert_eq!(UnixMillis::new(5).since(UnixMillis::new(9)), Duration::ZERO);
    }

    #[test]
    fn adding_without_end_stops_at_the_last_moment() {
        assert_eq!(UnixMillis::MAX.plus(Duration::MAX), UnixMillis::MAX);
        assert_eq!(UnixMillis::from_secs(u64::MAX), UnixMillis::MAX);
    }
}
