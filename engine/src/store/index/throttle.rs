//! Checkpoints beside requests. A checkpoint without rests would take a core from them for a third of a second, and
//! each request of that time would wait for it. So it works in short stretches and rests between them, as long as
//! there is time.

use std::thread;
use std::time::{Duration, Instant};

/// The length of a stretch of work, about: what is done in one go may make it longer.
const STRETCH: Duration = Duration::from_millis(1);
/// A rest is so many times as long as the work before it.
const REST: u32 = 2;
/// No rest is longer.
const REST_MAX: Duration = Duration::from_millis(20);

/// Divides work into stretches.
pub(super) struct BackgroundThrottle<'a> {
    /// Asks whether there is time for a rest; `None`: there never is.
    at_leisure: Option<&'a dyn Fn() -> bool>,
    since: Instant,
}

impl<'a> BackgroundThrottle<'a> {
    /// For work that a caller waits for.
    pub(super) fn none() -> Self {
        Self {
            at_leisure: None,
            since: Instant::now(),
        }
    }

    /// For work that rests while there is time.
    pub(super) fn at_leisure(at_leisure: &'a dyn Fn() -> bool) -> Self {
        Self {
            at_leisure: Some(at_leisure),
            since: Instant::now(),
        }
    }

    /// Called between small pieces of work: rests when a stretch is over.
    pub(super) fn pause(&mut self) {
        let Some(at_leisure) = self.at_leisure else {
            return;
        };
        let worked = self.since.elapsed();
        if worked < STRETCH {
            return;
        }
        if at_leisure() {
            thread::sleep(worked.saturating_mul(REST).min(REST_MAX));
        }
        self.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn work(time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn work_pauses_after_each_stretch_while_there_is_time() {
        let queries = Cell::new(0);
        let at_leisure = || {
            queries.set(queries.get() + 1);
            queries.get() < 3
        };
        let mut throttle = BackgroundThrottle::at_leisure(&at_leisure);
        let start = Instant::now();
        for _ in 0..3 {
            work(STRETCH);
            throttle.pause();
        }
        // The third time there is none.
        let rested = start.elapsed().saturating_sub(STRETCH * 3);
        assert_eq!(queries.get(), 3);
        assert!(rested >= STRETCH * REST * 2, "{rested:?}");
    }

    #[test]
    fn a_stretch_is_not_cut_short() {
        let at_leisure = || panic!("it is asked between two small pieces");
        let mut throttle = BackgroundThrottle::at_leisure(&at_leisure);
        // However slow the machine: no time has passed.
        throttle.since = Instant::now() + Duration::from_secs(60);
        throttle.pause();
        let mut throttle = BackgroundThrottle::none();
        work(STRETCH);
        throttle.pause();
    }
}
