//! The report as a document for programs.

use serde::Serialize;
use serde_json::Value;

use crate::report::{EXAM_VERSION, Tally, headline, rule_page};
use crate::role::Role;
use crate::rule::Source;
use crate::run::RuleReport;
use crate::verdict::Verdict;

#[derive(Serialize)]
struct ReportDocument<'r> {
    /// Changes when a program that reads this has to change.
    exam_version: u32,
    headline: String,
    counts: Tally,
    rules: Vec<RuleDocument<'r>>,
}

#[derive(Serialize)]
struct RuleDocument<'r> {
    number: u8,
    title: &'r str,
    roles: &'r [Role],
    sources: &'r [Source],
    page: String,
    #[serde(flatten)]
    verdict: &'r Verdict,
    milliseconds: u64,
    stimulus: &'r str,
    expectation: &'r str,
    mistake: &'r str,
    advice: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<EvidenceDocument<'r>>,
}

#[derive(Serialize)]
struct EvidenceDocument<'r> {
    exchanges: &'r [String],
    journal: Vec<&'r str>,
    output: &'r str,
}

impl<'r> RuleDocument<'r> {
    fn new(report: &'r RuleReport) -> Self {
        let rule = &report.rule;
        Self {
            number: rule.number,
            title: rule.title,
            roles: rule.roles,
            sources: rule.sources,
            page: rule_page(rule.number),
            verdict: &report.verdict,
            milliseconds: u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
            stimulus: rule.stimulus,
            expectation: rule.expectation,
            mistake: rule.mistake,
            advice: rule.advice,
            evidence: report.evidence.as_ref().map(|evidence| EvidenceDocument {
                exchanges: &evidence.exchanges,
                journal: evidence.journal.lines().collect(),
                output: &evidence.output,
            }),
        }
    }
}

/// The report as a document.
#[must_use]
pub fn json(reports: &[RuleReport]) -> Value {
    let document = ReportDocument {
        exam_version: EXAM_VERSION,
        headline: headline(reports),
        counts: Tally::count(reports),
        rules: reports.iter().map(RuleDocument::new).collect(),
    };
    serde_json::to_value(document).unwrap_or_default()
}
