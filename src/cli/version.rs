//! `switchboard version`.

use clap::Args;
use serde_json::json;
use switchboard_actors::domain::generation::Generation;
use switchboard_engine::store::identity;

use super::output::{CliError, print};

const EXAMPLES: &str = "Examples:
  switchboard version
  switchboard version --json";

/// Print the version
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct VersionArgs {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &VersionArgs) -> Result<(), CliError> {
    let version = env!("CARGO_PKG_VERSION");
    if !args.json {
        return print(&format!("switchboard {version}"));
    }
    let report = json!({
        "version": version,
        "data_format": identity::FORMAT,
        "chat_generations": [Generation::V2019, Generation::Current],
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
    });
    print(&report.to_string())
}
