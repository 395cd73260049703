//! The write stall: commits that come faster than checkpoints are delayed, since they stay in memory until they are
//! written.
//!
//! There is no delay while the newest checkpoint keeps up. Beyond that a pause follows each batch. It grows with what
//! is left to write, until as much comes in as goes out. A checkpoint ends a pause early, and every pause has a
//! limit: a disk that refuses checkpoints slows all commits down and stops none.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::store::lock::lock;

/// So many intervals may be in memory before a commit waits: one that comes in, and one that is being written.
const FREE_INTERVALS: u64 = 2;
/// The pause when twice as much is in memory as is free.
const PAUSE: Duration = Duration::from_millis(100);
/// No pause is longer.
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// Pauses the thread that commits until there is less to write.
#[derive(Debug, Default)]
pub(super) struct WriteStall {
    /// The number of checkpoints written.
    written: Mutex<u64>,
    changed: Condvar,
}

impl WriteStall {
    /// A checkpoint was written.
    pub(super) fn checkpoint_written(&self) {
        let mut count = lock(&self.written);
        *count = count.wrapping_add(1);
        self.changed.notify_all();
    }

    /// Waits as long as the backlog demands, at most until a checkpoint is written.
    pub(super) fn wait(&self, pending: u64, interval: u64) {
        let pause = pause(pending, interval);
        if pause.is_zero() {
            return;
        }
        let count = lock(&self.written);
        let now = *count;
        let wait = self
            .changed
            .wait_timeout_while(count, pause, |count| *count == now);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }
}

/// Returns the wait of a batch when so many records are in memory only, and a checkpoint is due after `interval`.
fn pause(pending: u64, interval: u64) -> Duration {
    let free = interval.max(1).saturating_mul(FREE_INTERVALS);
    let over = pending.saturating_sub(free);
    // In thousandths, and squared: a little too much costs hardly anything.
    let share = u128::from(over.saturating_mul(1_000).checked_div(free).unwrap_or(0));
    let micros = PAUSE
        .as_micros()
        .saturating_mul(share.saturating_mul(share))
        / 1_000_000;
    Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX)).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// There is no write stall while checkpoints keep up, and a growing one while they are behind.
    #[test]
    fn the_write_stall_grows_with_the_checkpoint_backlog() {
        let millis = |pending| pause(pending, 1_000).as_millis();
        assert_eq!([0, 1_999, 2_000, 2_063].map(millis), [0, 0, 0, 0]);
        assert_eq!(millis(3_000), 25);
        assert_eq!(millis(4_000), 100);
        assert_eq!(millis(6_000), 400);
        assert_eq!([60_000, u64::MAX].map(millis), [1_000, 1_000]);
        assert_eq!(pause(u64::MAX, 0), PAUSE_MAX);
    }

    #[test]
    fn a_checkpoint_ends_the_write_stall() {
        let stall = Arc::new(WriteStall::default());
        let start = Instant::now();
        let waiting = Arc::clone(&stall);
        let waiter = thread::spawn(move || {
            // Many pauses of a second each, if nothing ended them.
            for _ in 0..60 {
                waiting.wait(u64::MAX, 1);
            }
        });
        while !waiter.is_finished() {
            stall.checkpoint_written();
            thread::yield_now();
        }
        waiter.join().unwrap();
        assert!(start.elapsed() < Duration::from_secs(50));
    }
}
