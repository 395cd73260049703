//! The number at which the answer to a question of a salesbot is taken.

use std::fmt;
use std::str::FromStr;

use super::SalesbotRunId;

/// The number of different secrets. They are few, since libraries read the number as a whole one: with them, the numbers of
/// 900 million runs stay below 2⁵³. A caller needs the right to edit the lead besides.
const SECRETS: u64 = 10_000_000;

/// The number at the end of the address of a question: the run, and a secret of 7 digits.
#[derive(Clone, Copy)]
pub struct SalesbotReturnId(u64);

impl SalesbotReturnId {
    /// The number of a run with a secret, of which the last digits count.
    #[must_use]
    pub fn new(run: SalesbotRunId, secret: u128) -> Self {
        // Below 10,000,000, so it fits.
        let digits = u64::try_from(secret % u128::from(SECRETS)).unwrap_or_default();
        Self(run.0.saturating_mul(SECRETS).saturating_add(digits))
    }

    /// The run.
    #[must_use]
    pub const fn run(self) -> SalesbotRunId {
        SalesbotRunId(self.0 / SECRETS)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl FromStr for SalesbotReturnId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl fmt::Display for SalesbotReturnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for SalesbotReturnId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SalesbotReturnId({}, ***)", self.run().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_has_the_run_and_whole_digits() {
        let number = SalesbotReturnId::new(SalesbotRunId(7), u128::MAX);
        assert_eq!(number.run(), SalesbotRunId(7));
        let text = number.to_string();
        assert_eq!(text.len(), 8, "{text}");
        assert_eq!(
            text.parse::<SalesbotReturnId>().unwrap().get(),
            number.get()
        );
        assert_eq!(format!("{number:?}"), "SalesbotReturnId(7, ***)");
        let last = SalesbotReturnId::new(SalesbotRunId(900_000_000), u128::MAX);
        assert!(last.get() < 1 << 53);
    }
}
