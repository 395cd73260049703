//! `switchboard dev run`: runs scenario files.

use std::path::PathBuf;

use clap::Args;
use switchboard_engine::store::disk::whole_file;
use switchboard_worlds::dev::scenario::{
    FileReport, ScenarioReport, Scenarios, WorldVariables, junit,
};

use super::WorldsKeyArgs;
use crate::cli::output::{CommandFailure, print, say};
use crate::variables;

const EXAMPLES: &str = "Examples:
  switchboard dev run examples/scenarios/*.toml
  switchboard dev run --junit target/scenarios.xml tests/*.toml

Exit codes:
  0  every scenario passed
  1  a scenario failed
  2  the flags or a file are invalid";

/// Run scenario files: each scenario in a world of its own
///
/// A scenario starts the program that is tested, gives orders to its world and compares their answers. The program gets
/// the address and the secrets of the world in variables (`SWITCHBOARD_URL`, `SWITCHBOARD_CHANNEL_SECRET` and others).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write an XML report for continuous integration to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    key: WorldsKeyArgs,
}

/// The variables by which a tested program learns of its world.
const VARIABLES: WorldVariables = WorldVariables {
    url: variables::URL,
    account_id: variables::ACCOUNT_ID,
    channel_id: variables::CHANNEL_ID,
    scope_id: variables::SCOPE_ID,
    channel_secret: variables::CHANNEL_SECRET,
    user_token: variables::USER_TOKEN,
    client_id: variables::CLIENT_ID,
    client_secret: variables::CLIENT_SECRET,
    redirect_uri: variables::REDIRECT_URI,
    code: variables::CODE,
};

pub(super) fn run(args: &RunArgs) -> Result<(), CommandFailure> {
    let scenarios = Scenarios::read(&args.files, VARIABLES);
    let scenarios = scenarios.map_err(|wrong| CommandFailure::Usage(wrong.join("\nerror: ")))?;
    let reports = scenarios.run(args.key.read()?, report);
    let reports = reports.map_err(|why| CommandFailure::failed("no scenario can be run", why))?;
    if let Some(path) = &args.junit {
        let what = format!("cannot write {}", path.display());
        let written = whole_file::write(path, junit(&reports), whole_file::READABLE);
        written.map_err(|why| CommandFailure::failed(&what, why))?;
    }
    let all = reports
        .iter()
        .flat_map(|report: &FileReport| &report.scenarios);
    let (failed, passed): (Vec<_>, Vec<_>) = all.partition(|it| it.failure.is_some());
    print(&format!("{} passed, {} failed", passed.len(), failed.len()))?;
    if failed.is_empty() {
        Ok(())
    } else {
        Err(CommandFailure::Told)
    }
}

/// Says how a scenario ended.
fn report(report: &ScenarioReport) {
    let (name, seconds) = (&report.name, report.took.as_secs_f64());
    match &report.failure {
        None => say(&format!("passed  {name} ({seconds:.2} s)")),
        Some(failure) => {
            say(&format!(
                "failed  {name} ({seconds:.2} s)\n  {}",
                failure.why
            ));
            for line in failure.journal.lines() {
                say(&format!("  | {line}"));
            }
        }
    }
}
