//! Answers the requests of a connection.

use std::error::Error;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::sleep;

use super::place::Place;
use super::wire::{HEAD_DEADLINE, Head, Wire};

/// The longest pause between two requests of a connection.
const IDLE: Duration = Duration::from_secs(60);
/// The most bytes of a connection that wait in memory; heads are no longer.
const BUFFER_MAX: usize = 64 << 10;

/// A handler of the requests of a socket.
pub trait Answers {
    /// The body of an answer.
    type Content: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin + 'static;

    /// The answer; `None`: the connection breaks.
    fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> impl Future<Output = Option<Response<Self::Content>>>;

    /// A head was refused that could not be read; `line` is the beginning of its first line.
    fn refused(&self, line: &str, status: u16) {
        tracing::debug!(line, status, "refused a request that is not well-formed");
    }
}

/// The connection breaks without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection is to break")]
struct BreakError;

/// Answers the requests of a connection until it ends; after `end`, only the one that is being answered.
pub async fn serve<S, A>(stream: S, place: &Arc<Place>, end: impl Future<Output = ()>, answers: &A)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    A: Answers,
{
    let service = service_fn(|request: Request<Incoming>| async move {
        place.begin(!request.body().is_end_stream());
        let answer = answers.answer(request, place).await.ok_or(BreakError)?;
        let place = Arc::clone(place);
        Ok::<_, BreakError>(answer.map(|content| Held { content, place }))
    });
    let head = Head::default();
    let wire = Wire::new(stream, Arc::clone(place), head.clone());
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_buf_size(BUFFER_MAX);
    let serving = builder.serve_connection(TokioIo::new(wire), service);
    let mut connection = pin!(serving.with_upgrades());
    let (mut end, mut late) = (pin!(end), pin!(sleep(HEAD_DEADLINE)));
    let first_turn = place.turn();
    let (mut is_ending, mut is_late) = (false, false);
    let outcome = loop {
        tokio::select! {
            // What has arrived counts, even if the process had no time to read it.
            biased;
            outcome = connection.as_mut() => break outcome,
            () = &mut late, if !is_late => {
                is_late = true;
                if place.turn() == first_turn {
                    head.be_late();
                }
            }
            () = &mut end, if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    };
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection on loopback ended");
    }
    if let Some((line, status)) = head.refused() {
        answers.refused(&line, status);
    }
}

/// The body of an answer: the request is answered when it ends.
pub(crate) struct Held<C> {
    content: C,
    place: Arc<Place>,
}

impl<C: Body<Data = Bytes> + Unpin> Body for Held<C> {
    type Data = Bytes;
    type Error = C::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, C::Error>>> {
        Pin::new(&mut self.content).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.content.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.content.size_hint()
    }
}

impl<C> Drop for Held<C> {
    fn drop(&mut self) {
        self.place.settle();
    }
}
