//! The clock of a world: real time, or time that passes on order.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;
use serde::Serialize;
use serde_json::{Value, json};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};

/// The way in which the time of a world passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ClockMode {
    /// It jumps to the next timer while a client waits and no callback is under way.
    #[default]
    Skip,
    /// It passes by `advance` only.
    Frozen,
    /// It passes as that of the machine does.
    Real,
}

impl ClockMode {
    /// All of them, by their names.
    pub(super) const WORDS: [(&str, Self); 3] = [
        ("skip", Self::Skip),
        ("frozen", Self::Frozen),
        ("real", Self::Real),
    ];
}

/// The time of the machine.
pub(super) fn machine_now() -> UnixMillis {
    SystemClock.now()
}

/// The moment so long before another one.
pub(super) fn before(time: UnixMillis, by: Duration) -> UnixMillis {
    let since_then = time.since(UnixMillis::ZERO.plus(by));
    UnixMillis::ZERO.plus(since_then)
}

/// A time as answers show it.
pub(super) fn shown(time: UnixMillis) -> String {
    format!("{:.3}", timestamp(time))
}

/// A time as the header `Date` carries it; empty behind the year 9999.
pub(super) fn http_date(time: UnixMillis) -> String {
    let date = DateTimePrinter::new().timestamp_to_rfc9110_string(&timestamp(time));
    date.unwrap_or_default()
}

fn timestamp(time: UnixMillis) -> Timestamp {
    let millis = i64::try_from(time.get()).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

/// A clock as answers show it.
pub(super) fn clock(mode: ClockMode, now: UnixMillis) -> Value {
    json!({ "mode": mode, "now": shown(now), "now_ms": now.get() })
}
