//! The time that the head of the first request of a connection may take to arrive.
//!
//! The framework has such a limit too, and looks at it before it reads: a head that has arrived while the process had no
//! processor would be refused. This one counts only when there is nothing left to read.

use std::future::Future;
use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// The time for which an idle connection is kept.
pub const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// The time beyond it: the runtime may fire the timer of a process that was paused before it looks at its sockets.
const GRACE: Duration = Duration::from_millis(100);

/// Runs until the first request of a connection has begun.
pub(crate) struct HeadDeadline {
    /// The longest time for the head.
    limit: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    /// True when the deadline has passed, and the grace runs.
    is_grace: bool,
    /// True when the client need not send anything yet.
    is_idle: bool,
}

impl HeadDeadline {
    /// Begins now.
    pub(crate) fn begin(limit: Duration) -> Self {
        Self {
            limit,
            timer: Some(Box::pin(sleep(limit))),
            is_grace: false,
            is_idle: false,
        }
    }

    /// Begins with the first byte. Until then, the connection may be idle for this long.
    pub(crate) fn idle(patience: Duration, limit: Duration) -> Self {
        Self {
            limit,
            timer: Some(Box::pin(sleep(patience))),
            is_grace: false,
            is_idle: true,
        }
    }

    /// Returns the longest time for the head.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    /// Notes that so many bytes have arrived.
    pub(crate) fn note_bytes(&mut self, count: usize) {
        if self.is_idle && count > 0 {
            *self = Self::begin(self.limit);
        }
    }

    /// Returns whether the time is over. To be asked when there is nothing to read; `begun` is the number of requests
    /// that have begun.
    pub(crate) fn is_over(&mut self, begun: usize, context: &mut Context<'_>) -> bool {
        if begun > 0 {
            self.timer = None;
        }
        let Some(timer) = &mut self.timer else {
            return false;
        };
        if timer.as_mut().poll(context).is_pending() {
            return false;
        }
        if self.is_grace {
            return true;
        }
        // What was read in this turn may complete the head, too.
        self.is_grace = true;
        timer.as_mut().reset(Instant::now() + GRACE);
        // It is registered anew by being polled.
        timer.as_mut().poll(context).is_ready()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(5);

    #[tokio::test(start_paused = true)]
    async fn the_deadline_passes_after_a_grace_if_no_request_has_begun() {
        let mut context = Context::from_waker(Waker::noop());
        let mut deadline = HeadDeadline::begin(LIMIT);
        assert!(!deadline.is_over(0, &mut context));
        tokio::time::advance(LIMIT).await;
        assert!(!deadline.is_over(0, &mut context), "the head may be there");
        assert!(!deadline.is_over(0, &mut context));
        tokio::time::advance(GRACE).await;
        assert!(deadline.is_over(0, &mut context));
        assert!(!deadline.is_over(1, &mut context), "a request has begun");
        assert!(!deadline.is_over(0, &mut context), "it ended for good");
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_has_a_deadline_from_its_first_byte() {
        let mut context = Context::from_waker(Waker::noop());
        let patience = LIMIT * 4;
        let mut deadline = HeadDeadline::idle(patience, LIMIT);
        tokio::time::advance(patience - LIMIT / 2).await;
        assert!(!deadline.is_over(0, &mut context), "nothing is due");
        deadline.note_bytes(1);
        tokio::time::advance(LIMIT - GRACE).await;
        assert!(!deadline.is_over(0, &mut context), "the head has begun");
        deadline.note_bytes(1);
        tokio::time::advance(GRACE).await;
        assert!(!deadline.is_over(0, &mut context), "the grace begins");
        tokio::time::advance(GRACE).await;
        assert!(
            deadline.is_over(0, &mut context),
            "further bytes do not help"
        );
    }
}
