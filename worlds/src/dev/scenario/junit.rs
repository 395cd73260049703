//! Reports in the XML of `JUnit`, which systems for continuous integration read.

use super::{FileReport, ScenarioReport, shown};
use crate::dev::xml::escaped;

/// The reports as one document.
pub fn junit(reports: &[FileReport]) -> String {
    let suites: String = reports.iter().map(suite).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n{suites}</testsuites>\n")
}

fn suite(report: &FileReport) -> String {
    let scenarios = &report.scenarios;
    let failures = scenarios.iter().filter(|it| it.failure.is_some()).count();
    let time: f64 = scenarios.iter().map(|it| it.took.as_secs_f64()).sum();
    let name = escaped(&shown(&report.path));
    let cases: String = scenarios.iter().map(|it| case(&name, it)).collect();
    format!(
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" time=\"{time:.3}\">\n{cases}  </testsuite>\n",
        scenarios.len()
    )
}

fn case(suite: &str, report: &ScenarioReport) -> String {
    let (name, time) = (escaped(&report.name), report.took.as_secs_f64());
    let head = format!("    <testcase classname=\"{suite}\" name=\"{name}\" time=\"{time:.3}\"");
    match &report.failure {
        None => format!("{head}/>\n"),
        Some(failure) => format!(
            "{head}>\n      <failure message=\"{}\"/>\n      <system-out>{}</system-out>\n    </testcase>\n",
            escaped(&failure.why),
            escaped(&failure.journal)
        ),
    }
}
