//! The ids of requests. One id is in the header `X-Request-Id` of the answer, in the lines of the log that the request
//! causes, and among the recorded requests of integrations, so that each leads to the others.
//!
//! Clients choose none: an id that a stranger may choose could name another request, or put text into the log.

use std::cell::Cell;
use std::fmt;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use actix_web::http::header::{HeaderName, HeaderValue};
use switchboard_actors::domain::time::UnixMillis;
use tracing::field::DisplayValue;

/// The header of an answer.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Numbers of one millisecond, so that those of a later start are higher.
const IDS_PER_MILLISECOND: u64 = 1_000;

thread_local! {
    /// The request that this thread works on now.
    static CURRENT: Cell<Option<RequestId>> = const { Cell::new(None) };
}

/// The id of a request: grows with time, also across restarts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(u64);

impl RequestId {
    /// Above every other.
    pub const MAX: Self = Self(u64::MAX);

    /// The value of the header.
    pub fn header(self) -> HeaderValue {
        self.0.into()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RequestId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// Gives each request its id.
#[derive(Debug)]
pub struct RequestIds(AtomicU64);

impl RequestIds {
    /// Ids above those of an earlier start, which were given before `now`.
    pub fn new(now: UnixMillis) -> Self {
        let first = now.get().saturating_mul(IDS_PER_MILLISECOND);
        Self(AtomicU64::new(first))
    }

    /// The id of the next request.
    pub fn next(&self) -> RequestId {
        RequestId(self.0.fetch_add(1, Ordering::Relaxed).wrapping_add(1))
    }
}

/// The id of the request that this thread works on, as a field of the log; none outside of requests.
pub fn current() -> Option<DisplayValue<RequestId>> {
    CURRENT.get().map(tracing::field::display)
}

/// A request in progress: while it is polled, [`current`] gives its id.
#[derive(Debug)]
pub struct InRequest<F> {
    id: RequestId,
    answering: F,
}

impl<F> InRequest<F> {
    /// The request with this id, and what answers it.
    pub fn new(id: RequestId, answering: F) -> Self {
        Self { id, answering }
    }
}

impl<F: Future + Unpin> Future for InRequest<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let _before = Restored(CURRENT.replace(Some(self.id)));
        Pin::new(&mut self.answering).poll(context)
    }
}

/// Puts back the request that was current before, also when a handler panics.
struct Restored(Option<RequestId>);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::{join, poll_fn};

    use super::*;

    #[test]
    fn ids_of_a_later_start_are_higher() {
        let before = RequestIds::new(UnixMillis::new(1_700_000_000_000));
        let (first, second) = (before.next(), before.next());
        assert!(first < second);
        assert_eq!(first.to_string(), "1700000000000001");
        assert_eq!(first.header(), "1700000000000001");
        assert!(second < RequestIds::new(UnixMillis::new(1_700_000_000_001)).next());
    }

    /// Requests take turns on one thread, and each sees its own id.
    #[test]
    fn each_request_sees_its_own_id_at_every_turn() {
        let observation = |id| {
            let mut turns = 0;
            let answering = poll_fn(move |context| {
                assert_eq!(CURRENT.get(), Some(RequestId(id)));
                turns += 1;
                if turns == 3 {
                    return Poll::Ready(());
                }
                context.waker().wake_by_ref();
                Poll::Pending
            });
            InRequest::new(RequestId(id), answering)
        };
        actix_web::rt::System::new().block_on(join(observation(1), observation(2)));
        assert!(current().is_none());
    }
}
