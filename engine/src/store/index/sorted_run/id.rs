//! The names of sorted runs.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::Seq;
use crate::store::index::error::IndexError;

/// The kind of entries that a run has. Runs of different families are never merged with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Family {
    /// Fingerprints, each with the position of the newest record that has it.
    #[default]
    Keys,
    /// Rows of lists, and snapshots.
    Rows,
}

impl Family {
    pub(crate) const ALL: [Self; 2] = [Self::Keys, Self::Rows];

    fn prefix(self) -> &'static str {
        match self {
            Self::Keys => "keys-",
            Self::Rows => "rows-",
        }
    }
}

/// The identity of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunId {
    pub(crate) family: Family,
    /// No other run has or had this number.
    pub(crate) number: u64,
    /// The run has nothing of later records. The journal had this record when the run was written.
    pub(crate) last: Seq,
}

impl RunId {
    /// The name of its file.
    pub(crate) fn name(&self) -> String {
        let prefix = self.family.prefix();
        format!("{prefix}{:020}-{:020}", self.number, self.last.0)
    }

    /// The run cannot be read or written.
    pub(crate) fn failure(&self, error: &io::Error) -> IndexError {
        IndexError::io(self.name(), error)
    }

    /// The run whose file has this name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let (family, rest) = split(name)?;
        let (number, last) = rest.split_once('-')?;
        let id = Self {
            family,
            number: number.parse().ok()?,
            last: Seq(last.parse().ok()?),
        };
        (id.name() == name).then_some(id)
    }
}

/// Returns whether this is the name of a run, whatever stands behind it.
pub(crate) fn is_run(name: &str) -> bool {
    split(name).is_some()
}

fn split(name: &str) -> Option<(Family, &str)> {
    let mut families = Family::ALL.into_iter();
    families.find_map(|family| Some((family, name.strip_prefix(family.prefix())?)))
}

/// Gives numbers to runs: each once, even when the run with that number was never completed. A manifest on disk may
/// name a file that is unknown here, since putting it into force failed at its last step; another file must not take
/// its name.
#[derive(Debug)]
pub(crate) struct RunNumbers(AtomicU64);

impl RunNumbers {
    /// Numbers behind those of all files with these names.
    pub(crate) fn behind(names: &[String]) -> Self {
        let number = |name: &String| split(name)?.1.split('-').next()?.parse().ok();
        Self(AtomicU64::new(
            names.iter().filter_map(number).max().unwrap_or(0),
        ))
    }

    /// A number that no run had.
    pub(crate) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::AcqRel).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_number_is_never_reused() {
        let names = [
            "keys-00000000000000000002-00000000000000000099",
            "manifest",
            "rows-00000000000000000003-00000000000000000099",
            "rows-00000000000000000007-00000000000000000099.new",
            "keys-00000000000000000005-00000000000000000099.damaged-2",
            "rows-x",
            "journal-99",
        ];
        let numbers = RunNumbers::behind(&names.map(str::to_owned));
        assert_eq!([numbers.next(), numbers.next()], [8, 9]);
        assert_eq!(RunNumbers::behind(&[]).next(), 1);
    }

    #[test]
    fn a_run_is_identified_by_its_whole_name_only() {
        for family in Family::ALL {
            let id = RunId {
                family,
                number: 7,
                last: Seq(99),
            };
            let name = id.name();
            assert_eq!(RunId::parse(&name), Some(id));
            for other in [
                format!("{name}.new"),
                format!("{name}0"),
                format!("x{name}"),
                name.replace("-0", "-+"),
            ] {
                assert_eq!(RunId::parse(&other), None, "{other}");
            }
            assert!(is_run(&name) && is_run(&format!("{name}.damaged-1")));
        }
        assert!(!is_run("manifest") && !is_run("keys"));
    }
}
