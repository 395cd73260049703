//! `Retry-After` of a receiver: what is waited is within bounds, whatever it asks for.

use std::time::Duration;

use switchboard_actors::domain::dispatch::retry::{DELAY_MAX, Jitter, delay, pause, retry_after};
use switchboard_actors::domain::time::UnixMillis;

const LEAST: Duration = Duration::from_secs(1);
const MOST: Duration = Duration::from_secs(3_600);

/// Reads the bytes as the header's value, at several times of our clock.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let clocks = [0, 784_111_777_000, 1_700_000_000_000, u64::MAX];
    for now in clocks.map(UnixMillis::new) {
        let header_delay = retry_after(&text, now);
        assert_eq!(retry_after(text.trim(), now), header_delay);
        if let Some(header_delay) = header_delay {
            assert!(
                (LEAST..=MOST).contains(&header_delay),
                "{text}: {header_delay:?}"
            );
        }
        let digits = text.trim();
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let limit = digits.parse::<u64>().map_or(MOST, Duration::from_secs);
            assert_eq!(header_delay, Some(limit.clamp(LEAST, MOST)));
        }
        for failures in [0, 1, 7, u32::MAX] {
            for jitter in [0, 1 << 31, u32::MAX].map(Jitter) {
                let wait = delay(failures, header_delay, jitter);
                assert!(wait <= DELAY_MAX, "{wait:?}");
                assert!(wait >= header_delay.unwrap_or(Duration::from_millis(500)));
            }
            assert!((LEAST..=MOST).contains(&pause(failures, header_delay)));
        }
    }
}
