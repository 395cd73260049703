//! The rules for Prometheus: their expressions can be read, ask for series that the service has, are in the guide, and fire
//! for the series of the cases that they name.

mod series;

use serde_json::Value;

use super::{of_project, python};
use crate::support::server::Setup;
use crate::support::skip::skipped;

/// An alert: its name, its expression, and how long that must hold.
type Alert = [String; 3];

/// Returns the values of the lines of the file that begin with this key.
fn values(key: &str) -> Vec<String> {
    let rules = std::fs::read_to_string(of_project("packaging/alerts.yaml")).unwrap();
    let lines = rules
        .lines()
        .map(|line| line.trim().trim_start_matches("- "));
    let values = lines.filter_map(|line| line.strip_prefix(key));
    values.map(|value| value.trim().to_owned()).collect()
}

/// The alerts of the file.
fn alerts() -> Vec<Alert> {
    let (names, expressions, times) = (values("alert:"), values("expr:"), values("for:"));
    assert_eq!((names.len(), times.len()), (10, expressions.len()));
    let alerts = names.into_iter().zip(expressions).zip(times);
    alerts
        .map(|((name, expression), time)| [name, expression, time])
        .collect()
}

#[test]
fn the_guide_has_every_alert_with_its_expression() {
    let guide = std::fs::read_to_string(of_project("docs/operating.md")).unwrap();
    let rows = guide
        .lines()
        .filter(|line| line.starts_with("| `Switchboard"))
        .map(|row| -> Alert {
            let cells: Vec<&str> = row.split(" | ").collect();
            let cell = |at: usize| cells[at].trim_matches(['|', ' ', '`']).to_owned();
            [cell(0), cell(1), cell(2)]
        });
    assert_eq!(rows.collect::<Vec<_>>(), alerts());
}

/// The names of the service's series in an expression, each with the label behind it.
fn asked(expression: &str) -> Vec<(String, Option<String>)> {
    let mut series = Vec::new();
    for rest in expression.split("switchboard_").skip(1) {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        let label = behind.strip_prefix('{').and_then(|it| it.split('}').next());
        series.push((format!("switchboard_{name}"), label.map(str::to_owned)));
    }
    series
}

#[tokio::test]
async fn alerts_ask_only_for_series_that_the_service_has() {
    let archive = tempfile::tempdir().unwrap();
    crate::shared_log::begin(archive.path(), "a").await;
    let setup = Setup::default()
        .archive(archive.path())
        .setting("shared_log", "to = \"archive\"");
    let server = setup.setting("shared_log", "node = \"a\"").start().await;
    let metrics = server.client().request("GET", "/metrics").send().await;
    let series: Vec<&str> = metrics
        .body
        .lines()
        .filter_map(|line| Some(line.rsplit_once(' ')?.0))
        .collect();
    for [alert, expression, _] in alerts() {
        let names = asked(&expression);
        assert!(!names.is_empty(), "{alert}");
        // Only a log in PostgreSQL has it: `an_owner_without_its_log_answers_nothing` reads it.
        let names = names.into_iter();
        for (name, label) in names.filter(|(name, _)| !name.ends_with("_unreplicated")) {
            let is_there = |series: &&str| {
                let (known, labels) = series.split_once('{').unwrap_or((series, ""));
                known == name && labels.contains(label.as_deref().unwrap_or_default())
            };
            assert!(series.iter().any(is_there), "{alert}: {name} {label:?}");
        }
    }
}

#[test]
fn expressions_of_alerts_are_valid() {
    let script = of_project("tests/clients/packaging/expressions.py");
    let rules = of_project("packaging/alerts.yaml");
    match python(|python| python.arg(script).arg(rules)) {
        Ok(output) => {
            let rules: Vec<Value> = serde_json::from_slice(&output.unwrap().stdout).unwrap();
            let read = rules.iter().map(|rule| {
                ["alert", "expr", "for"].map(|key| rule[key].as_str().unwrap().to_owned())
            });
            assert_eq!(read.collect::<Vec<_>>(), alerts());
        }
        Err(why) => skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    }
}
