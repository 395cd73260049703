//! The progress of a long command: a line that changes on a terminal, plain lines now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use switchboard_network::printable;

use super::output::say;

/// The shortest time between two changes of the line on a terminal.
const REDRAWN_EVERY: Duration = Duration::from_millis(200);
/// The time between two plain lines, unless ten per cent are done before.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// The progress of a command.
pub(super) struct Progress {
    total: u64,
    terminal: bool,
    begun: Instant,
    shown: Instant,
    percent: u64,
    /// The part that was done before this began.
    before: u64,
    /// The last line of the terminal is ours.
    drawn: bool,
}

impl Progress {
    /// The progress through this many bytes.
    pub(super) fn new(total: u64) -> Self {
        let now = Instant::now();
        Self {
            total,
            terminal: io::stderr().is_terminal(),
            begun: now,
            shown: now,
            percent: 0,
            before: 0,
            drawn: false,
        }
    }

    /// This many bytes were done before: they do not show how long the others take.
    pub(super) fn go_on_from(&mut self, bytes: u64) {
        self.before = bytes;
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Everything up to this byte is done; `brief` says what came of it in the time so far.
    pub(super) fn at(&mut self, bytes: u64, brief: impl FnOnce(Duration) -> String) {
        let every = if self.terminal {
            REDRAWN_EVERY
        } else {
            PLAIN_EVERY
        };
        let percent = percent(bytes, self.total);
        let tenth = !self.terminal && percent / 10 > self.percent / 10 && percent < 100;
        if self.shown.elapsed() < every && !tenth {
            return;
        }
        self.shown = Instant::now();
        self.percent = percent;
        let elapsed = self.elapsed();
        let bytes_now = [bytes, self.total].map(|bytes| bytes.saturating_sub(self.before));
        let remainder = left(bytes_now, elapsed).map_or(String::new(), |time| {
            format!(", about {} left", rounded(time))
        });
        let line = format!("{percent:>3} %  {}{remainder}", brief(elapsed));
        if self.terminal {
            let mut stderr = io::stderr().lock();
            write!(stderr, "\r\u{1b}[K{}", printable::line(&line))
                .and_then(|()| stderr.flush())
                .unwrap_or_default();
            self.drawn = true;
        } else {
            say(&line);
        }
    }

    /// Says something above the changing line.
    pub(super) fn say(&mut self, line: &str) {
        self.clear();
        say(line);
    }

    /// Takes the changing line away.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            write!(io::stderr().lock(), "\r\u{1b}[K").unwrap_or_default();
        }
    }
}

fn percent(done: u64, total: u64) -> u64 {
    done.saturating_mul(100)
        .checked_div(total)
        .unwrap_or(0)
        .min(100)
}

/// Estimates the rest at the rate so far; the first second is too short for that.
fn left([done, total]: [u64; 2], elapsed: Duration) -> Option<Duration> {
    if elapsed < Duration::from_secs(1) || done == 0 {
        return None;
    }
    let rest = u128::from(total.saturating_sub(done));
    let millis = elapsed.as_millis().saturating_mul(rest) / u128::from(done);
    Some(Duration::from_millis(u64::try_from(millis).ok()?))
}

/// A time as people say it: `40 s`, `12 min`, `3 h 20 min`.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3_600, seconds / 60) {
        (0, 0 | 1) => format!("{} s", seconds.max(1)),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {} min", minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_progress() {
        let second = Duration::from_secs(1);
        assert_eq!(left([100, 400], 10 * second), Some(30 * second));
        assert_eq!(left([400, 400], 10 * second), Some(Duration::ZERO));
        assert_eq!(left([0, 400], 10 * second), None);
        assert_eq!(left([100, 400], second / 2), None);
        let huge = left([1, u64::MAX], Duration::MAX);
        assert_eq!(huge, None, "beyond all times");
        for (seconds, told) in [
            (0, "1 s"),
            (119, "119 s"),
            (120, "2 min"),
            (12_000, "3 h 20 min"),
        ] {
            assert_eq!(rounded(seconds * second), told);
        }
    }

    #[test]
    fn percentages_stay_between_0_and_100() {
        let cases = [
            (0, 0, 0),
            (1, 3, 33),
            (3, 3, 100),
            (9, 3, 100),
            (u64::MAX, u64::MAX, 1),
        ];
        for (done, total, expected) in cases {
            assert_eq!(percent(done, total), expected);
        }
    }
}
