//! The dashboard for Grafana: its queries can be read and ask for metrics that the service has.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use super::{of_project, python};
use crate::support::metrics;
use crate::support::skip::skipped;

fn dashboard() -> Value {
    let text = std::fs::read(of_project("packaging/grafana.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// The panels with queries.
fn panels(dashboard: &Value) -> Vec<&Value> {
    let panels = dashboard["panels"].as_array().unwrap().iter();
    panels.filter(|panel| panel["type"] != "row").collect()
}

/// The queries of all panels, with the variables of Grafana replaced.
fn queries(dashboard: &Value) -> Vec<String> {
    let targets = panels(dashboard).into_iter().flat_map(|panel| {
        let targets = panel["targets"].as_array().unwrap();
        assert!(!targets.is_empty(), "{panel}");
        targets
    });
    targets
        .map(|target| {
            let query = target["expr"]
                .as_str()
                .unwrap()
                .replace("$__rate_interval", "5m");
            query
                .replace("$instance", ".*")
                .replace("$job", "switchboard")
        })
        .collect()
}

/// The names of metrics in a query.
fn names(query: &str) -> BTreeSet<&str> {
    let words = query.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_ours = |word: &&str| word.starts_with("switchboard_") || word.starts_with("process_");
    words.filter(is_ours).collect()
}

#[test]
fn the_dashboard_asks_only_for_documented_metrics() {
    let (dashboard, series) = (dashboard(), metrics::series());
    let queries = queries(&dashboard);
    assert!(queries.len() > 30);
    for query in &queries {
        let names = names(query);
        assert!(!names.is_empty(), "{query}");
        for name in names {
            assert!(series.contains(name), "{name} in {query}");
        }
    }
}

/// Each panel has a place and a number of its own.
#[test]
fn panels_do_not_overlap() {
    let dashboard = dashboard();
    let (mut ids, mut cells) = (BTreeSet::new(), BTreeSet::new());
    for panel in panels(&dashboard) {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        let side = |key: &str| panel["gridPos"][key].as_u64().unwrap();
        for x in side("x")..side("x") + side("w") {
            assert!(x < 24, "{panel}");
            for y in side("y")..side("y") + side("h") {
                assert!(cells.insert((x, y)), "{panel}");
            }
        }
    }
}

#[test]
fn queries_of_the_dashboard_are_valid() {
    let mut rules = String::from("groups:\n- name: dashboard\n  rules:\n");
    let queries = queries(&dashboard());
    for query in &queries {
        writeln!(rules, "  - {{record: a, expr: '{query}'}}").unwrap();
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), rules).unwrap();
    let script = of_project("tests/clients/packaging/expressions.py");
    match python(|python| python.arg(script).arg(file.path())) {
        Ok(output) => {
            let read: Vec<Value> = serde_json::from_slice(&output.unwrap().stdout).unwrap();
            assert_eq!(read.len(), queries.len());
        }
        Err(why) => skipped(&why, "install Python 3 with pip; fetches from PyPI"),
    }
}
