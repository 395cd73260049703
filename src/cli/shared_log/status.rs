//! `switchboard shared-log status`: the owner of a log, and how far each node is.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};
use switchboard_engine::time::UnixMillis;
use switchboard_replication::archive::shown;
use switchboard_replication::shared_log::{LogStanding, NodeReport, Summary, summary};

use super::super::key::ConfigArgs;
use super::super::output::{CliError, print};
use super::super::table::{NOTHING, aligned, listed};
use super::node;
use crate::shared_log;

/// A node that has said nothing for so long is not listed: it was taken away.
const LISTED: Duration = Duration::from_secs(7 * 24 * 3_600);

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A log and its nodes.
struct LogStatus {
    to: String,
    log: Option<Summary>,
    nodes: Vec<ListedNode>,
}

/// A node of a log.
struct ListedNode {
    name: String,
    url: String,
    role: &'static str,
    /// The newest entry that it has.
    entry: u64,
    /// The number of entries that it lacks.
    behind: u64,
    /// The time of that entry.
    entry_at: Option<UnixMillis>,
    /// The time of that.
    seen_at: UnixMillis,
}

pub(super) fn run(args: &StatusArgs) -> Result<(), CliError> {
    let status = read(args)?;
    let text = if args.json {
        document(&status).to_string()
    } else {
        text(&status)
    };
    print(&text)?;
    if status.log.is_some() {
        return Ok(());
    }
    // A monitor must not take nothing at all for a log that is right.
    Err(CliError::Failed(format!(
        "the shared log {} has no entries: it has not begun, or it is another place\n  help: is its disk mounted, and is its address right? \
         `switchboard shared-log begin` begins a new one",
        status.to
    )))
}

fn read(args: &StatusArgs) -> Result<LogStatus, CliError> {
    let settings = args.config.settings_or_variables()?;
    let node = node(&settings)?;
    let failed = |error: &dyn std::fmt::Display| CliError::Failed(error.to_string());
    let mut log = shared_log::open(&settings, node, &LogStanding::default())
        .map_err(|problem| failed(&problem))?;
    let summary = summary(log.as_mut()).map_err(|error| failed(&error))?;
    let reports = log.reports().map_err(|error| failed(&error))?;
    let now = SystemClock.now();
    Ok(LogStatus {
        to: shared_log::place(&settings, node),
        nodes: nodes(summary.as_ref(), reports, now),
        log: summary,
    })
}

/// The owner, as the log shows it, and what the others have said of themselves.
fn nodes(log: Option<&Summary>, reports: Vec<NodeReport>, now: UnixMillis) -> Vec<ListedNode> {
    let newest = log.map_or(0, |log| log.range.newest.0);
    let owner_log = log.filter(|log| !log.released);
    let owner = owner_log.and_then(|log| {
        let owner = log.owner.as_ref()?;
        Some(ListedNode {
            name: owner.node.clone(),
            url: owner.url.clone(),
            role: "owner",
            entry: newest,
            behind: 0,
            entry_at: Some(log.time),
            seen_at: log.time,
        })
    });
    let is_owner = |name: &str| owner.as_ref().is_some_and(|owner| owner.name == name);
    let standbys: Vec<ListedNode> = reports
        .into_iter()
        .filter(|report| now.since(report.reported_at) < LISTED)
        .filter(|report| !is_owner(&report.node))
        .map(|report| ListedNode {
            entry: report.position.0,
            behind: newest.saturating_sub(report.position.0),
            name: report.node,
            url: report.url,
            role: "standby",
            entry_at: report.applied_at,
            seen_at: report.reported_at,
        })
        .collect();
    owner.into_iter().chain(standbys).collect()
}

/// The state of the log, in one word or a few.
fn state(log: Option<&Summary>) -> &'static str {
    match log {
        None => "empty",
        Some(log) if log.first.is_some() => "ordered",
        Some(log) if log.released => "released",
        Some(_) => "owned",
    }
}

fn text(status: &LogStatus) -> String {
    let LogStatus { to, log, nodes } = status;
    let mut rows = vec![
        ["log".to_owned(), to.clone()],
        ["state".to_owned(), state(log.as_ref()).to_owned()],
    ];
    let Some(log) = log else {
        let help = "no node begins it without an order: switchboard shared-log begin, on the node that is to own it first";
        return format!("{}\n\n{help}", aligned(&rows));
    };
    if let Some(first) = &log.first {
        let help = format!("node {first} begins it: start that node");
        return format!("{}\n\n{help}", aligned(&rows));
    }
    let owner = log
        .owner
        .as_ref()
        .map_or_else(|| NOTHING.to_owned(), ToString::to_string);
    let extent = format!("{} to {}", log.range.oldest, log.range.newest);
    rows.extend([
        ["owner".to_owned(), owner],
        ["epoch".to_owned(), log.epoch.to_string()],
        ["entries".to_owned(), extent],
        ["records".to_owned(), log.last.0.to_string()],
        ["newest entry at".to_owned(), shown(log.time)],
    ]);
    let head = [
        "node",
        "role",
        "entry",
        "behind",
        "entry made at",
        "seen at",
        "url",
    ];
    let node_rows = nodes.iter().map(|node| {
        let entry_at = node.entry_at.map_or_else(|| NOTHING.to_owned(), shown);
        let numbers = [node.entry, node.behind].map(|number| number.to_string());
        let [entry, behind] = numbers;
        let (role, seen_at) = (node.role.to_owned(), shown(node.seen_at));
        let (name, url) = (node.name.clone(), node.url.clone());
        [name, role, entry, behind, entry_at, seen_at, url]
    });
    let nodes = listed(head, node_rows, "no node has said how far it is");
    format!("{}\n\n{nodes}", aligned(&rows))
}

fn document(status: &LogStatus) -> Value {
    let LogStatus { to, log, nodes } = status;
    let Some(log) = log else {
        return json!({ "log": to, "state": state(None) });
    };
    let nodes: Vec<Value> = nodes.iter().map(listed_node).collect();
    json!({
        "log": to,
        "state": state(Some(log)),
        "first": log.first,
        "owner": log.owner.as_ref().map(|owner| &owner.node),
        "owner_url": log.owner.as_ref().map(|owner| &owner.url),
        "epoch": log.epoch,
        "oldest_entry": log.range.oldest.0,
        "newest_entry": log.range.newest.0,
        "records": log.last.0,
        "newest_entry_at": shown(log.time),
        "nodes": nodes,
    })
}

fn listed_node(node: &ListedNode) -> Value {
    json!({
        "node": node.name,
        "url": node.url,
        "role": node.role,
        "entry": node.entry,
        "behind_entries": node.behind,
        "entry_at": node.entry_at.map(shown),
        "seen_at": shown(node.seen_at),
    })
}
