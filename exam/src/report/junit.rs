//! The report in the XML of `JUnit`, which systems for continuous integration read.

use std::time::Duration;

use switchboard_worlds::dev::xml::escaped;

use crate::report::{Tally, rule_page};
use crate::run::RuleReport;
use crate::verdict::Verdict;

/// The report as one document. A rule that was not tried or is waived is skipped; a warning is output of a test that passed.
#[must_use]
pub fn junit(reports: &[RuleReport], is_strict: bool) -> String {
    let tally = Tally::count(reports);
    let (failures, skips) = if is_strict {
        (tally.breaks + tally.warns + tally.not_tried, tally.waived)
    } else {
        (tally.breaks, tally.not_tried + tally.waived)
    };
    let time: Duration = reports.iter().map(|report| report.took).sum();
    let cases: String = reports.iter().map(|it| case(it, is_strict)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"exam\" tests=\"{}\" failures=\"{failures}\" \
         errors=\"0\" skipped=\"{skips}\" time=\"{:.3}\">\n{cases}  </testsuite>\n</testsuites>\n",
        reports.len(),
        time.as_secs_f64()
    )
}

fn case(report: &RuleReport, is_strict: bool) -> String {
    let rule = &report.rule;
    let head = format!(
        "    <testcase classname=\"exam\" name=\"{:02} {}\" time=\"{:.3}\"",
        rule.number,
        escaped(rule.title),
        report.took.as_secs_f64()
    );
    let sentence = escaped(report.verdict.sentence().unwrap_or_default());
    let inner = match &report.verdict {
        Verdict::Holds { remark: None } => return format!("{head}/>\n"),
        Verdict::Breaks { .. } => failure(report, &sentence),
        Verdict::Warns { .. } | Verdict::NotTried { .. } if is_strict => failure(report, &sentence),
        Verdict::NotTried { .. } | Verdict::Waived { .. } => {
            format!("      <skipped message=\"{sentence}\"/>\n")
        }
        Verdict::Holds { .. } | Verdict::Warns { .. } => {
            format!("      <system-out>{sentence}</system-out>\n")
        }
    };
    format!("{head}>\n{inner}    </testcase>\n")
}

fn failure(report: &RuleReport, sentence: &str) -> String {
    let advice = escaped(report.rule.advice);
    let page = rule_page(report.rule.number);
    let journal = report.evidence.as_ref().map(|it| it.journal.as_str());
    format!(
        "      <failure message=\"{sentence}\">{advice} See {page}</failure>\n      <system-out>{}</system-out>\n",
        escaped(journal.unwrap_or_default())
    )
}
