//! Values of the flags.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A value, or the word `none`, which takes away what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unless<T>(Option<T>);

impl<T: FromStr> FromStr for Unless<T> {
    type Err = T::Err;
    fn from_str(text: &str) -> Result<Self, T::Err> {
        match text {
            "none" => Ok(Self(None)),
            text => text.parse().map(|value| Self(Some(value))),
        }
    }
}

impl<T: Serialize> Serialize for Unless<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

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

    #[test]
    fn none_is_null() {
        let json = |text: &str| serde_json::json!(text.parse::<Unless<u8>>().unwrap());
        assert_eq!(json("none"), serde_json::Value::Null);
        assert_eq!(json("7"), 7);
        assert!("x".parse::<Unless<u8>>().is_err());
    }
}
