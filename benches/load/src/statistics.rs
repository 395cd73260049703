//! Numbers about numbers.

use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;

/// An empty histogram of microseconds, exact to three digits.
///
/// # Errors
/// When there is no memory for it.
pub fn histogram() -> Result<Histogram<u64>> {
    Ok(Histogram::new(3)?)
}

/// The middle of these values; 0 when there are none.
#[must_use]
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// The rate per second of so many in this time; 0 when it took no time.
#[must_use]
pub fn per_second(count: u64, time: Duration) -> f64 {
    if time.is_zero() {
        return 0.0;
    }
    exact(count) / time.as_secs_f64()
}

/// Microseconds with fractions.
#[must_use]
pub fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Whole microseconds.
#[must_use]
pub fn micros_of(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A count as a number to calculate with.
#[must_use]
#[expect(
    clippy::as_conversions,
    reason = "the counts of a benchmark are far below 2^53, where floats stop being exact"
)]
pub fn exact(count: u64) -> f64 {
    count as f64
}

/// A length as a number to calculate with.
#[must_use]
pub fn length(count: usize) -> f64 {
    exact(u64::try_from(count).unwrap_or(u64::MAX))
}

/// The whole number below; 0 for what is below 0 or no number.
#[must_use]
#[expect(
    clippy::as_conversions,
    reason = "a float becomes the nearest number that there is"
)]
pub fn whole(value: f64) -> u64 {
    value as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_a_measured_value() {
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([4.0, 1.0]), 4.0);
        assert_eq!(median([]), 0.0);
    }

    #[test]
    fn a_rate_of_no_time_is_none() {
        assert_eq!(per_second(10, Duration::ZERO), 0.0);
        assert_eq!(per_second(10, Duration::from_millis(500)), 20.0);
    }
}
