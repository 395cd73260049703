//! Days, months and dates of UTC.

use std::time::Duration;

use crate::time::UnixMillis;

/// The milliseconds of a day.
pub(crate) const DAY_MILLIS: u64 = 86_400_000;

/// The day of a time, since the epoch.
pub(crate) fn day_of(at: UnixMillis) -> u64 {
    at.get() / DAY_MILLIS
}

/// The first day of the next month.
pub(crate) fn next_month(day: u64) -> u64 {
    let month = month_of(day);
    let mut days = (day..).skip(1);
    let next = days.find(|day| month_of(*day) != month);
    next.unwrap_or(day)
}

/// The number of a month, from March of the year 0: the calendar repeats itself every 400 years, and years are counted
/// from March, so that the leap day is their last one.
pub(crate) fn month_of(day: u64) -> u64 {
    let CountedDay { year, month, .. } = counted(day);
    year * 12 + month
}

/// The date of a time, as people write it: `26.11.2026`.
#[must_use]
pub fn date_text(at: UnixMillis) -> String {
    let CountedDay { year, month, day } = counted(day_of(at));
    let (year, month) = match month {
        0..10 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    format!("{:02}.{month:02}.{year}", day + 1)
}

/// A day of years that begin with March; month and day are counted from 0.
struct CountedDay {
    year: u64,
    month: u64,
    day: u64,
}

fn counted(day: u64) -> CountedDay {
    const DAYS_FROM_YEAR_0: u64 = 719_468;
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let days = day.saturating_add(DAYS_FROM_YEAR_0);
    let (era, of_era) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let leap_days = of_era / 1_460 + of_era / 146_096;
    let year = (of_era + of_era / 36_524 - leap_days) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    CountedDay {
        year: era * 400 + year,
        month,
        day: of_year - (153 * month + 2) / 5,
    }
}

/// Returns the time until a day begins.
pub(crate) fn until(day: u64, now: UnixMillis) -> Duration {
    let begin = day.saturating_mul(DAY_MILLIS);
    Duration::from_millis(begin.saturating_sub(now.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "01.01.1970"),
            (951_782_400, "29.02.2000"),
            (1_709_251_199, "29.02.2024"),
            (1_709_251_200, "01.03.2024"),
            (1_767_225_599, "31.12.2025"),
            (1_796_083_200, "01.12.2026"),
        ] {
            assert_eq!(date_text(UnixMillis::from_secs(seconds)), date);
        }
    }

    /// Days from 1970 on, month by month, as the calendar has them.
    #[test]
    fn months_are_those_of_the_calendar() {
        let mut day = 0;
        for year in 1970_u64..2110 {
            let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            let february = if is_leap { 29 } else { 28 };
            for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
                let next = day + length;
                assert!(
                    (day..next).all(|it| month_of(it) == month_of(day)),
                    "{year}"
                );
                assert_ne!(month_of(next - 1), month_of(next), "{year}");
                assert_eq!(next_month(day), next);
                assert_eq!(next_month(next - 1), next);
                day = next;
            }
        }
    }
}
