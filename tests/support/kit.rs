//! The shared parts of the tests of the real binary. A test binary takes all of it with `#[path = "…/support/kit.rs"]
//! mod support;`.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "test code, which a few variables steer; each test binary uses its own part of it"
)]

pub mod answer;
pub mod bomb;
pub mod client;
pub mod described;
pub mod directory;
pub mod disk;
pub mod flaky;
pub mod history;
pub mod ledger;
pub mod limit;
pub mod line;
pub mod memory;
pub mod message_place;
pub mod metrics;
pub mod moment;
pub mod oauth;
pub mod operating;
pub mod port;
pub mod random;
pub mod receiver;
pub mod replies;
pub mod rounds;
pub mod server;
pub mod shown;
pub mod skip;
pub mod team;
pub mod turn;
pub mod upload;
pub mod writers;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The time that a test waits for a state before it fails: far longer than any machine needs that is only slow.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The same for callbacks that may fail twice and meet an open breaker: their longest waits, and far more.
pub const RETRIES_PATIENCE: Duration = Duration::from_secs(300);

/// The time that a program may take which runs as long as its test, or fetches from elsewhere: it only ends one that hangs.
pub const TEST_PATIENCE: Duration = Duration::from_secs(7_200);

/// The time that is left once [`FAILURES`] waits were in vain: the run has failed, and need not take hours to say so.
const IMPATIENCE: Duration = Duration::from_secs(10);
const FAILURES: usize = 3;

/// The waits of this run that were in vain.
static IN_VAIN: AtomicUsize = AtomicUsize::new(0);

/// Asks again and again until there is an answer; fails loudly when there is none in time.
pub async fn eventually<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let is_lost = IN_VAIN.load(Ordering::Relaxed) >= FAILURES;
    let patience = if is_lost { IMPATIENCE } else { PATIENCE };
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    match tokio::time::timeout(patience, asking).await {
        Ok(answer) => answer,
        Err(_elapsed) => {
            IN_VAIN.fetch_add(1, Ordering::Relaxed);
            panic!("this did not happen within {patience:?}: {what}")
        }
    }
}

/// Repeats an action until it takes less than `limit` once, five times at most: the machine may be busy with something
/// else, but hardly every time. `attempt` returns how long it took.
pub async fn in_time(limit: Duration, mut attempt: impl AsyncFnMut() -> Duration) {
    let mut took = Vec::new();
    while took.len() < 5 {
        let time = attempt().await;
        if time < limit {
            return;
        }
        took.push(time);
    }
    panic!("it took {took:?} where {limit:?} are the limit");
}
