//! The turns of an event loop: what it submits in one goes to the committer together.
//!
//! A loop with much to do handles many requests before it looks at its sockets again, and each of them submits a
//! group. Calling the committer for the first one puts that on disk alone: a wake-up, a write, a sync and a wake-up
//! back for one answer, and the others wait for the next sync. So the committer is called when the loop has done all
//! that it could. Nothing is waited for that is not in progress already, and where groups come one by one, each calls at once.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use crate::store::committer::queue::Queue;
use crate::store::committer::thread_waiters::ThreadWaiters;

/// So often a loop looks at its sockets once more in a turn, if the last look brought groups.
const LOOKS_MAX: usize = 2;

/// Calls the committer at the end of each turn of the loop that polls this, in which somebody submitted. Is to be polled
/// when the [list gathers](ThreadWaiters::gather) a first group.
pub(super) async fn watch<N>(thread: Arc<ThreadWaiters>, queue: Arc<Queue<N>>) {
    loop {
        let mut gathered = first(&thread).await;
        for _ in 0..LOOKS_MAX {
            // Comes back when the loop has run what was ready and has looked at its sockets.
            tokio::task::yield_now().await;
            let now = thread.gathered();
            if now == gathered {
                break;
            }
            gathered = now;
        }
        thread.call_made();
        queue.call();
    }
}

/// Waits for groups.
fn first(thread: &ThreadWaiters) -> impl Future<Output = usize> + '_ {
    poll_fn(|_| match thread.gathered() {
        0 => Poll::Pending,
        gathered => Poll::Ready(gathered),
    })
}

#[cfg(test)]
mod tests;
