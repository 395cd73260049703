//! `switchboard bench`: what this machine and its disk make of the service.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;

use super::output::Failure;
use crate::bench::options::Options;
use crate::bench::{plot, report, throughput};

const EXAMPLES: &str = "Examples:
  switchboard bench --connections 64 --conversations 1000   a minute of it
  switchboard bench --json bench.json --plot bench.svg      everything, in ten minutes";

/// Measure this program here: requests a second, latencies, processor time and memory, each next to a handler that does
/// nothing
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BenchArgs {
    #[command(flatten)]
    options: Options,
}

pub(super) fn run(args: &BenchArgs) -> Result<(), Failure> {
    let options = &args.options;
    let failed = |error: anyhow::Error| Failure::Failed(format!("{error:#}"));
    let binary = std::env::current_exe()
        .map_err(|error| Failure::failed("cannot find this program", error))?;
    // Standard output is for the data, which is the table unless JSON is wanted there.
    let mut out: Box<dyn Write> = match options.json.as_deref() {
        Some(file) if file == Path::new("-") => Box::new(io::stderr()),
        Some(_) | None => Box::new(io::stdout()),
    };
    let figures = throughput::run(options, &binary, &mut out).map_err(failed)?;
    report::write(options.json.as_deref(), &figures).map_err(failed)?;
    if let Some(file) = &options.plot {
        plot::write(file, &plot::panels(&figures)).map_err(failed)?;
    }
    Ok(())
}
