//! The metrics that `docs/metrics.md` lists.

use std::collections::{BTreeMap, BTreeSet};

/// Returns each metric with its kind.
#[must_use]
pub fn documented() -> BTreeMap<String, String> {
    let text = include_str!("../../docs/metrics.md");
    let is_metric = |line: &&str| {
        ["| `switchboard_", "| `process_"]
            .iter()
            .any(|it| line.starts_with(it))
    };
    let rows = text.lines().filter(is_metric);
    rows.map(|row| {
        let mut cells = row.split('|').map(str::trim).skip(1);
        let name = cells.next().unwrap().trim_matches('`').to_owned();
        (name, cells.next().unwrap().to_owned())
    })
    .collect()
}

/// Returns the names of all series of the metrics, with the suffixes of their kinds.
#[must_use]
pub fn series() -> BTreeSet<String> {
    let suffixes = |kind: &str| -> &[&str] {
        match kind {
            "counter" => &["_total"],
            "histogram" => &["_bucket", "_sum", "_count"],
            "info" => &["_info"],
            "gauge" => &[""],
            other => panic!("an unknown kind of metric: {other}"),
        }
    };
    documented()
        .into_iter()
        .flat_map(|(name, kind)| {
            let suffixes = suffixes(&kind).iter();
            suffixes.map(move |suffix| format!("{name}{suffix}"))
        })
        .collect()
}
