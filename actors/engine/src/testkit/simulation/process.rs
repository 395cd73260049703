//! One process on the machine, in a runtime of its own, whose time passes only when nothing else can happen.

use std::future::Future;
use std::io;
use std::sync::Arc;

use futures_util::future::{Either, select};

use super::clock::SimClock;
use super::machine::Machine;

/// Runs a process on a machine that was [booted](Machine::boot), to its end; `None`: it died before. Nothing of it is
/// left then: no task, no timer, no thread.
///
/// # Errors
/// When the operating system has no runtime to give.
pub fn run<T>(
    machine: &Machine,
    clock: &SimClock,
    process: impl Future<Output = T>,
) -> io::Result<Option<T>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let runtime = Arc::new(runtime?);
    let runner = actix::System::with_tokio_rt(|| Arc::clone(&runtime));
    let end = runner.block_on(async {
        clock.begin();
        let died = Box::pin(machine.died());
        let end = match select(Box::pin(process), died).await {
            Either::Left((end, _)) => Some(end),
            Either::Right(_) => None,
        };
        clock.end();
        end
    });
    machine.switch_off();
    // What actors do while they are dropped has no effect.
    let _inside = runtime.enter();
    drop(runner);
    Ok(end)
}
