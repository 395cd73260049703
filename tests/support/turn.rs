//! Turns for tests that drive programs which keep a core busy: browsers, libraries, generators of requests.
//!
//! All at once would leave none of them, nor the service, the time that their own limits allow.

use tokio::sync::{Semaphore, SemaphorePermit};

/// As many as a machine with two cores carries beside the other tests; some of them wait most of the time.
static TURNS: Semaphore = Semaphore::const_new(3);

/// Waits for a turn, which lasts until this is dropped.
pub async fn turn() -> SemaphorePermit<'static> {
    TURNS.acquire().await.expect("it is never closed")
}
