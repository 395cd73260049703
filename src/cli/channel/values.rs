//! Values of the flags.

use std::str::FromStr;

/// A time in seconds, written with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Seconds(pub(in crate::cli) u64);

impl FromStr for Seconds {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "write a whole number and a unit, as in 90s, 30m, 2h or 7d";
        let units = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];
        units
            .into_iter()
            .find_map(|(unit, seconds)| {
                let number = text.strip_suffix(unit)?;
                let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
                let number: u64 = number.parse().ok().filter(|_| digits)?;
                number.checked_mul(seconds)
            })
            .map(Self)
            .ok_or(EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [
            ("0s", 0),
            ("90s", 90),
            ("30m", 1_800),
            ("24h", 86_400),
            ("7d", 604_800),
        ] {
            assert_eq!(text.parse(), Ok(Seconds(seconds)));
        }
        for text in [
            "",
            "s",
            "5",
            "-1s",
            "+1s",
            "1.5h",
            "1w",
            "99999999999999999999s",
            "18446744073709551615d",
        ] {
            assert!(text.parse::<Seconds>().is_err(), "{text}");
        }
    }
}
