//! The time that a program gets, whatever else the machine does.

use std::time::{Duration, Instant};

/// The number of seconds of a busy machine that count for one: all its processors work, and a task waits for one of them. So other
/// programs have no influence on the verdict.
const BUSY_SECONDS: u32 = 4;

/// A limit for a wait. A second of a busy machine counts for a quarter of one.
#[derive(Debug)]
pub(super) struct Patience {
    limit: Duration,
    passed: Duration,
    now: Instant,
    busy: Duration,
}

impl Patience {
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            limit,
            passed: Duration::ZERO,
            now: Instant::now(),
            busy: busy_time(),
        }
    }

    /// Returns whether the time has passed.
    pub(super) fn is_over(&mut self) -> bool {
        let (now, busy) = (Instant::now(), busy_time());
        let time = now.saturating_duration_since(self.now);
        let busy_part = busy.saturating_sub(self.busy);
        self.passed = self.passed.saturating_add(counted(time, busy_part));
        (self.now, self.busy) = (now, busy);
        self.passed >= self.limit
    }

    /// Lets no more than this time pass from now on.
    pub(super) fn shorten(&mut self, rest: Duration) {
        self.limit = self.limit.min(self.passed.saturating_add(rest));
    }
}

/// A time in which other programs leave the processors to the exam.
#[derive(Debug)]
pub(crate) struct Calm {
    begin: Instant,
    busy: Duration,
}

impl Calm {
    pub(crate) fn begin() -> Self {
        Self {
            begin: Instant::now(),
            busy: busy_time(),
        }
    }

    /// Returns whether the machine was busy for less than half of the time.
    pub(crate) fn has_lasted(&self) -> bool {
        let busy = busy_time().saturating_sub(self.busy);
        busy.saturating_mul(2) < self.begin.elapsed()
    }
}

/// The time that counts of some time, during a part of which the machine was busy.
fn counted(time: Duration, busy: Duration) -> Duration {
    let busy = busy.min(time);
    let idle = time.saturating_sub(busy);
    idle.saturating_add(busy.checked_div(BUSY_SECONDS).unwrap_or(busy))
}

/// The time since the start of the machine during which a task waited for a processor; zero where the system does not measure it.
fn busy_time() -> Duration {
    let text = std::fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
    parse_busy_time(&text).unwrap_or_default()
}

fn parse_busy_time(text: &str) -> Option<Duration> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    let (_, total) = line.rsplit_once("total=")?;
    total.trim().parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_busy_second_counts_for_a_quarter() {
        assert_eq!(counted(SECOND, Duration::ZERO), SECOND);
        assert_eq!(counted(SECOND, SECOND), Duration::from_millis(250));
        assert_eq!(
            counted(SECOND, Duration::from_millis(400)),
            Duration::from_millis(700)
        );
        // The two clocks are read one after the other.
        assert_eq!(counted(SECOND, SECOND * 2), Duration::from_millis(250));
    }

    #[test]
    fn the_busy_time_is_the_total_of_some() {
        let text = "some avg10=98.89 avg60=98.44 avg300=94.26 total=40068435975\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        let time = parse_busy_time(text);
        assert_eq!(time, Some(Duration::from_micros(40_068_435_975)));
        assert_eq!(parse_busy_time(""), None);
        assert_eq!(parse_busy_time("some total=x"), None);
    }

    #[test]
    fn a_shortened_patience_ends_earlier_and_never_later() {
        let mut patience = Patience::new(SECOND * 3600);
        assert!(!patience.is_over());
        patience.shorten(Duration::ZERO);
        assert!(patience.is_over());
        patience.shorten(SECOND * 7200);
        assert!(patience.is_over());
    }
}
