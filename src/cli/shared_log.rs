//! `switchboard shared-log`: the log that the nodes of a service share.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use switchboard_engine::store::shared_log::{Summary, summary};

use super::key::ConfigArgs;
use super::output::{CommandFailure, print};
use super::table::{NOTHING, aligned};
use crate::archive::restore::shown;
use crate::config::Settings;
use crate::shared_log;

const EXAMPLES: &str = "Examples:
  switchboard shared-log status
  switchboard shared-log status --config /etc/switchboard.toml --json";

/// Show the log that the nodes of a service share
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SharedLogArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show which node owns the log and how far it is; needs no service
    Status(StatusArgs),
}

#[derive(Debug, Args)]
struct StatusArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &SharedLogArgs) -> Result<(), CommandFailure> {
    let Action::Status(args) = &args.action;
    let settings = args.config.settings()?.ok_or_else(|| {
        CommandFailure::Usage("there is no configuration\n  help: name it with --config".to_owned())
    })?;
    let (to, found) = read(&settings)?;
    let text = if args.json {
        document(&to, found.as_ref()).to_string()
    } else {
        table(&to, found.as_ref())
    };
    print(&text)?;
    if found.is_some() {
        return Ok(());
    }
    Err(CommandFailure::Failed(format!(
        "the shared log {to} has no entries: it has not begun, or it is another place: is its disk mounted, and is its address right?"
    )))
}

fn read(settings: &Settings) -> Result<(String, Option<Summary>), CommandFailure> {
    let node = settings.shared_log.node.as_ref().ok_or_else(|| {
        CommandFailure::Usage(
            "the service has no shared log\n  help: set shared_log.to in the configuration"
                .to_owned(),
        )
    })?;
    let failed = |error: &dyn std::fmt::Display| CommandFailure::Failed(error.to_string());
    let mut log = shared_log::open(settings, node).map_err(|problem| failed(&problem))?;
    let found = summary(log.as_mut()).map_err(|error| failed(&error))?;
    Ok((node.to.to_string(), found))
}

/// What the log is doing.
fn state(found: Option<&Summary>) -> &'static str {
    match found {
        None => "empty",
        Some(found) if found.released => "released",
        Some(_) => "owned",
    }
}

fn time(found: &Summary) -> String {
    i64::try_from(found.time).map_or_else(|_| NOTHING.to_owned(), shown)
}

fn table(to: &str, found: Option<&Summary>) -> String {
    let mut rows = vec![["log", to], ["state", state(found)]]
        .into_iter()
        .map(|row| row.map(str::to_owned))
        .collect::<Vec<_>>();
    if let Some(found) = found {
        let owner = found.owner.as_ref();
        let owner = owner.map_or_else(|| NOTHING.to_owned(), ToString::to_string);
        let extent = format!("{} to {}", found.extent.oldest, found.extent.newest);
        rows.extend([
            ["owner".to_owned(), owner],
            ["epoch".to_owned(), found.epoch.to_string()],
            ["entries".to_owned(), extent],
            ["records".to_owned(), found.last.0.to_string()],
            ["newest entry at".to_owned(), time(found)],
        ]);
    }
    aligned(&rows)
}

fn document(to: &str, found: Option<&Summary>) -> Value {
    let Some(log) = found else {
        return json!({ "log": to, "state": state(found) });
    };
    json!({
        "log": to,
        "state": state(found),
        "owner": log.owner.as_ref().map(|owner| &owner.node),
        "owner_url": log.owner.as_ref().map(|owner| &owner.url),
        "epoch": log.epoch,
        "oldest_entry": log.extent.oldest.0,
        "newest_entry": log.extent.newest.0,
        "records": log.last.0,
        "newest_entry_at": time(log),
    })
}
