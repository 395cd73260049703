//! Lets commands in until the system stops, and knows when the last one has gone.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use crate::error::UnavailableError;
use crate::runtime::striped::Striped;

/// Lets commands in until it is closed. A command holds its pass until it is answered.
#[derive(Debug)]
pub struct Gate {
    closed: AtomicBool,
    /// The callers inside, by the thread on which they came in.
    inside: Striped<AtomicUsize>,
    gone: Notify,
}

/// The admission of one command: its holder is inside.
#[derive(Debug)]
#[must_use = "a command is inside as long as its pass lives"]
pub struct Pass<'a> {
    gate: &'a Gate,
    counter: &'a AtomicUsize,
}

impl Default for Gate {
    /// An open gate.
    fn default() -> Self {
        Self {
            closed: AtomicBool::new(false),
            inside: Striped::new(AtomicUsize::default),
            gone: Notify::new(),
        }
    }
}

impl Gate {
    /// Lets a command in.
    pub fn enter(&self) -> Result<Pass<'_>, UnavailableError> {
        let counter = self.inside.here();
        // Counts before it checks, and `close` checks after it closes: one of the two sees the other.
        counter.fetch_add(1, Ordering::SeqCst);
        let pass = Pass {
            gate: self,
            counter,
        };
        if self.closed.load(Ordering::SeqCst) {
            return Err(UnavailableError::Stopping);
        }
        Ok(pass)
    }

    /// Admits no more commands, and waits until all that are inside have left, at most until `deadline`. Returns
    /// whether all have left.
    pub async fn close(&self, deadline: Instant) -> bool {
        self.closed.store(true, Ordering::SeqCst);
        while self.is_anybody_inside() {
            if timeout_at(deadline, self.gone.notified()).await.is_err() {
                return !self.is_anybody_inside();
            }
        }
        // Another caller may wait as well.
        self.gone.notify_one();
        true
    }

    fn is_anybody_inside(&self) -> bool {
        let mut counts = self.inside.iter();
        counts.any(|count| count.load(Ordering::SeqCst) > 0)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.counter.fetch_sub(1, Ordering::SeqCst);
        if self.gate.closed.load(Ordering::SeqCst) {
            self.gate.gone.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::time::Duration;

    use futures_util::FutureExt;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    #[actix::test]
    async fn a_closed_gate_refuses_entry_and_waits_for_holders() {
        let gate = Gate::default();
        let (first, second) = (gate.enter().unwrap(), gate.enter().unwrap());
        let mut closing = pin!(gate.close(soon()));
        assert_eq!(closing.as_mut().now_or_never(), None);
        drop(first);
        assert!(matches!(gate.enter(), Err(UnavailableError::Stopping)));
        assert_eq!(closing.as_mut().now_or_never(), None);
        drop(second);
        assert_eq!(closing.now_or_never(), Some(true));
    }

    #[actix::test]
    async fn closing_a_gate_stops_waiting_at_the_deadline() {
        let gate = Gate::default();
        let pass = gate.enter().unwrap();
        assert!(!gate.close(Instant::now()).await);
        drop(pass);
        assert!(gate.close(Instant::now()).await);
    }

    #[test]
    fn closing_a_gate_waits_for_holders_on_every_thread() {
        for _ in 0..200 {
            let gate = Gate::default();
            let in_flight = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        while let Ok(pass) = gate.enter() {
                            in_flight.fetch_add(1, Ordering::SeqCst);
                            std::hint::spin_loop();
                            in_flight.fetch_sub(1, Ordering::SeqCst);
                            drop(pass);
                        }
                    });
                }
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_time()
                    .build()
                    .unwrap();
                assert!(runtime.block_on(gate.close(soon())));
                assert_eq!(in_flight.load(Ordering::SeqCst), 0);
            });
        }
    }
}
