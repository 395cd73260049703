//! A clock that never goes back, made from one that may.
//!
//! The wall clock can be set back by an hour while a thousand retries wait. Were they compared with it
//! directly, all of them would come an hour late. So the machine counts in [`Steady`] time: the wall clock plus
//! everything it was ever set back by. Moments are turned into wall time only where they leave the machine.

use std::time::Duration;

use switchboard_values::time::UnixMillis;

/// A moment of the machine's own time, in milliseconds; never compared with wall time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Steady(UnixMillis);

impl Steady {
    /// This moment and `by` more.
    pub(super) fn plus(self, by: Duration) -> Self {
        Self(self.0.plus(by))
    }

    /// Returns the time from `earlier` to this moment; zero when `earlier` is not earlier.
    pub(super) fn since(self, earlier: Self) -> Duration {
        self.0.since(earlier.0)
    }

    /// The number of whole `length`s in this moment, to put it into a bucket.
    pub(super) fn bucket(self, length: Duration) -> u64 {
        let millis = u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        self.0.get() / millis.max(1)
    }
}

/// Turns wall time into [`Steady`] time and back.
#[derive(Clone, Debug, Default)]
pub(super) struct DispatchClock {
    wall: UnixMillis,
    set_back: Duration,
}

impl DispatchClock {
    /// The moment at which the wall shows `wall`. A wall clock that went back leaves the time standing once.
    pub(super) fn advance(&mut self, wall: UnixMillis) -> Steady {
        self.set_back += self.wall.since(wall);
        self.wall = wall;
        self.now()
    }

    /// The moment of the last [`Self::advance`].
    pub(super) fn now(&self) -> Steady {
        self.steady(self.wall)
    }

    /// Returns the wall-clock time of the last [`Self::advance`].
    pub(super) fn wall_now(&self) -> UnixMillis {
        self.wall
    }

    /// A stored moment in steady time. One that is further off than `ahead`, the longest wait there is, was written while
    /// the wall clock ran ahead, and is now: it must not keep a queue waiting for a year, nor for `ahead` anew each time
    /// that the queue is read.
    pub(super) fn unless_far_ahead(&self, wall: UnixMillis, ahead: Duration) -> Steady {
        let (moment, now) = (self.steady(wall), self.now());
        if moment.since(now) > ahead {
            now
        } else {
            moment
        }
    }

    /// A stored moment in steady time, at most `ahead` from now.
    pub(super) fn at_most_ahead(&self, wall: UnixMillis, ahead: Duration) -> Steady {
        self.steady(wall).min(self.now().plus(ahead))
    }

    /// The time that the wall clock will show at `moment`, unless it is set in between.
    pub(super) fn wall(&self, moment: Steady) -> UnixMillis {
        let zero = UnixMillis::ZERO.plus(self.set_back);
        UnixMillis::ZERO.plus(moment.0.since(zero))
    }

    fn steady(&self, wall: UnixMillis) -> Steady {
        Steady(wall.plus(self.set_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_clock_set_back_costs_no_time() {
        let mut clock = DispatchClock::default();
        let due = clock
            .advance(UnixMillis::from_secs(10_000))
            .plus(Duration::from_secs(5));
        clock.advance(UnixMillis::from_secs(6_400));
        assert_eq!(clock.wall(due), UnixMillis::from_secs(6_405));
        assert!(clock.advance(UnixMillis::from_secs(6_405)) >= due);
    }

    #[test]
    fn a_due_time_far_ahead_is_brought_closer() {
        let mut clock = DispatchClock::default();
        let now = clock.advance(UnixMillis::from_secs(100));
        let hour = Duration::from_secs(3_600);
        assert_eq!(
            clock.at_most_ahead(UnixMillis::from_secs(9_999_999), hour),
            now.plus(hour)
        );
        assert!(clock.at_most_ahead(UnixMillis::from_secs(1), hour) < now);
        let in_an_hour = UnixMillis::from_secs(3_700);
        assert_eq!(clock.unless_far_ahead(in_an_hour, hour), now.plus(hour));
        let later = UnixMillis::new(3_700_001);
        assert_eq!(clock.unless_far_ahead(later, hour), now);
    }
}
