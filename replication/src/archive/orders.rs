//! The orders to the thread of the archive.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The orders.
#[derive(Debug, Default)]
pub(super) struct Orders {
    wanted: Mutex<Wanted>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Wanted {
    stop: bool,
    /// Everything is to be archived without a pause, files too.
    now: bool,
    repair: bool,
}

impl Orders {
    /// Ends the thread.
    pub(super) fn stop(&self) {
        self.give(|wanted| wanted.stop = true);
    }

    /// Archives everything without a pause.
    pub(super) fn archive_now(&self) {
        self.give(|wanted| wanted.now = true);
    }

    /// Repairs the archive.
    pub(super) fn repair(&self) {
        self.give(|wanted| wanted.repair = true);
    }

    /// Returns whether it is time to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.wanted().stop
    }

    /// Returns whether it is time to stop, or to repair.
    pub(super) fn is_interrupted(&self) -> bool {
        let orders = self.wanted();
        orders.stop || orders.repair
    }

    /// Returns whether a repair is ordered that has not begun.
    pub(super) fn is_repair_due(&self) -> bool {
        self.wanted().repair
    }

    /// Takes the order to repair.
    pub(super) fn take_repair(&self) {
        self.wanted().repair = false;
    }

    /// Waits so long, unless it is time to stop or to repair; whether it is time to stop.
    pub(super) fn pause(&self, pause: Duration) -> bool {
        self.wait_unless(pause, |_| false)
    }

    /// Waits so long, unless there is an order, and takes that to archive now.
    pub(super) fn wait(&self, pause: Duration) {
        self.wait_unless(pause, |wanted| std::mem::take(&mut wanted.now));
    }

    /// Waits so long, unless `ends` says that there is no more to wait for; whether it is time to stop.
    fn wait_unless(&self, pause: Duration, ends: impl Fn(&mut Wanted) -> bool) -> bool {
        let guard = self
            .changed
            .wait_timeout_while(self.wanted(), pause, |wanted| {
                !wanted.stop && !wanted.repair && !ends(wanted)
            });
        guard.unwrap_or_else(PoisonError::into_inner).0.stop
    }

    fn give(&self, order: impl FnOnce(&mut Wanted)) {
        order(&mut self.wanted());
        self.changed.notify_all();
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
