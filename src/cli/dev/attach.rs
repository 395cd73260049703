//! `switchboard dev attach`: programs share one process.

use std::io::{self, copy, sink, stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::Args;
use switchboard_engine::store::disk::whole_file;
use switchboard_worlds::dev::attach::Attached;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::output::{CliError, print};
use crate::ready_file::ReadyFile;

const EXAMPLES: &str = "Examples:
  switchboard dev attach my-tests      prints the ready file; ends when its standard input is closed
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
    /// Write the ready file of the process to this file, which only the user can read, instead of printing it; the file is
    /// there while the lease is held
    #[arg(long, value_name = "FILE")]
    ready_file: Option<PathBuf>,
}

pub(super) fn run(args: &AttachArgs) -> Result<(), CliError> {
    let failed = |why: io::Error| CliError::Failed(why.to_string());
    // There while the lease is held: not before, and not after.
    let file = args
        .ready_file
        .as_deref()
        .map(ReadyFile::begin)
        .transpose()
        .map_err(failed)?;
    let attached =
        Attached::attach(&args.name).map_err(|why| CliError::Failed(format!("{why:#}")))?;
    let is_done = Arc::new(AtomicBool::new(false));
    watch_stdin(ending(&attached, &is_done)?)
        .map_err(|why| CliError::failed("cannot watch standard input", why))?;
    watch_signals(ending(&attached, &is_done)?)
        .map_err(|why| CliError::failed("cannot listen for signals", why))?;
    match &file {
        None => print(&attached.ready)?,
        Some(file) => file
            .announce(&attached.ready, whole_file::PRIVATE)
            .map_err(failed)?,
    }
    attached.wait();
    if is_done.load(Ordering::Acquire) {
        Ok(())
    } else {
        Err(CliError::Failed("the process has ended".to_owned()))
    }
}

/// Returns what ends the lease when this command is to end.
fn ending(
    attached: &Attached,
    is_done: &Arc<AtomicBool>,
) -> Result<impl FnOnce() + Send + 'static, CliError> {
    let end = attached
        .end()
        .map_err(|why| CliError::failed("cannot hold the lease", why))?;
    let is_done = Arc::clone(is_done);
    Ok(move || {
        is_done.store(true, Ordering::Release);
        end();
    })
}

/// Calls this when standard input has ended.
fn watch_stdin(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = thread::Builder::new().name("stdin".to_owned());
    let thread = builder.spawn(move || {
        // What cannot be read has ended, too.
        drop(copy(&mut stdin(), &mut sink()));
        end();
    });
    thread.map(drop)
}

/// Calls this at the first signal that asks this command to end.
fn watch_signals(end: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_io().build()?;
    let (mut terminate, mut interrupt) = {
        let _entered = runtime.enter();
        let terminate = signal(SignalKind::terminate())?;
        (terminate, signal(SignalKind::interrupt())?)
    };
    let builder = thread::Builder::new().name("signals".to_owned());
    let thread = builder.spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        });
        end();
    });
    thread.map(drop)
}
