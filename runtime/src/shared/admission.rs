//! Admission of callbacks to the queue: keeps the [`QueueCounts`] up with the rows of the queue, and promises places from it.

mod count;
mod enter;
pub mod queue_counts;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::error::CommandError;
use crate::shared::admission::queue_counts::QueueCounts;
use crate::shared::meters::Meters;
use switchboard_domain::dispatch::endpoint::EndpointId;
use switchboard_domain::dispatch::quota::{QuotaRejection, Quotas};
use switchboard_domain::tables;
use switchboard_engine::entries::Row;
use switchboard_engine::runtime::clock::Clock;
use switchboard_engine::store::index::config::RowWatch;

/// The most rows of one conversation that are counted; no quota of a conversation is larger.
const QUEUE_ROWS_MAX: usize = 100_000;

/// Admission of callbacks to the queue.
#[derive(Debug)]
pub struct Admission {
    counts: Mutex<QueueCounts>,
    quotas: Quotas,
    clock: Arc<dyn Clock>,
    meters: Arc<Meters>,
    /// True when what was queued at the start is counted.
    counted: watch::Sender<bool>,
    stopped: AtomicBool,
}

/// The refusal of a callback: too many wait already, or the service does not know how many wait.
pub type AdmissionError = CommandError<Box<QuotaRejection>>;

/// A place in the queue that is reserved: given back when it is dropped, unless it is kept.
#[derive(Debug)]
#[must_use = "a permit that is dropped is given back"]
pub struct QueuePermit {
    admission: Arc<Admission>,
    queue: Option<Vec<u8>>,
}

impl QueuePermit {
    /// The message is on disk: its row takes the place.
    pub fn keep(mut self) {
        self.queue = None;
        self.admission.meters.accepted.add();
    }
}

impl Drop for QueuePermit {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.take() {
            self.admission.counts().release(&queue);
        }
    }
}

impl Admission {
    /// An admission that nothing waits in. No quota of a queue is above the number of rows that a queue can have.
    pub fn new(quotas: Quotas, clock: Arc<dyn Clock>, meters: Arc<Meters>) -> Self {
        Self {
            counts: Mutex::default(),
            quotas: Quotas {
                queue: quotas
                    .queue
                    .min(QUEUE_ROWS_MAX.try_into().unwrap_or(u64::MAX)),
                ..quotas
            },
            clock,
            meters,
            counted: watch::Sender::new(false),
            stopped: AtomicBool::new(false),
        }
    }

    /// The number of callbacks queued on the node.
    pub fn queued(&self) -> u64 {
        self.counts().queued()
    }

    /// The number of callbacks queued for an endpoint.
    pub fn queued_for(&self, endpoint: &EndpointId) -> u64 {
        self.counts().queued_for(endpoint)
    }

    /// Ends the counting, which a stop does not wait for.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn counts(&self) -> MutexGuard<'_, QueueCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RowWatch for Admission {
    fn changed(&self, row: &Row) {
        if row.table != tables::QUEUED {
            return;
        }
        match row.value {
            Some(_) => self.counts().put(&row.key),
            None => self.counts().delete(&row.key, self.clock.now()),
        }
    }
}
