//! `switchboard dev attach`: programs share one process.

use std::io::{copy, sink, stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use crate::cli::output::{CommandFailure, print};
use crate::dev::attach::Attached;
use crate::ready_file;

const EXAMPLES: &str = "Examples:
  switchboard dev attach my-tests                 prints the ready file; ends when its standard input is closed
  switchboard dev attach my-tests --ready-file ready.json";

/// Share one «switchboard dev» with other programs
///
/// The first program that attaches to a name starts the process, on a free port and in memory. This command holds a
/// lease until its standard input is closed or a signal ends it. The process ends 2 seconds after the last lease.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AttachArgs {
    /// The name of the process, for example that of a test run
    #[arg(value_name = "NAME")]
    name: String,
    /// Write the ready file of the process to this file, which only the user can read, instead of printing it
    #[arg(long, value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

pub(super) fn run(args: &AttachArgs) -> Result<(), CommandFailure> {
    let attached = Attached::attach(&args.name);
    let attached = attached.map_err(|why| CommandFailure::Failed(format!("{why:#}")))?;
    match &args.ready_file {
        None => print(&attached.ready)?,
        Some(path) => {
            let what = format!("cannot write {}", path.display());
            let written = ready_file::write(path, &attached.ready, ready_file::PRIVATE);
            written.map_err(|why| CommandFailure::failed(&what, why))?;
        }
    }
    let end = attached.end();
    let end = end.map_err(|why| CommandFailure::failed("cannot hold the lease", why))?;
    let is_done = Arc::new(AtomicBool::new(false));
    let of_thread = Arc::clone(&is_done);
    let thread = std::thread::Builder::new().name("stdin".to_owned());
    let thread = thread.spawn(move || {
        // What cannot be read has ended, too.
        drop(copy(&mut stdin(), &mut sink()));
        of_thread.store(true, Ordering::Release);
        end();
    });
    thread.map_err(|why| CommandFailure::failed("cannot watch standard input", why))?;
    attached.wait();
    if is_done.load(Ordering::Acquire) {
        Ok(())
    } else {
        Err(CommandFailure::Failed("the process has ended".to_owned()))
    }
}
