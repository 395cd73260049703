//! How far a long command is: a line that changes on a terminal, plain lines now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::output::say;

/// How often the line on a terminal changes.
const REDRAWN_EVERY: Duration = Duration::from_millis(200);
/// How often a plain line comes, unless ten per cent are done before.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// How far a command is.
pub(super) struct Progress {
    total: u64,
    terminal: bool,
    begun: Instant,
    shown: Instant,
    percent: u64,
    /// Whether the terminal's last line is ours.
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
            drawn: false,
        }
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
        let line = format!("{percent:>3} %  {}", brief(self.elapsed()));
        if self.terminal {
            let mut stderr = io::stderr().lock();
            write!(stderr, "\r\u{1b}[K{line}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_stay_within_the_hundred() {
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
