//! `switchboard shared-log`: the log that the nodes of a service share.

mod begin;
mod status;

use clap::{Args, Subcommand};

use self::begin::BeginArgs;
use self::status::StatusArgs;
use super::output::CliError;
use crate::config::Settings;
use crate::config::shared_log::Node;

const EXAMPLES: &str = "Examples:
  switchboard shared-log begin
  switchboard shared-log begin --new --data-dir /var/lib/switchboard
  switchboard shared-log status
  switchboard shared-log status --config /etc/switchboard.toml --json";

/// Begin and show the log that the nodes of a service share
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SharedLogArgs {
    #[command(subcommand)]
    action: SharedLogCommand,
}

#[derive(Debug, Subcommand)]
enum SharedLogCommand {
    /// Order this node to begin the log; no node begins a log without an order
    Begin(BeginArgs),
    /// Show which node owns the log, and how far each node is; needs no service
    Status(StatusArgs),
}

pub(super) fn run(args: &SharedLogArgs) -> Result<(), CliError> {
    match &args.action {
        SharedLogCommand::Begin(args) => begin::run(args),
        SharedLogCommand::Status(args) => status::run(args),
    }
}

/// The node of the configuration.
fn node(settings: &Settings) -> Result<&Node, CliError> {
    settings.shared_log.node.as_ref().ok_or_else(|| {
        CliError::Usage(
            "the service has no shared log\n  help: set shared_log.to in the configuration, and name that with --config"
                .to_owned(),
        )
    })
}
