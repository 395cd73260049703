//! The turns of an event loop: the groups of one turn go to the committer together.
//!
//! A busy loop handles many requests before it polls its sockets again, and each of them submits a group. A call for
//! the first group would put that group on disk alone: a wake-up, a write, a sync and a wake-up back for one answer,
//! while the others wait for the next sync. So the loop calls the committer when it has done all that is ready. It
//! waits for nothing that is not in progress already, and where groups come one by one, each of them calls at once.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use crate::store::committer::queue::Queue;
use crate::store::committer::thread_waiters::ThreadWaiters;

/// The limit of further polls of a loop's sockets in a turn, each only if the last one brought groups.
const LOOKS_MAX: usize = 2;

/// Calls the committer at the end of each turn of the polling loop in which a group was submitted. Is to be polled
/// when the [list gathers](ThreadWaiters::gather) a first group.
pub(super) async fn watch<N>(thread: Arc<ThreadWaiters>, queue: Arc<Queue<N>>) {
    loop {
        let mut gathered = first(&thread).await;
        for _ in 0..LOOKS_MAX {
            // Returns when the loop has run what was ready and has polled its sockets.
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
