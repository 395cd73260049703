//! One process on the machine, in a runtime of its own, whose time passes only when nothing else can happen.

use std::fmt;
use std::future::Future;
use std::io;
use std::sync::Arc;

use actix::SystemRunner;
use futures_util::future::{Either, select};
use tokio::runtime::Runtime;

use super::clock::SimClock;
use super::machine::Machine;

/// A process on a machine that was [booted](Machine::boot). It is ended by dropping it: nothing of it is left then, no
/// task, no timer, no thread. It stays on the thread that made it.
pub struct Process {
    runtime: Arc<Runtime>,
    /// There until the process is dropped.
    runner: Option<SystemRunner>,
    machine: Machine,
    clock: SimClock,
}

impl Process {
    /// A process in which nothing happens yet.
    ///
    /// # Errors
    /// When the operating system has no runtime to give.
    ///
    /// # Panics
    /// When it is called inside another runtime.
    pub fn start(machine: &Machine, clock: &SimClock) -> io::Result<Self> {
        let tokio_runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()?;
        let runtime = Arc::new(tokio_runtime);
        let runner = actix::System::with_tokio_rt(|| Arc::clone(&runtime));
        runner.block_on(async { clock.begin() });
        Ok(Self {
            runtime,
            runner: Some(runner),
            machine: machine.clone(),
            clock: clock.clone(),
        })
    }

    /// Runs a task and all that the process does meanwhile, until the task ends; `None`: the process died before, and
    /// does nothing any more.
    ///
    /// # Panics
    /// When it is called inside another runtime.
    pub fn run<T>(&self, task: impl Future<Output = T>) -> Option<T> {
        let died = Box::pin(self.machine.died());
        let task = select(Box::pin(task), died);
        match self.runner.as_ref()?.block_on(task) {
            Either::Left((end, _)) => Some(end),
            Either::Right(_) => None,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Timers are removed, and the time is read, inside of the runtime.
        let _inside = self.runtime.enter();
        self.clock.end();
        self.machine.switch_off();
        // What actors do while they are dropped has no effect.
        drop(self.runner.take());
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").finish_non_exhaustive()
    }
}

/// Runs a process on a machine that was [booted](Machine::boot), to its end; `None`: it died before. Nothing of it is
/// left then.
///
/// # Errors
/// When the operating system has no runtime to give.
pub fn run<T>(
    machine: &Machine,
    clock: &SimClock,
    task: impl Future<Output = T>,
) -> io::Result<Option<T>> {
    Ok(Process::start(machine, clock)?.run(task))
}
