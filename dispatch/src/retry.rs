//! The delays: before a message's next attempt, before an endpoint's next probe, and as long as the receiver asks for.

use std::time::{Duration, UNIX_EPOCH};

use switchboard_values::time::UnixMillis;

/// The waits before the second, third … charged attempt of a message.
const RETRY_SECS: [u64; 7] = [1, 5, 30, 120, 300, 600, 900];
/// The waits before the first, second … probe of an endpoint; after them 2 to 5 minutes.
const PROBE_SECS: [u64; 6] = [5, 10, 20, 40, 60, 120];
/// No retry comes sooner than this.
const RETRY_FLOOR: Duration = Duration::from_millis(500);
const RETRY_AFTER_MIN: Duration = Duration::from_secs(1);
const RETRY_AFTER_MAX: Duration = Duration::from_secs(3_600);
/// The longest pause of an endpoint that says «too many requests» and not for how long.
const PAUSE_MAX_SECS: u64 = 60;

/// The longest wait that [`delay`] gives: what the receiver may ask for, and a tenth.
pub const DELAY_MAX: Duration = Duration::from_secs(3_960);

/// A random number that came in from outside: the fraction `n / 2³²`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jitter(pub u32);

impl Jitter {
    /// Returns the jitter that random bytes give.
    #[must_use]
    pub const fn from_random(bytes: [u8; 16]) -> Self {
        let [a, b, c, d, ..] = bytes;
        Self(u32::from_le_bytes([a, b, c, d]))
    }

    /// A part of `span`: nothing at 0, nearly all of it at the largest number.
    #[must_use]
    pub fn part_of(self, span: Duration) -> Duration {
        let millis = span.as_millis().saturating_mul(u128::from(self.0)) >> 32;
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }
}

/// The delay after the `failures`-th failure (from 1): full jitter above the floor, which is half a second or the delay
/// that the receiver asked for. If the receiver asks for more than the usual delay, up to a tenth is added at random,
/// so that attempts with the same delay do not return at once.
#[must_use]
pub fn delay(failures: u32, retry_after: Option<Duration>, jitter: Jitter) -> Duration {
    let floor = retry_after.map_or(RETRY_FLOOR, |asked| {
        asked.clamp(RETRY_FLOOR, RETRY_AFTER_MAX)
    });
    let base = nth(&RETRY_SECS, failures.saturating_sub(1));
    floor + jitter.part_of(base.saturating_sub(floor).max(floor / 10))
}

/// The wait before the probe that follows `failed` failed ones, ±20 %.
#[must_use]
pub fn probe_delay(failed: u32, jitter: Jitter) -> Duration {
    let steps = u32::try_from(PROBE_SECS.len()).unwrap_or(u32::MAX);
    if failed >= steps {
        return Duration::from_secs(120) + jitter.part_of(Duration::from_secs(180));
    }
    let base = nth(&PROBE_SECS, failed);
    base * 4 / 5 + jitter.part_of(base * 2 / 5)
}

/// Returns the pause for an endpoint that asked for one `pauses` times in a row: the delay of its `Retry-After`, or 1,
/// 2, 4 … 60 seconds.
#[must_use]
pub fn pause(pauses: u32, retry_after: Option<Duration>) -> Duration {
    let doubled = 1_u64 << pauses.saturating_sub(1).min(6);
    retry_after.unwrap_or(Duration::from_secs(doubled.min(PAUSE_MAX_SECS)))
}

/// Reads the delay of a `Retry-After` header: whole seconds or an HTTP date, between a second and an hour. Anything
/// else is as if it were not there.
#[must_use]
pub fn retry_after(value: &str, now: UnixMillis) -> Option<Duration> {
    let value = value.trim();
    let delay = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are still a number of seconds, if a strange one.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        let date = httpdate::parse_http_date(value).ok()?;
        let since_epoch = date.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        UnixMillis::ZERO.plus(since_epoch).since(now)
    };
    Some(delay.clamp(RETRY_AFTER_MIN, RETRY_AFTER_MAX))
}

/// The `index`-th entry, or the last.
fn nth(secs: &[u64], index: u32) -> Duration {
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let secs = secs.get(index).or(secs.last()).copied().unwrap_or(1);
    Duration::from_secs(secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: Jitter = Jitter(0);
    const MOST: Jitter = Jitter(u32::MAX);
    const NOW: UnixMillis = UnixMillis::new(784_111_777_000); // Sun, 06 Nov 1994 08:49:37 GMT

    fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    #[test]
    fn retry_delays_grow_and_are_at_least_half_a_second() {
        let longest = [1, 5, 30, 120, 300, 600, 900, 900, 900];
        for (failures, most) in (1..).zip(longest) {
            assert_eq!(delay(failures, None, LEAST), Duration::from_millis(500));
            let wait = delay(failures, None, MOST);
            assert!(wait <= secs(most) && wait >= secs(most) - Duration::from_millis(2));
        }
    }

    #[test]
    fn a_retry_never_comes_before_the_requested_time() {
        for asked in [1, 10, 600, 3_600] {
            for failures in 0..12 {
                for jitter in [LEAST, Jitter(1 << 31), MOST] {
                    let wait = delay(failures, Some(secs(asked)), jitter);
                    assert!(wait >= secs(asked) && wait <= DELAY_MAX, "{wait:?}");
                }
            }
        }
        assert_ne!(
            delay(1, Some(secs(600)), LEAST),
            delay(1, Some(secs(600)), MOST)
        );
    }

    #[test]
    fn probe_intervals_grow_to_two_to_five_minutes() {
        for (failed, base) in (0..).zip([5, 10, 20, 40, 60, 120]) {
            assert_eq!(probe_delay(failed, LEAST), secs(base) * 4 / 5);
            let most = probe_delay(failed, MOST);
            assert!(most <= secs(base) * 6 / 5 && most > secs(base) * 11 / 10);
        }
        for failed in [6, 7, 1_000, u32::MAX] {
            assert_eq!(probe_delay(failed, LEAST), secs(120));
            assert!(probe_delay(failed, MOST) <= secs(300));
        }
    }

    #[test]
    fn a_pause_without_a_length_doubles_to_a_minute() {
        let lengths: Vec<_> = (1..=8).map(|n| pause(n, None).as_secs()).collect();
        assert_eq!(lengths, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pause(5, Some(secs(7))), secs(7));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_from_1_second_to_1_hour() {
        let table = [
            ("120", Some(120)),
            (" 120 ", Some(120)),
            ("0", Some(1)),
            ("3600", Some(3_600)),
            ("3601", Some(3_600)),
            ("99999999999999999999999999", Some(3_600)),
            ("Sun, 06 Nov 1994 08:51:37 GMT", Some(120)),
            ("Sunday, 06-Nov-94 08:51:37 GMT", Some(120)),
            ("Sun Nov  6 08:51:37 1994", Some(120)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(1)),
            ("Sat, 06 Nov 1993 08:49:37 GMT", Some(1)),
            ("Fri, 06 Nov 2065 08:49:37 GMT", Some(3_600)),
            ("", None),
            ("-1", None),
            ("+5", None),
            ("1.5", None),
            ("1e3", None),
            ("soon", None),
            ("1994-11-06T08:51:37Z", None),
            ("12 34", None),
        ];
        for (value, expected) in table {
            assert_eq!(retry_after(value, NOW), expected.map(secs), "{value:?}");
        }
    }
}
