//! Series of a service in trouble, and the alerts that fire: as Prometheus itself evaluates the rules.

use std::process::Command;

use serde_json::{Value, json};

use super::values;
use crate::packaging::of_project;
use crate::support::limit::Limited as _;
use crate::support::skip::skipped;

/// A minute apart: 20 values.
const MINUTES: u32 = 20;
/// The time at which the alerts are read.
const LOOKED_AT: &str = "19m";

/// A series with one value, or with a first one and what it grows by.
type Series = (&'static str, f64, f64);

/// An alert that fires, with its labels.
type Firing = (&'static str, Vec<(&'static str, &'static str)>);

/// Series, and the alerts that fire: each with the labels that its expression leaves.
struct Case {
    name: &'static str,
    series: Vec<Series>,
    fires: Vec<Firing>,
}

const UP_A: &str = "up{job=\"switchboard\", instance=\"a\"}";
const UP_B: &str = "up{job=\"switchboard\", instance=\"b\"}";
const OWNER_A: &str = "switchboard_shared_log_owner{instance=\"a\"}";
const OWNER_B: &str = "switchboard_shared_log_owner{instance=\"b\"}";
const WRITABLE_A: &str = "switchboard_journal_writable{instance=\"a\"}";
const WRITABLE_B: &str = "switchboard_journal_writable{instance=\"b\"}";
const BEHIND_B: &str = "switchboard_shared_log_behind_seconds{instance=\"b\"}";
const ID_A: &str = "switchboard_installation_id{instance=\"a\"}";
const ID_B: &str = "switchboard_installation_id{instance=\"b\"}";

/// Two nodes that are as they should be, with these values in place of theirs. NaN: there is no such series.
fn pair(changed: &[Series]) -> Vec<Series> {
    let right = [
        (UP_A, 1.0),
        (UP_B, 1.0),
        (OWNER_A, 1.0),
        (OWNER_B, 0.0),
        (WRITABLE_A, 1.0),
        (WRITABLE_B, 0.0),
        (BEHIND_B, 1.0),
        (ID_A, 7.0),
        (ID_B, 7.0),
        ("switchboard_shared_log_behind_seconds{instance=\"a\"}", 0.0),
        ("switchboard_archive_age_seconds{instance=\"a\"}", 1.0),
        (
            "switchboard_http_requests_total{instance=\"a\", status=\"5xx\"}",
            0.0,
        ),
    ];
    let mut series: Vec<Series> = right.map(|(name, value)| (name, value, 0.0)).into();
    for change in changed {
        series.retain(|(name, _, _)| *name != change.0);
        series.push(*change);
    }
    series.retain(|(_, value, _)| !value.is_nan());
    series
}

fn cases() -> Vec<Case> {
    let mut cases = one_machine();
    cases.extend(nodes());
    cases.extend(work());
    cases
}

fn case(name: &'static str, series: Vec<Series>, fires: Vec<Firing>) -> Case {
    Case {
        name,
        series,
        fires,
    }
}

fn a() -> Vec<(&'static str, &'static str)> {
    vec![("instance", "a")]
}

fn one_machine() -> Vec<Case> {
    let node_a = || vec![("instance", "a"), ("job", "switchboard")];
    vec![
        case(
            "one machine without a shared log",
            vec![(UP_A, 1.0, 0.0), (WRITABLE_A, 1.0, 0.0), (ID_A, 7.0, 0.0)],
            vec![],
        ),
        case(
            "one machine whose process has ended",
            vec![(UP_A, 0.0, 0.0)],
            vec![("SwitchboardUnavailable", node_a())],
        ),
        case(
            "one machine with a full disk",
            vec![(UP_A, 1.0, 0.0), (WRITABLE_A, 0.0, 0.0)],
            vec![("SwitchboardUnavailable", a())],
        ),
    ]
}

fn nodes() -> Vec<Case> {
    vec![
        case("two nodes as they should be", pair(&[]), vec![]),
        case(
            "the log is away from both nodes",
            pair(&[(OWNER_A, 0.0, 0.0), (WRITABLE_A, 0.0, 0.0)]),
            vec![("SwitchboardNoOwner", vec![])],
        ),
        case(
            "the owner has a full disk",
            pair(&[(WRITABLE_A, 0.0, 0.0)]),
            vec![("SwitchboardUnavailable", a())],
        ),
        case(
            "the machine of the standby is lost",
            pair(&[
                (UP_B, 0.0, 0.0),
                (OWNER_B, f64::NAN, 0.0),
                (WRITABLE_B, f64::NAN, 0.0),
                (BEHIND_B, f64::NAN, 0.0),
                (ID_B, f64::NAN, 0.0),
            ]),
            vec![("SwitchboardStandbyMissing", vec![])],
        ),
        case(
            "the standby falls behind",
            pair(&[(BEHIND_B, 50.0, 30.0)]),
            vec![("SwitchboardStandbyMissing", vec![])],
        ),
        case(
            "the promoted server of PostgreSQL has no standby",
            pair(&[
                (
                    "switchboard_shared_log_unreplicated{instance=\"a\"}",
                    1.0,
                    0.0,
                ),
                (
                    "switchboard_shared_log_unreplicated{instance=\"b\"}",
                    1.0,
                    0.0,
                ),
            ]),
            vec![("SwitchboardLogUnreplicated", vec![])],
        ),
        case(
            "each node has begun an installation",
            pair(&[
                (OWNER_B, 1.0, 0.0),
                (WRITABLE_B, 1.0, 0.0),
                (ID_B, 8.0, 0.0),
            ]),
            vec![("SwitchboardTwoInstallations", vec![])],
        ),
    ]
}

fn work() -> Vec<Case> {
    vec![
        case(
            "errors",
            pair(&[
                (
                    "switchboard_http_requests_total{instance=\"a\", status=\"5xx\"}",
                    0.0,
                    10.0,
                ),
                (
                    "switchboard_http_requests_total{instance=\"a\", status=\"2xx\"}",
                    0.0,
                    100.0,
                ),
            ]),
            vec![("SwitchboardErrors", a())],
        ),
        case(
            "backpressure",
            pair(&[(
                "switchboard_dispatch_refused_total{instance=\"a\", quota=\"node\"}",
                0.0,
                5.0,
            )]),
            vec![("SwitchboardRepliesRefused", a())],
        ),
        case(
            "an integration that accepts nothing",
            pair(&[(
                "switchboard_dispatch_oldest_age_seconds{instance=\"a\"}",
                0.0,
                100.0,
            )]),
            vec![("SwitchboardCallbacksLate", a())],
        ),
        case(
            "an archive that does not go on",
            pair(&[("switchboard_archive_age_seconds{instance=\"a\"}", 0.0, 60.0)]),
            vec![("SwitchboardArchiveOld", a())],
        ),
        case(
            "dead callbacks",
            pair(&[(
                "switchboard_dispatch_dead_total{instance=\"a\", reason=\"age\"}",
                0.0,
                1.0,
            )]),
            vec![("SwitchboardCallbacksDead", a())],
        ),
    ]
}

/// The severity and the summary of each alert.
fn described() -> Vec<(String, String, String)> {
    let quoted = |text: &str, key: &str| {
        let (_, behind) = text.split_once(key).unwrap();
        behind.trim_end_matches(" }").trim_matches('"').to_owned()
    };
    let severities = values("labels:");
    let summaries = values("annotations:");
    let described = severities
        .iter()
        .zip(&summaries)
        .map(|(labels, text)| (quoted(labels, "severity: "), quoted(text, "summary: ")));
    let names = values("alert:").into_iter();
    names
        .zip(described)
        .map(|(name, (severity, summary))| (name, severity, summary))
        .collect()
}

/// A case in the form of `promtool test rules`: all alerts are read, those that must not fire as well.
fn test(case: &Case) -> Value {
    let series = case.series.iter().map(|(series, first, step)| {
        json!({ "series": series, "values": format!("{first}+{step}x{MINUTES}") })
    });
    let alerts = described().into_iter().map(|(alert, severity, summary)| {
        let fires: Vec<Value> = case
            .fires
            .iter()
            .filter(|(name, _)| *name == alert)
            .map(|(_, labels)| {
                let labels: serde_json::Map<_, _> = labels
                    .iter()
                    .copied()
                    .chain([("severity", severity.as_str())])
                    .map(|(key, value)| (key.to_owned(), json!(value)))
                    .collect();
                json!({ "exp_labels": labels, "exp_annotations": { "summary": summary } })
            })
            .collect();
        json!({ "eval_time": LOOKED_AT, "alertname": alert, "exp_alerts": fires })
    });
    json!({
        "name": case.name,
        "interval": "1m",
        "input_series": series.collect::<Vec<_>>(),
        "alert_rule_test": alerts.collect::<Vec<_>>(),
    })
}

#[test]
fn alerts_fire_for_the_series_of_their_cases() {
    let cases = cases();
    for (alert, _, _) in described() {
        let fires = |case: &Case| case.fires.iter().any(|(name, _)| *name == alert);
        assert!(cases.iter().any(fires), "no case of {alert}");
    }
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("cases.json");
    let tests: Vec<Value> = cases.iter().map(test).collect();
    let rules = of_project("packaging/alerts.yaml");
    let document = json!({ "rule_files": [rules], "evaluation_interval": "1m", "tests": tests });
    std::fs::write(&file, document.to_string()).unwrap();
    let promtool = Command::new("promtool")
        .args(["test", "rules"])
        .arg(&file)
        .limited_output();
    match promtool {
        Ok(output) => {
            let stdout = String::from_utf8_lossy(&output.stdout);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{stdout}\n{stderr}");
        }
        Err(error) => skipped(
            &format!("promtool does not run: {error}"),
            "install the package prometheus",
        ),
    }
}
