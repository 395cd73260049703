//! Leases: programs that share a process hold one each, and it ends after the last one.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// The time for which the process waits for the first lease.
const FIRST_WITHIN: Duration = Duration::from_secs(60);
/// The time for which it waits for another lease after the last: a test run often starts programs one after the other.
const GRACE: Duration = Duration::from_secs(2);

/// The leases of a process. Clones are the same leases.
#[derive(Clone, Debug)]
pub(super) struct Leases(Arc<watch::Sender<Held>>);

#[derive(Clone, Copy, Debug, Default)]
struct Held {
    now: usize,
    /// No more are given.
    is_closed: bool,
}

/// A lease, until it is dropped.
#[derive(Debug)]
pub(super) struct Lease(Leases);

impl Default for Leases {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Held::default())))
    }
}

impl Leases {
    /// Takes a lease; `None`: the process is about to end.
    pub(super) fn take(&self) -> Option<Lease> {
        let is_taken = self.0.send_if_modified(|held| {
            if !held.is_closed {
                held.now = held.now.saturating_add(1);
            }
            !held.is_closed
        });
        is_taken.then(|| Lease(self.clone()))
    }

    /// Ends when the last lease has ended, or none was taken in time. No more are given then.
    pub(super) async fn abandoned(&self) {
        let mut holders = self.0.subscribe();
        // Both end early when a lease is taken; the sender lives as long as this.
        drop(timeout(FIRST_WITHIN, holders.wait_for(|holders| holders.now > 0)).await);
        loop {
            drop(holders.wait_for(|holders| holders.now == 0).await);
            sleep(GRACE).await;
            let is_over = self.0.send_if_modified(|holders| {
                holders.is_closed = holders.now == 0;
                holders.is_closed
            });
            if is_over {
                return;
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Self(Leases(held)) = self;
        held.send_modify(|held| held.now = held.now.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_process_ends_after_the_last_lease() {
        let leases = Leases::default();
        let (first, second) = (leases.take().unwrap(), leases.take().unwrap());
        let waiting = leases.clone();
        let abandoned = tokio::spawn(async move { waiting.abandoned().await });
        sleep(Duration::from_secs(3_600)).await;
        drop(first);
        sleep(Duration::from_secs(3_600)).await;
        drop(second);
        sleep(GRACE / 2).await;
        // One that comes in time keeps it.
        let third = leases.take().unwrap();
        sleep(Duration::from_secs(3_600)).await;
        assert!(!abandoned.is_finished());
        drop(third);
        abandoned.await.unwrap();
        assert!(leases.take().is_none(), "it ends");
    }

    #[tokio::test(start_paused = true)]
    async fn an_unused_process_ends() {
        let leases = Leases::default();
        timeout(FIRST_WITHIN + 2 * GRACE, leases.abandoned())
            .await
            .unwrap();
    }
}
