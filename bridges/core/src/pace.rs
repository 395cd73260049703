//! The pace of requests: at most seven in a second, and none while the service wants a pause.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, sleep_until};

use crate::answer::Answer;
use crate::log::log;

/// The most requests in a second that a setting may ask for.
const RATE_MAX: usize = 1_000;
/// The longest pause after a block without a time of its own, in seconds.
const PATIENCE_MAX: u64 = 300;

/// The pace.
pub struct Pace {
    slots: Arc<Semaphore>,
    gate: Mutex<()>,
    closed_until: Cell<Instant>,
    /// The number of pauses since the last answer that asked for none.
    blocks: Cell<u32>,
}

/// The right to make a request.
pub struct Slot(Option<OwnedSemaphorePermit>);

impl Drop for Slot {
    /// The slot is free a second after the end, so that no second at the service has more than seven requests, however slow
    /// the way is.
    fn drop(&mut self) {
        let permit = self.0.take();
        tokio::task::spawn_local(async move {
            sleep(Duration::from_secs(1)).await;
            drop(permit);
        });
    }
}

impl Pace {
    pub fn new(rate: usize) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(rate.clamp(1, RATE_MAX))),
            gate: Mutex::new(()),
            closed_until: Cell::new(Instant::now()),
            blocks: Cell::new(0),
        }
    }

    /// Waits until another request may leave, whatever pause there is: for a file of the service.
    pub async fn slot(&self) -> Slot {
        // The semaphore is never closed.
        Slot(Arc::clone(&self.slots).acquire_owned().await.ok())
    }

    /// Waits for the end of a pause. After one, a single request tries whether it is over, and the others wait for its answer:
    /// it holds the guard.
    pub async fn pause(&self) -> Option<MutexGuard<'_, ()>> {
        let guard = self.gate.lock().await;
        // A pause may become longer.
        while self.closed_until.get() > Instant::now() {
            sleep_until(self.closed_until.get()).await;
        }
        (self.blocks.get() > 0).then_some(guard)
    }

    /// Learns from an answer, which came at this time by the clock of the service.
    pub fn watch(&self, answer: &Answer, now: i64) {
        let pause = answer.retry_after(now);
        match pause.filter(|_| matches!(answer.status, 429 | 503)) {
            _ if answer.is_block() => {
                let seconds = 3_u64.saturating_mul(1 << self.blocks.get().min(10));
                self.close(Duration::from_secs(seconds.min(PATIENCE_MAX)), answer);
            }
            Some(pause) => self.close(pause, answer),
            None => self.blocks.set(0),
        }
    }

    fn close(&self, pause: Duration, answer: &Answer) {
        let now = Instant::now();
        // The requests under way at that moment do not make the pause longer.
        if now >= self.closed_until.get() {
            self.blocks.set(self.blocks.get().saturating_add(1));
            let seconds = pause.as_secs();
            log(format!(
                "no requests for {seconds} s: the service answers {answer}"
            ));
        }
        self.closed_until
            .set(self.closed_until.get().max(now + pause));
    }
}
