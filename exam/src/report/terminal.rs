//! The report on a terminal.

use crate::report::{Tally, rule_page, worst_first};
use crate::run::RuleReport;
use crate::verdict::Verdict;

/// The most lines of a journal on a terminal: those at the end. The other reports have all.
const JOURNAL_LINES: usize = 12;

/// The first line: the numbers of verdicts.
#[must_use]
pub fn headline(reports: &[RuleReport]) -> String {
    let tally = Tally::count(reports);
    let mut parts = vec![
        format!("{} hold", tally.holds),
        format!("{} break", tally.breaks),
        format!("{} warn", tally.warns),
        format!("{} not tried", tally.not_tried),
    ];
    if tally.waived > 0 {
        parts.push(format!("{} waived", tally.waived));
    }
    parts.join(", ")
}

/// The rules that do not hold, each with what to do, and one line for those that do.
#[must_use]
pub fn lines(reports: &[RuleReport]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut holding = Vec::new();
    for report in worst_first(reports) {
        let rule = &report.rule;
        if matches!(report.verdict, Verdict::Holds { remark: None }) {
            holding.push(rule.number.to_string());
            continue;
        }
        let word = report.verdict.word();
        lines.push(format!("{word:<9} {:>2}  {}", rule.number, rule.title));
        let sentence = report.verdict.sentence();
        lines.extend(sentence.map(|why| format!("              {why}")));
        if matches!(
            report.verdict,
            Verdict::Breaks { .. } | Verdict::Warns { .. }
        ) {
            lines.push(format!("              Do: {}", rule.advice));
            let journal = report.evidence.iter().flat_map(|it| it.journal.lines());
            let lines_of_journal: Vec<&str> = journal.collect();
            let surplus = lines_of_journal.len().saturating_sub(JOURNAL_LINES);
            let tail = lines_of_journal.iter().skip(surplus);
            lines.extend(tail.map(|line| format!("              | {line}")));
            lines.push(format!("              See {}", rule_page(rule.number)));
        }
    }
    if !holding.is_empty() {
        lines.push(format!("{:<9} {}", "holds", holding.join(", ")));
    }
    lines
}
