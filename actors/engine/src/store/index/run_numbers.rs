//! Numbers of row runs: each is given once, even when what was to have it came to nothing. A manifest on disk may name
//! a file that is unknown here, since putting it into force failed at its last step; another file must not take its name.

use std::sync::atomic::{AtomicU64, Ordering};

use super::row_run;

/// Gives numbers to row runs.
#[derive(Debug)]
pub(super) struct RunNumbers(AtomicU64);

impl RunNumbers {
    /// Numbers behind those of all files with these names.
    pub(super) fn behind(names: &[String]) -> Self {
        let taken = names.iter().filter_map(|name| row_run::number_of(name));
        Self(AtomicU64::new(taken.max().unwrap_or(0)))
    }

    /// A number that no run had.
    pub(super) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::AcqRel).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_given_twice_whatever_became_of_its_file() {
        let names = [
            "run-1-99",
            "manifest",
            "rows-00000000000000000003",
            "rows-00000000000000000007.new",
            "rows-00000000000000000005.damaged-2",
            "rows-x",
        ];
        let numbers = RunNumbers::behind(&names.map(str::to_owned));
        assert_eq!([numbers.next(), numbers.next()], [8, 9]);
        assert_eq!(RunNumbers::behind(&[]).next(), 1);
    }
}
