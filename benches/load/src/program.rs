//! The command line of the load generator, for its own program and for `cargo bench --bench throughput`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Parser;

use crate::options::{Options, Target};
use crate::{compared, plot, report, throughput};

const EXAMPLES: &str = "Examples:
  switchboard-bench --connections 64 --conversations 1000   a minute
  switchboard-bench --json bench.json --plot bench.svg      everything, in ten minutes";

/// Measure the service on this machine: requests per second, latency, processor time and memory, compared with a handler
/// that does nothing
#[derive(Debug, Parser)]
#[command(name = "switchboard-bench", version, after_help = EXAMPLES)]
struct Args {
    #[command(flatten)]
    options: Options,
    /// The service's program [default: `switchboard` in the directory of this program]
    #[arg(long, value_name = "FILE")]
    service: Option<PathBuf>,
    /// Serve as this target, to compare with, and write the address to the file that `--ready-file` names
    #[arg(long, value_enum, hide = true, requires = "ready_file")]
    compared: Option<Target>,
    #[arg(long, value_name = "FILE", hide = true)]
    ready_file: Option<PathBuf>,
    /// The flag that cargo passes to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// The defaults of the command line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults<'a> {
    /// The service's program.
    pub service: Option<&'a Path>,
    /// The directory of the service's data.
    pub directory: Option<&'a Path>,
}

/// Measures what the command line asks for.
///
/// # Errors
/// When the service is not there, does not start or does not answer as it should, or a file cannot be written.
pub fn run(defaults: &Defaults<'_>) -> Result<()> {
    let args = Args::parse();
    if let (Some(target), Some(ready)) = (args.compared, &args.ready_file) {
        return compared::serve(target, ready);
    }
    let mut options = args.options;
    if let Some(directory) = defaults.directory {
        options.dir.get_or_insert_with(|| directory.to_owned());
    }
    let service = match (args.service, defaults.service) {
        (Some(given), _) => given,
        (None, Some(default)) => default.to_owned(),
        (None, None) => neighbour()?,
    };
    // Standard output is for the data, which is the table unless JSON is wanted there.
    let mut out: Box<dyn Write> = match options.json.as_deref() {
        Some(file) if file == Path::new("-") => Box::new(io::stderr()),
        Some(_) | None => Box::new(io::stdout()),
    };
    let figures = throughput::run(&options, &service, &mut out)?;
    report::write(options.json.as_deref(), &figures)?;
    if let Some(file) = &options.plot {
        plot::write(file, &plot::panels(&figures))?;
    }
    Ok(())
}

/// The service that was built into the directory of this program.
fn neighbour() -> Result<PathBuf> {
    let here = std::env::current_exe().context("cannot find this program")?;
    let service = here.with_file_name("switchboard");
    if !service.is_file() {
        bail!(
            "{} does not exist: build the service (`cargo build --release`) or name its program with --service",
            service.display()
        );
    }
    Ok(service)
}
