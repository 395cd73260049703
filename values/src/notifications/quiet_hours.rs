//! The hours of a day in which a user wants no notifications.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::schema::schema_of;
use crate::time::UnixMillis;

const MINUTES_OF_DAY: i64 = 24 * 60;

/// The text is no time of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected hours and minutes from \"00:00\" to \"23:59\"")]
pub struct TimeOfDayError;

/// A time of a day, to the minute: `22:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay {
    minute: u16,
}

schema_of!(TimeOfDay, { "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$" });

impl FromStr for TimeOfDay {
    type Err = TimeOfDayError;

    fn from_str(text: &str) -> Result<Self, TimeOfDayError> {
        let number = |digits: &str, end: u16| {
            let is_pair = digits.len() == 2 && digits.bytes().all(|it| it.is_ascii_digit());
            let value = digits.parse().ok().filter(|_| is_pair);
            value.filter(|value| *value < end)
        };
        let (hours, minutes) = text.split_once(':').ok_or(TimeOfDayError)?;
        let hour: u16 = number(hours, 24).ok_or(TimeOfDayError)?;
        let minute: u16 = number(minutes, 60).ok_or(TimeOfDayError)?;
        Ok(Self {
            minute: hour.saturating_mul(60).saturating_add(minute),
        })
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = TimeOfDayError;

    fn try_from(text: String) -> Result<Self, TimeOfDayError> {
        text.parse()
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.minute / 60, self.minute % 60)
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> Self {
        time.to_string()
    }
}

/// The number of minutes by which a clock is ahead of UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UtcOffset(i16);

impl UtcOffset {
    /// The largest in use, in minutes: islands in the Pacific have it.
    pub const MOST: i64 = 14 * 60;
    /// The smallest that is possible, in minutes.
    pub const LEAST: i64 = -Self::MOST;

    /// The nearest offset of those that are possible.
    #[must_use]
    pub fn from_minutes(minutes: i64) -> Self {
        let possible = minutes.clamp(Self::LEAST, Self::MOST);
        Self(i16::try_from(possible).unwrap_or_default())
    }

    /// The minutes.
    #[must_use]
    pub fn minutes(self) -> i64 {
        self.0.into()
    }
}

/// The hours of a day in which a user wants no notifications. The two times may be on both sides of midnight; the same time
/// twice stands for no hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// The first minute.
    pub from: TimeOfDay,
    /// The minute behind the last one.
    pub to: TimeOfDay,
    /// The offset of the user's clock.
    #[serde(default)]
    pub utc_offset: UtcOffset,
}

impl QuietHours {
    /// Returns whether a time is in these hours.
    #[must_use]
    pub fn contain(&self, now: UnixMillis) -> bool {
        let minutes = i64::try_from(now.secs() / 60).unwrap_or(i64::MAX);
        let local = minutes.saturating_add(self.utc_offset.minutes());
        let minute = local.rem_euclid(MINUTES_OF_DAY);
        let (from, to) = (i64::from(self.from.minute), i64::from(self.to.minute));
        if from <= to {
            (from..to).contains(&minute)
        } else {
            minute >= from || minute < to
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(from: &str, to: &str, offset: i64) -> QuietHours {
        QuietHours {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
            utc_offset: UtcOffset::from_minutes(offset),
        }
    }

    /// The time of a day in UTC, some years after 1970.
    fn at(hour: u64, minute: u64) -> UnixMillis {
        UnixMillis::from_secs(((20_000 * 24 + hour) * 60 + minute) * 60)
    }

    #[test]
    fn quiet_hours_may_lie_on_both_sides_of_midnight() {
        let night = hours("22:00", "07:30", 0);
        for (hour, minute, is_quiet) in [
            (21, 59, false),
            (22, 0, true),
            (0, 0, true),
            (7, 29, true),
            (7, 30, false),
        ] {
            assert_eq!(night.contain(at(hour, minute)), is_quiet, "{hour}:{minute}");
        }
        let lunch = hours("12:00", "13:00", 0);
        assert!(lunch.contain(at(12, 0)));
        assert!(!lunch.contain(at(13, 0)));
        assert!(!hours("12:00", "12:00", 0).contain(at(12, 0)));
    }

    #[test]
    fn quiet_hours_are_those_of_the_clock_of_the_user() {
        let tokyo = hours("22:00", "07:00", 9 * 60);
        assert!(tokyo.contain(at(13, 0)));
        assert!(!tokyo.contain(at(22, 30)));
        let new_york = hours("22:00", "07:00", -5 * 60);
        assert!(new_york.contain(at(3, 0)));
        assert!(!new_york.contain(at(13, 0)));
        // There, 1970 began five hours later.
        assert!(!new_york.contain(UnixMillis::ZERO));
    }

    #[test]
    fn a_time_of_day_has_four_digits() {
        for text in [
            "", "7:00", "24:00", "12:60", "12", "+7:00", "12:00:00", "12:0x",
        ] {
            assert_eq!(text.parse::<TimeOfDay>(), Err(TimeOfDayError), "{text}");
        }
        for text in ["00:00", "07:05", "23:59"] {
            assert_eq!(text.parse::<TimeOfDay>().unwrap().to_string(), text);
        }
    }
}
