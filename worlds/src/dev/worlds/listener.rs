//! The sockets of worlds: they pass requests to the thread of their world, and break connections where a fault says so.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::{Request, Response};
use switchboard_loopback::body::{self, BodyLimits, BodyMemory, BodyReadError, DEADLINE, Whole};
use switchboard_loopback::{Answers, Place, accept};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::dev::worlds::lease::Lease;
use crate::dev::worlds::order::{Asked, Given, Order, OrderBodyError, Orders};
use crate::http_world::{FORM_BYTES_MAX, HttpAnswer};

/// The longest body of a request that is no form with a file: longer than any that the service takes.
const BODY_MAX: usize = 1 << 20;
/// The longest time of a form with a file.
const FORM_WITHIN: Duration = Duration::from_secs(10 * 60);
/// The bodies of all worlds of a process in memory, in bytes.
const BODIES_MAX: usize = 128 << 20;

/// Accepts connections for ever; they end with this.
pub(super) async fn serve<A: Answers + 'static>(
    listener: TcpListener,
    connections_max: usize,
    answers: Arc<A>,
) {
    let never = std::future::pending;
    let accepting = accept(listener, connections_max, never(), |socket, place| {
        let answers = Arc::clone(&answers);
        async move { switchboard_loopback::serve(socket, &place, never(), &*answers).await }
    });
    drop(accepting.await);
}

/// The memory for the bodies of all worlds.
pub(super) fn body_memory() -> BodyMemory {
    BodyMemory::new(BODIES_MAX)
}

/// The address of a world.
pub(super) struct Front {
    orders: Orders,
    memory: BodyMemory,
}

impl Front {
    pub(super) fn new(orders: Orders, memory: BodyMemory) -> Self {
        Self { orders, memory }
    }
}

impl Answers for Front {
    type Content = Content;

    async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Option<Response<Content>> {
        let (head, body) = request.into_parts();
        self.take(&head, body, place, &[]).await
    }

    fn refused(&self, line: &str, status: u16) {
        let line = line.to_owned();
        // A world that has ended has no journal to write.
        drop(self.orders.try_send(Order::Unreadable { line, status }));
    }
}

/// A header that takes the place of what a client sent.
pub(super) type OwnHeader = (&'static str, String);

impl Front {
    /// Reads the body of a request, and asks the world.
    pub(super) async fn take(
        &self,
        head: &Parts,
        body: Incoming,
        place: &Arc<Place>,
        own: &[OwnHeader],
    ) -> Option<Response<Content>> {
        let limits = limits(&head.headers);
        // It counts until the world has answered.
        let read = body::read(body, limits, &self.memory).await;
        let body = match &read {
            Ok(Whole {
                is_too_large: true, ..
            }) => Err(OrderBodyError::TooLarge(limits.bytes_max)),
            Ok(Whole { bytes, .. }) => {
                place.work_on_whole();
                Ok(bytes.clone())
            }
            Err(BodyReadError::TooSlow) => Err(OrderBodyError::TooSlow),
            Err(BodyReadError::BrokenOff(why)) => Err(OrderBodyError::BrokenOff(why.clone())),
        };
        self.ask(head, body, own).await
    }

    /// Asks the world; `None`: the connection is to break.
    pub(super) async fn ask(
        &self,
        head: &Parts,
        body: Result<Bytes, OrderBodyError>,
        own: &[OwnHeader],
    ) -> Option<Response<Content>> {
        let request = asked(head, body, own);
        let (answer, given) = oneshot::channel();
        self.orders
            .try_send(Order::Ask {
                asked: request,
                answer,
            })
            .ok()?;
        match given.await.ok()? {
            Given::Whole(answer) => {
                let content = Content::whole(answer.body.clone());
                Some(response(&answer, content))
            }
            Given::Late(answer, late) => {
                tokio::time::sleep(late).await;
                Some(response(&answer, Content::whole(answer.body.clone())))
            }
            Given::Truncated(answer) => {
                let content = Content::truncated(&answer.body);
                Some(response(&answer, content))
            }
            Given::Lost => None,
        }
    }
}

/// Returns the limits of a body: as much as the service takes.
fn limits(headers: &HeaderMap) -> BodyLimits {
    let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes());
    let form = b"multipart/form-data";
    let is_form = kind
        .and_then(|kind| kind.get(..form.len()))
        .is_some_and(|kind| kind.eq_ignore_ascii_case(form));
    if is_form {
        BodyLimits {
            bytes_max: FORM_BYTES_MAX,
            whole_within: FORM_WITHIN,
            silence_max: DEADLINE,
        }
    } else {
        BodyLimits::up_to(BODY_MAX)
    }
}

fn asked(head: &Parts, body: Result<Bytes, OrderBodyError>, own: &[OwnHeader]) -> Asked {
    let is_own = |name: &str| own.iter().any(|(known, _)| *known == name);
    let headers = head
        .headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.as_str().to_owned(), value.into_owned())
        })
        .filter(|(name, _)| !is_own(name));
    let own = own
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let target = head.uri.path_and_query();
    Asked {
        method: head.method.to_string(),
        // CONNECT names a host instead.
        target: target.map_or_else(|| head.uri.to_string(), ToString::to_string),
        headers: headers.chain(own).collect(),
        body,
    }
}

fn response(answer: &HttpAnswer, content: Content) -> Response<Content> {
    let mut response = Response::builder().status(answer.status);
    for (name, value) in &answer.headers {
        // They belong to the connection between the client and this socket.
        let of_the_connection = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];
        if of_the_connection
            .iter()
            .all(|it| !name.eq_ignore_ascii_case(it.as_str()))
        {
            response = response.header(name, value);
        }
    }
    let response = response.body(content);
    response.unwrap_or_else(|error| {
        let why = format!("the answer of the world is no HTTP: {error}");
        Response::new(Content::whole(why.into()))
    })
}

/// The connection breaks in the middle of a body.
#[derive(Debug, thiserror::Error)]
#[error("the connection is to break")]
pub(super) struct BreakError;

/// The body of an answer, of which the end may be missing.
pub(super) struct Content {
    bytes: Option<Bytes>,
    /// The length that its head promises.
    length: u64,
    is_truncated: bool,
    /// True when the connection has had the time to send what is there.
    is_sent: bool,
    /// It has no end: the client ends it.
    lease: Option<Lease>,
}

impl Content {
    /// A body as it is.
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self {
            length: length_of(&bytes),
            bytes: Some(bytes),
            is_truncated: false,
            is_sent: false,
            lease: None,
        }
    }

    /// A body that has nothing and lasts as long as the connection.
    pub(super) fn lease(lease: Lease) -> Self {
        Self {
            lease: Some(lease),
            ..Self::whole(Bytes::new())
        }
    }

    fn truncated(bytes: &Bytes) -> Self {
        Self {
            length: length_of(bytes),
            bytes: Some(bytes.slice(..bytes.len() / 2)),
            is_truncated: true,
            is_sent: false,
            lease: None,
        }
    }
}

fn length_of(bytes: &Bytes) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

impl Body for Content {
    type Data = Bytes;
    type Error = BreakError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BreakError>>> {
        if self.lease.is_some() {
            // The end of the connection wakes its task.
            return Poll::Pending;
        }
        match self.bytes.take() {
            Some(bytes) if !bytes.is_empty() => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            // An error drops what is not sent yet, and a pause lets the connection send it.
            Some(_) | None if self.is_truncated && !self.is_sent => {
                self.is_sent = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Some(_) | None if self.is_truncated => Poll::Ready(Some(Err(BreakError))),
            Some(_) | None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.lease.is_none()
            && !self.is_truncated
            && self.bytes.as_ref().is_none_or(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        if self.lease.is_some() {
            return SizeHint::default();
        }
        SizeHint::with_exact(self.length)
    }
}
