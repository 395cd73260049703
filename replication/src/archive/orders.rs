//! The orders to the thread of the archive.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The orders.
#[derive(Debug, Default)]
pub(super) struct Orders {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stop: bool,
    /// Everything is to be archived without a pause, files too.
    now: bool,
    repair: bool,
}

impl Orders {
    /// Ends the thread.
    pub(super) fn stop(&self) {
        self.give(|state| state.stop = true);
    }

    /// Archives everything without a pause.
    pub(super) fn archive_now(&self) {
        self.give(|state| state.now = true);
    }

    /// Repairs the archive.
    pub(super) fn repair(&self) {
        self.give(|state| state.repair = true);
    }

    /// Returns whether it is time to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.state().stop
    }

    /// Returns whether it is time to stop, or to repair.
    pub(super) fn is_interrupted(&self) -> bool {
        let state = self.state();
        state.stop || state.repair
    }

    /// Returns whether a repair is ordered that has not begun.
    pub(super) fn is_repair_due(&self) -> bool {
        self.state().repair
    }

    /// Takes the order to repair.
    pub(super) fn take_repair(&self) {
        self.state().repair = false;
    }

    /// Waits so long, unless it is time to stop or to repair; whether it is time to stop.
    pub(super) fn pause(&self, pause: Duration) -> bool {
        self.wait_unless(pause, |_| false)
    }

    /// Waits so long, unless there is an order, and takes that to archive now.
    pub(super) fn wait(&self, pause: Duration) {
        self.wait_unless(pause, |state| std::mem::take(&mut state.now));
    }

    /// Waits so long, unless `ends` says that there is no more to wait for; whether it is time to stop.
    fn wait_unless(&self, pause: Duration, ends: impl Fn(&mut State) -> bool) -> bool {
        let outcome = self
            .changed
            .wait_timeout_while(self.state(), pause, |state| {
                !state.stop && !state.repair && !ends(state)
            });
        outcome.unwrap_or_else(PoisonError::into_inner).0.stop
    }

    fn give(&self, order: impl FnOnce(&mut State)) {
        order(&mut self.state());
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
