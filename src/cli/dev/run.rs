//! `switchboard dev run`: runs scenario files.

use std::path::PathBuf;

use clap::Args;
use switchboard_engine::store::disk::whole_file;
use switchboard_worlds::dev::scenario::{FileReport, ScenarioReport, Scenarios, junit};

use super::WorldsKeyArgs;
use crate::cli::output::{CliError, print, say};

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

pub(super) fn run(args: &RunArgs) -> Result<(), CliError> {
    let scenarios =
        Scenarios::read(&args.files).map_err(|wrong| CliError::Usage(wrong.join("\nerror: ")))?;
    let reports = scenarios
        .run(args.key.read()?, report)
        .map_err(|why| CliError::failed("no scenario can be run", why))?;
    if let Some(path) = &args.junit {
        let what = format!("cannot write {}", path.display());
        whole_file::write(path, junit(&reports), whole_file::READABLE)
            .map_err(|why| CliError::failed(&what, why))?;
    }
    let all = reports
        .iter()
        .flat_map(|report: &FileReport| &report.scenarios);
    let (failed, passed): (Vec<_>, Vec<_>) = all.partition(|it| it.failure.is_some());
    print(&format!("{} passed, {} failed", passed.len(), failed.len()))?;
    if failed.is_empty() {
        Ok(())
    } else {
        Err(CliError::Told)
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

#[cfg(test)]
mod tests {
    use switchboard_worlds::dev::scenario::WORLD_VARIABLES;

    use crate::variables;

    #[test]
    fn programs_learn_of_worlds_by_the_names_that_commands_read() {
        let names = WORLD_VARIABLES.map(|(name, _)| name);
        for name in [
            variables::URL,
            variables::ACCOUNT_ID,
            variables::CHANNEL_ID,
            variables::CHANNEL_SECRET,
            variables::USER_TOKEN,
        ] {
            assert!(names.contains(&name), "{name}");
        }
    }
}
