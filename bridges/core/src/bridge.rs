//! A bridge: its parts, and the jobs that wait.

use std::cell::Cell;

use tokio::sync::{Mutex, Notify};
use tokio::time::Instant;

use crate::index::Waiting;
use crate::lanes::Lanes;
use crate::service::Service;
use crate::settings::Settings;
use crate::stop::{Stop, TaskGuard};
use crate::store::Store;

/// The most bytes of jobs that wait.
const WAITING_BYTES: u64 = 1 << 30;

/// A bridge.
pub struct Bridge<M> {
    /// The settings of the operator.
    pub settings: Settings,
    /// The memory.
    pub store: Store,
    /// The way to the service.
    pub service: Service,
    /// The other side.
    pub messenger: M,
    pub(crate) lanes: Lanes,
    pub(crate) stop: Stop,
    /// A commit was made, which may have ended jobs.
    pub(crate) has_changed: Notify,
    /// One refresh for all calls whose token was refused.
    pub(crate) refresh: Mutex<Option<Instant>>,
    /// The number of refreshes that were refused, one after the other.
    pub(crate) refusals: Cell<u32>,
    pub(crate) has_code: Notify,
    /// The secret of the channel that signs, by its number.
    pub(crate) signing_secret: Cell<usize>,
    /// False only until the account is connected, when that is the bridge's task.
    pub(crate) is_connected: Cell<bool>,
}

impl<M> Bridge<M> {
    /// The jobs that wait, for health and metrics.
    pub fn waiting(&self) -> Waiting {
        self.store.waiting()
    }

    /// Returns whether another job may come. A reader of updates waits until then, and a callback gets 503. The requests that
    /// are under way may add some.
    pub fn has_room(&self) -> bool {
        let waiting = self.waiting();
        waiting.jobs() < self.settings.jobs_max && waiting.bytes < WAITING_BYTES
    }

    /// Returns when another job may come.
    pub async fn until_room(&self) {
        loop {
            let has_changed = self.has_changed.notified();
            if self.has_room() {
                return;
            }
            has_changed.await;
        }
    }

    /// Marks a task as one that a stop waits for, until the guard is dropped.
    pub fn task(&self) -> TaskGuard {
        self.stop.task()
    }

    /// Returns whether the bridge ends: then nothing new begins.
    pub fn is_stopping(&self) -> bool {
        self.stop.is_ordered()
    }

    /// Returns when the bridge ends.
    pub async fn until_stop(&self) {
        self.stop.ordered().await;
    }
}
