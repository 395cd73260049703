//! The whole service under load: `switchboard bench`, with the server that was just built.
//!
//! `cargo bench --bench throughput` measures everything in about ten minutes; `-- --connections 64 --conversations 1000`
//! chooses, `-- --quick` takes seconds, `-- --json FILE --plot FILE.svg` writes the figures down.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Parser;
use switchboard::bench::options::Options;
use switchboard::bench::{plot, report, throughput};

/// Load the whole service
#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    options: Options,
    /// Another binary than the one built now, to compare with
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// What cargo says to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let Args {
        mut options,
        binary,
        ..
    } = Args::parse();
    // Below the build directory, so on a real disk.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    options.dir.get_or_insert_with(|| target.to_owned());
    let built = Path::new(env!("CARGO_BIN_EXE_switchboard"));
    let binary = binary.as_deref().unwrap_or(built);
    let figures = throughput::run(&options, binary, &mut std::io::stdout())?;
    report::write(options.json.as_deref(), &figures)?;
    if let Some(file) = &options.plot {
        plot::write(file, &plot::panels(&figures))?;
    }
    Ok(())
}
