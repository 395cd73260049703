//! The rules by which deliveries are tried again and endpoints are left alone.

use std::time::Duration;

/// The rules of one kind of deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttemptRules {
    /// Deliveries wait longer with each failure, and an endpoint that fails is probed with one delivery at a time.
    #[default]
    Adaptive,
    /// Deliveries are tried again by a table of waits, whatever becomes of others.
    Scheduled(AttemptSchedule),
}

/// Attempts at fixed times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptSchedule {
    /// The waits before the second, the third … attempt.
    pub waits: &'static [Duration],
    /// The number of attempts of a delivery whose last answer is bad.
    pub attempts: u32,
    /// The number of attempts when the last answer is the server's fault: 499 and 500 to 599.
    pub attempts_of_server: u32,
    /// An endpoint with more bad answers than these within [`Self::bad_within`] is switched off.
    pub bad_max: usize,
    /// The time in which bad answers are counted.
    pub bad_within: Duration,
}

impl AttemptSchedule {
    /// Returns the wait behind the bad answer to this attempt, counted from 1; none when there is no further attempt.
    /// `status` is none when no answer came.
    #[must_use]
    pub fn wait(&self, attempt: u32, status: Option<u16>) -> Option<Duration> {
        let is_of_server = matches!(status, Some(499..=599));
        let attempts = if is_of_server {
            self.attempts_of_server
        } else {
            self.attempts
        };
        if attempt >= attempts {
            return None;
        }
        let index = usize::try_from(attempt.saturating_sub(1)).ok()?;
        self.waits.get(index).or(self.waits.last()).copied()
    }
}
