//! Guessing is slow: how often somebody may try a password, and how often a wrong signature is looked into.
//!
//! What is counted are attempts that were not right: at passwords by account and e-mail address, at signatures by channel
//! and network address, and at both by the network address that they come from. The counters live in a table of fixed size that each name hashes into, twice: whoever tries many names fills
//! no memory and pushes nobody's counter out. Two names that share a place in one row seldom share it in the other,
//! and the smaller of the two counts is what is gone by.

use std::hash::Hasher;
use std::net::IpAddr;
use std::time::Duration;

use siphasher::sip::SipHasher13;

use crate::domain::id::ChannelId;
use crate::domain::time::UnixMillis;

/// The time that attempts are counted over, from the first of them.
pub const WINDOW: Duration = Duration::from_secs(15 * 60);
/// Wrong attempts within that time for one account and e-mail address.
pub const PER_NAME: u16 = 10;
/// Wrong attempts within that time from one network address.
pub const PER_ADDRESS: u16 = 100;

/// The time that wrong signatures are counted over, from the first of them.
pub const SIGNATURE_WINDOW: Duration = Duration::from_secs(60);
/// Wrong signatures within that time for one channel from one network address.
pub const SIGNATURES_PER_CHANNEL: u16 = 120;
/// Wrong signatures within that time from one network address, whatever the channel.
pub const SIGNATURES_PER_ADDRESS: u16 = 600;

const ROWS: usize = 2;
const PLACES: usize = 8_192;

/// Counts attempts.
#[derive(Debug)]
pub struct Throttle {
    key: [u8; 16],
    window: Duration,
    counters: Box<[Counter]>,
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
#[error("too many attempts; try again in {} seconds", .0.as_secs().max(1))]
pub struct TooOften(pub Duration);

/// One attempt: what it is counted under.
#[derive(Clone, Debug)]
pub struct Attempt {
    limits: [(String, u16); 2],
}

impl Attempt {
    /// An attempt for this name (an account and a folded e-mail address) from this address. Of an IPv6 address the
    /// first 64 bits count: the rest is the guesser's to choose.
    #[must_use]
    pub fn new(name: &str, address: IpAddr) -> Self {
        let address = network(address);
        Self {
            limits: [
                (format!("name {name}"), PER_NAME),
                (format!("address {address}"), PER_ADDRESS),
            ],
        }
    }

    /// A wrong signature for this channel from this address.
    #[must_use]
    pub fn at_signature(channel: &ChannelId, address: IpAddr) -> Self {
        let address = network(address);
        Self {
            limits: [
                (
                    format!("channel {channel} {address}"),
                    SIGNATURES_PER_CHANNEL,
                ),
                (format!("signer {address}"), SIGNATURES_PER_ADDRESS),
            ],
        }
    }

    fn limits(&self) -> impl Iterator<Item = (&str, u16)> {
        let limits = self.limits.iter();
        limits.map(|(name, most)| (name.as_str(), *most))
    }
}

/// What counts of an address.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}/64")
        }
    }
}

impl Throttle {
    /// Nothing was tried yet; the key is random, so that nobody can aim at another's counter.
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
            key,
            window,
            counters: vec![Counter::default(); ROWS * PLACES].into(),
        }
    }

    /// Counts an attempt before it is known whether it is right: many at once are not let through.
    ///
    /// # Errors
    /// When there were too many; the attempt is not counted then.
    pub fn attempt(&mut self, attempt: &Attempt, now: UnixMillis) -> Result<(), TooOften> {
        for (name, most) in attempt.limits() {
            let places = self.places(name).into_iter();
            let counters = places.filter_map(|place| self.counters.get(place));
            let least = counters
                .map(|counter| counter.current(now, self.window))
                .min_by_key(|counter| counter.count);
            if let Some(counter) = least.filter(|counter| counter.count >= most) {
                let gone = now.since(counter.since);
                return Err(TooOften(self.window.saturating_sub(gone)));
            }
        }
        self.change(attempt, now, |count| count.saturating_add(1));
        Ok(())
    }

    /// The attempt was right, or could not be judged: it does not count.
    pub fn forgive(&mut self, attempt: &Attempt, now: UnixMillis) {
        self.change(attempt, now, |count| count.saturating_sub(1));
    }

    fn change(&mut self, attempt: &Attempt, now: UnixMillis, change: impl Fn(u16) -> u16) {
        let window = self.window;
        for (name, _) in attempt.limits() {
            for place in self.places(name) {
                if let Some(counter) = self.counters.get_mut(place) {
                    let current = counter.current(now, window);
                    *counter = Counter {
                        count: change(current.count),
                        ..current
                    };
                }
            }
        }
    }

    fn places(&self, name: &str) -> [usize; ROWS] {
        let place = |row: u8| {
            let mut hasher = SipHasher13::new_with_key(&self.key);
            hasher.write_u8(row);
            hasher.write(name.as_bytes());
            let place = hasher.finish() % 8_192;
            usize::from(row) * PLACES + usize::try_from(place).unwrap_or_default()
        };
        [place(0), place(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: UnixMillis = UnixMillis::from_secs(1_700_000_000);

    fn from(name: &str, address: &str) -> Attempt {
        Attempt::new(name, address.parse().unwrap())
    }

    #[test]
    fn the_eleventh_wrong_attempt_for_a_name_waits_for_the_end_of_the_window() {
        let mut throttle = Throttle::new([1; 16]);
        for attempt in 0..10_u8 {
            let somewhere = from("ada", &format!("10.0.0.{attempt}"));
            throttle.attempt(&somewhere, START).unwrap();
        }
        let elsewhere = from("ada", "192.0.2.1");
        let minute = START.plus(Duration::from_secs(60));
        let refused = throttle.attempt(&elsewhere, minute).unwrap_err();
        assert_eq!(refused, TooOften(Duration::from_secs(14 * 60)));
        throttle.attempt(&from("bo", "192.0.2.1"), minute).unwrap();
        throttle.attempt(&elsewhere, START.plus(WINDOW)).unwrap();
    }

    #[test]
    fn right_attempts_do_not_count() {
        let mut throttle = Throttle::new([1; 16]);
        let attempt = from("ada", "192.0.2.1");
        for _ in 0..1_000 {
            throttle.attempt(&attempt, START).unwrap();
            throttle.forgive(&attempt, START);
        }
    }

    #[test]
    fn one_address_cannot_try_many_names_and_many_names_hurt_nobody_else() {
        let mut throttle = Throttle::new([1; 16]);
        let tried = (0..1_000)
            .take_while(|name| {
                let attempt = from(&format!("name-{name}"), "2001:db8::1");
                throttle.attempt(&attempt, START).is_ok()
            })
            .count();
        assert_eq!(tried, usize::from(PER_ADDRESS));
        // The rest of an IPv6 address is the guesser's to choose.
        let same = throttle.attempt(&from("x", "2001:db8::2:3:4:5"), START);
        assert!(same.is_err());
        throttle
            .attempt(&from("x", "2001:db8:0:1::1"), START)
            .unwrap();
        throttle
            .attempt(&from("name-1", "192.0.2.1"), START)
            .unwrap();
    }

    #[test]
    fn wrong_signatures_are_counted_by_channel_and_address_for_a_minute() {
        let mut throttle = Throttle::of_signatures([1; 16]);
        let at = |channel: &str, address: &str| {
            Attempt::at_signature(&channel.parse().unwrap(), address.parse().unwrap())
        };
        for _ in 0..SIGNATURES_PER_CHANNEL {
            throttle.attempt(&at("a", "192.0.2.1"), START).unwrap();
        }
        let refused = throttle.attempt(&at("a", "192.0.2.1"), START);
        assert_eq!(refused, Err(TooOften(SIGNATURE_WINDOW)));
        throttle.attempt(&at("b", "192.0.2.1"), START).unwrap();
        throttle.attempt(&at("a", "192.0.2.2"), START).unwrap();
        let later = START.plus(SIGNATURE_WINDOW);
        throttle.attempt(&at("a", "192.0.2.1"), later).unwrap();
    }

    #[test]
    fn a_clock_that_goes_back_locks_nobody_out_for_longer() {
        let mut throttle = Throttle::new([1; 16]);
        let attempt = from("ada", "192.0.2.1");
        for _ in 0..10 {
            throttle.attempt(&attempt, START).unwrap();
        }
        throttle.attempt(&attempt, UnixMillis::ZERO).unwrap();
    }
}
