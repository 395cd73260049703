//! The clock. A signed request is refused when its time is wrong, so the bridge goes by the clock of the service if that of
//! this machine is wrong, and says so.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::answer::Answer;
use crate::dates::read_date;
use crate::log::log;

/// A difference that is no mistake, in milliseconds.
const TOLERANCE: i64 = 60_000;
const MINUTE: i64 = 60_000;

/// The seconds since 1970 by this machine.
pub fn unix_seconds() -> i64 {
    unix_milliseconds() / 1_000
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bridge has no clock but that of its machine"
)]
fn unix_milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |it| i64::try_from(it.as_millis()).unwrap_or(i64::MAX))
}

/// The clock of the service, as far as its answers show it.
#[derive(Default)]
pub struct Clock {
    /// The milliseconds by which it is ahead of this machine; 0 unless one of them is wrong.
    offset: Cell<i64>,
    offset_in_log: Cell<i64>,
}

impl Clock {
    /// The milliseconds since 1970 by the clock of the service.
    pub fn now(&self) -> i64 {
        unix_milliseconds() + self.offset.get()
    }

    /// The time in the form of HTTP.
    pub fn date(&self) -> String {
        let milliseconds = u64::try_from(self.now()).unwrap_or_default();
        httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_millis(milliseconds))
    }

    /// Learns from an answer.
    pub fn watch(&self, answer: &Answer) {
        let date = answer.header("date").and_then(read_date);
        let difference = date.map_or(self.offset.get(), |date| date - unix_milliseconds());
        let mut offset = if difference.abs() > TOLERANCE {
            difference
        } else {
            0
        };
        if let Some(hint) = answer.date_refusal()
            && (offset - self.offset.get()).abs() < TOLERANCE
        {
            // The header is not from the clock that judges.
            offset = self.offset.get() - minutes_ahead(&hint) * MINUTE;
        }
        if (offset - self.offset_in_log.get()).abs() > TOLERANCE {
            let direction = if offset > 0 { "behind" } else { "ahead of" };
            let seconds = offset.abs() / 1_000;
            log(format!(
                "the clock of this machine is {seconds} s {direction} that of the service: set it"
            ));
            self.offset_in_log.set(offset);
        }
        self.offset.set(offset);
    }
}

/// The minutes of «Date is 22 minutes ahead of our clock»; behind is less than 0.
fn minutes_ahead(hint: &str) -> i64 {
    let Some((_, rest)) = hint.split_once("Date is ") else {
        return 0;
    };
    let mut words = rest.split(' ');
    let minutes = words.next().and_then(|word| word.parse::<i64>().ok());
    match (minutes, words.nth(1)) {
        (Some(minutes), Some("ahead")) => minutes,
        (Some(minutes), Some("behind")) => -minutes,
        _ => 0,
    }
}
