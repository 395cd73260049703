//! Time as the domain knows it.

use std::time::Duration;

use jiff::Timestamp;

pub use switchboard_engine::time::UnixMillis;

/// A time for people, to the second, in UTC: `2026-11-24T18:04:45Z`.
#[must_use]
pub fn iso(at: UnixMillis) -> String {
    let seconds = i64::try_from(at.secs()).unwrap_or(i64::MAX);
    let time = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    time.to_string()
}

/// A wait in whole seconds, at least one: who waits that long never comes too early.
#[must_use]
pub const fn whole_seconds(wait: Duration) -> u64 {
    let more = if wait.subsec_nanos() > 0 { 1 } else { 0 };
    let seconds = wait.as_secs().saturating_add(more);
    if seconds == 0 { 1 } else { seconds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_in_whole_seconds_is_never_too_short() {
        for (millis, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (900_000, 900)] {
            let wait = Duration::from_millis(millis);
            assert_eq!(whole_seconds(wait), seconds, "{millis}");
        }
    }
}
