//! The end of a bridge: what is under way ends, and nothing begins.

use std::rc::Rc;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::log::log;

/// Returns when a person or the system asks the program to end, by SIGINT or SIGTERM. From its first poll on, it takes the place
/// of what these signals do by themselves.
pub async fn stop_signal() {
    let (interrupt, terminate) = (SignalKind::interrupt(), SignalKind::terminate());
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(interrupt), signal(terminate)) else {
        log("the system reports no signals: only a kill ends the bridge, which loses nothing");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// The order to end, and the number of tasks that it waits for.
pub(crate) struct Stop {
    is_ordered: watch::Sender<bool>,
    tasks: Rc<watch::Sender<usize>>,
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            is_ordered: watch::Sender::new(false),
            tasks: Rc::new(watch::Sender::new(0)),
        }
    }
}

/// The mark of a task that a stop waits for, within its bound.
pub struct TaskGuard(Rc<watch::Sender<usize>>);

impl Drop for TaskGuard {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

impl Stop {
    pub(crate) fn order(&self) {
        self.is_ordered.send_replace(true);
    }

    pub(crate) fn is_ordered(&self) -> bool {
        *self.is_ordered.borrow()
    }

    /// Returns when it is ordered.
    pub(crate) async fn ordered(&self) {
        // The sender is a part of it.
        drop(self.is_ordered.subscribe().wait_for(|it| *it).await);
    }

    pub(crate) fn task(&self) -> TaskGuard {
        self.tasks.send_modify(|count| *count += 1);
        TaskGuard(Rc::clone(&self.tasks))
    }

    /// Returns when no task is under way.
    pub(crate) async fn idle(&self) {
        drop(self.tasks.subscribe().wait_for(|count| *count == 0).await);
    }
}
