//! Reports of a run.

mod badge;
mod html;
mod json;
mod junit;
mod page;
mod terminal;

pub use self::badge::badge;
pub use self::html::html;
pub use self::json::json;
pub use self::junit::junit;
pub use self::page::page;
pub use self::terminal::{headline, lines};

use serde::Serialize;

use crate::run::RuleReport;
use crate::verdict::Verdict;

/// The version of the exam: of its rules and of the form of its reports.
pub const EXAM_VERSION: u32 = 1;

/// The page of a rule, below the documentation.
#[must_use]
pub fn rule_page(number: u8) -> String {
    format!("docs/exam/{number:02}.md")
}

/// The numbers of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Rules that hold.
    pub holds: usize,
    /// Rules that are broken.
    pub breaks: usize,
    /// Rules with a warning.
    pub warns: usize,
    /// Rules that were not tried.
    pub not_tried: usize,
    /// Rules that were waived.
    pub waived: usize,
}

impl Tally {
    /// Counts the verdicts.
    #[must_use]
    pub fn count(reports: &[RuleReport]) -> Self {
        let mut tally = Self::default();
        for report in reports {
            let number = match report.verdict {
                Verdict::Holds { .. } => &mut tally.holds,
                Verdict::Breaks { .. } => &mut tally.breaks,
                Verdict::Warns { .. } => &mut tally.warns,
                Verdict::NotTried { .. } => &mut tally.not_tried,
                Verdict::Waived { .. } => &mut tally.waived,
            };
            *number += 1;
        }
        tally
    }

    /// Returns whether the program passes. A strict exam takes neither warnings nor rules that were not tried.
    #[must_use]
    pub fn passes(self, is_strict: bool) -> bool {
        self.breaks == 0 && !(is_strict && self.warns + self.not_tried > 0)
    }
}

/// The reports in the order in which people read them: what is broken first.
#[must_use]
pub fn worst_first(reports: &[RuleReport]) -> Vec<&RuleReport> {
    let mut list: Vec<&RuleReport> = reports.iter().collect();
    list.sort_by_key(|report| (report.verdict.rank(), report.rule.number));
    list
}
