//! Decimal numbers as texts: no digit is lost, and they compare as numbers.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most characters of a number.
const LENGTH_MAX: usize = 32;

/// A decimal number: a sign, digits, and digits behind a full stop. Equal numbers have the same text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DecimalNumber {
    is_negative: bool,
    whole: String,
    fraction: String,
}

/// The text is no decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of at most {LENGTH_MAX} characters, such as -12.5")]
pub struct DecimalError;

impl FromStr for DecimalNumber {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        if text.len() > LENGTH_MAX {
            return Err(DecimalError);
        }
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let are_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
        if !are_digits(whole) || !are_digits(fraction) {
            return Err(DecimalError);
        }
        let (whole, fraction) = (
            whole.trim_start_matches('0').to_owned(),
            fraction.trim_end_matches('0').to_owned(),
        );
        let is_zero = whole.is_empty() && fraction.is_empty();
        Ok(Self {
            is_negative: is_negative && !is_zero,
            whole,
            fraction,
        })
    }
}

impl TryFrom<String> for DecimalNumber {
    type Error = DecimalError;

    fn try_from(text: String) -> Result<Self, DecimalError> {
        text.parse()
    }
}

impl From<DecimalNumber> for String {
    fn from(number: DecimalNumber) -> Self {
        number.to_string()
    }
}

impl fmt::Display for DecimalNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        let whole = if self.whole.is_empty() {
            "0"
        } else {
            &self.whole
        };
        write!(f, "{sign}{whole}")?;
        if !self.fraction.is_empty() {
            write!(f, ".{}", self.fraction)?;
        }
        Ok(())
    }
}

impl DecimalNumber {
    /// Compares the numbers without their signs. A longer whole part is the greater one, since it has no zeros in front.
    fn cmp_size(&self, other: &Self) -> Ordering {
        let by_length = self.whole.len().cmp(&other.whole.len());
        let by_whole = by_length.then_with(|| self.whole.cmp(&other.whole));
        by_whole.then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl Ord for DecimalNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.cmp_size(other),
            (true, true) => other.cmp_size(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for DecimalNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> DecimalNumber {
        text.parse().unwrap()
    }

    #[test]
    fn equal_numbers_have_one_text() {
        for (text, shown) in [
            ("007.50", "7.5"),
            ("-0", "0"),
            ("0.00", "0"),
            ("-0.5", "-0.5"),
            ("90071992547409930.1", "90071992547409930.1"),
            ("5.0", "5"),
        ] {
            assert_eq!(number(text).to_string(), shown);
        }
    }

    #[test]
    fn numbers_are_in_the_order_of_their_values() {
        let ascending = [
            "-100", "-20", "-2.5", "-2", "0", "0.09", "0.1", "3", "3.05", "20", "100",
        ];
        let mut numbers: Vec<_> = ascending.iter().rev().map(|it| number(it)).collect();
        numbers.sort();
        let texts: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ascending);
    }

    #[test]
    fn other_texts_are_no_numbers() {
        let long = "1".repeat(LENGTH_MAX + 1);
        for text in [
            "", "-", ".", "1.", ".5", "1e3", "+1", "1,5", " 1", "0x1", "--1", "١", &long,
        ] {
            assert_eq!(text.parse::<DecimalNumber>(), Err(DecimalError), "{text}");
        }
    }
}
