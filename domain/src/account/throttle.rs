//! Limits guessing: how often a client may try a password, and how often the service examines a wrong signature.
//!
//! The counters hold wrong attempts: at passwords by account and e-mail address, from one network address and from
//! everywhere; at signatures by channel and network address; at secrets of OAuth clients by client and network address; at
//! tokens by network address. They live in a [`Sketch`]: a
//! client that tries many names neither fills memory nor displaces other counters. The smaller of a name's two counts
//! applies.
//!
//! A client that guesses a password can only use up the limit of its own network. The limit from everywhere bounds
//! guessing from many networks. It does not apply where the user has signed in before, so that no attacker keeps users
//! out of their own accounts.

mod attempt;

use std::time::Duration;

pub use self::attempt::{
    AuthAttempt, FROM_EVERYWHERE, PER_ADDRESS, PER_NAME, SECRETS_PER_CLIENT,
    SIGNATURES_PER_ADDRESS, SIGNATURES_PER_CHANNEL, TOKENS_PER_ADDRESS,
};
use crate::time::{UnixMillis, whole_seconds};
use switchboard_engine::collections::sketch::Sketch;

/// The time that attempts are counted over, from the first of them.
pub const WINDOW: Duration = Duration::from_secs(15 * 60);
/// The time that wrong signatures are counted over, from the first of them.
pub const SIGNATURE_WINDOW: Duration = Duration::from_secs(60);
const PLACES: u16 = 8_192;

/// Counts attempts.
#[derive(Debug)]
pub struct Throttle {
    window: Duration,
    counters: Sketch<Counter>,
    /// The hashes of the networks and names with a correct attempt; 0 stands for none.
    known: Sketch<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counter {
    since: UnixMillis,
    count: u16,
}

impl Counter {
    fn current(self, now: UnixMillis, window: Duration) -> Self {
        let over = now < self.since || now.since(self.since) >= window;
        if self.count == 0 || over {
            Self {
                since: now,
                count: 0,
            }
        } else {
            self
        }
    }
}

/// Too many attempts: try again after this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many attempts; retry after {} s", whole_seconds(*.0))]
pub struct ThrottleError(pub Duration);

impl Throttle {
    /// A throttle without attempts. The key is random, so that no client can aim at another's counter.
    #[must_use]
    pub fn new(key: [u8; 16]) -> Self {
        Self::over(key, WINDOW)
    }

    /// As [`Self::new`], counting wrong signatures.
    #[must_use]
    pub fn of_signatures(key: [u8; 16]) -> Self {
        Self::over(key, SIGNATURE_WINDOW)
    }

    fn over(key: [u8; 16], window: Duration) -> Self {
        Self {
            window,
            counters: Sketch::new(key, PLACES),
            known: Sketch::new(key, PLACES),
        }
    }

    /// Counts an attempt before it is known whether it is right: many at once are not let through. Gives how many more
    /// are let through before the next one has to wait.
    ///
    /// # Errors
    /// When there were too many; the attempt is not counted then.
    pub fn attempt(
        &mut self,
        attempt: &AuthAttempt,
        now: UnixMillis,
    ) -> Result<u16, ThrottleError> {
        let is_known = attempt.place().is_some_and(|place| self.knows(place));
        let own = attempt.limits.len();
        let counts = if is_known { own } else { usize::MAX };
        let mut remaining = u16::MAX;
        for (name, most) in attempt.limits().take(counts) {
            let counters = self.counters.get(name);
            let least = counters
                .map(|counter| counter.current(now, self.window))
                .min_by_key(|counter| counter.count);
            if let Some(counter) = least.filter(|counter| counter.count >= most) {
                let elapsed = now.since(counter.since);
                return Err(ThrottleError(self.window.saturating_sub(elapsed)));
            }
            let count = least.map_or(0, |counter| counter.count);
            remaining = remaining.min(most.saturating_sub(count).saturating_sub(1));
        }
        self.change(attempt, now, |count| count.saturating_add(1));
        Ok(remaining)
    }

    /// The attempt was right: from here, the name is not kept out by what others try elsewhere.
    pub fn welcome(&mut self, attempt: &AuthAttempt) {
        let Some(place) = attempt.place() else { return };
        let mark = self.known.mark(place).max(1);
        self.known.change(place, |_| mark);
    }

    fn knows(&self, place: &str) -> bool {
        let mark = self.known.mark(place).max(1);
        self.known.get(place).any(|known| known == mark)
    }

    /// The attempt was right, or could not be judged: it does not count.
    pub fn forgive(&mut self, attempt: &AuthAttempt, now: UnixMillis) {
        self.change(attempt, now, |count| count.saturating_sub(1));
    }

    fn change(&mut self, attempt: &AuthAttempt, now: UnixMillis, change: impl Fn(u16) -> u16) {
        let window = self.window;
        for (name, _) in attempt.limits() {
            self.counters.change(name, |counter| {
                let current = counter.current(now, window);
                Counter {
                    count: change(current.count),
                    ..current
                }
            });
        }
    }
}

#[cfg(test)]
mod tests;
