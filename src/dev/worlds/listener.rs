//! The sockets of worlds: they pass requests to the thread of their world, and break connections where a fault says so.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;

use crate::dev::worlds::lease::Lease;
use crate::dev::worlds::order::{Asked, Given, Order, Orders};
use crate::testing::http_world::Answer;

/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(60);
/// The longest body of a request: longer than any that the service takes.
const BODY_MAX: usize = 128 << 20;
/// How long the system may lack what a connection needs before the next is tried.
const SHORTAGE: Duration = Duration::from_millis(200);

/// What answers the requests of a socket.
pub(super) trait Answers: Send + Sync + 'static {
    /// The answer; `None`: the connection breaks.
    fn answer(&self, request: Request<Bytes>) -> impl Future<Output = Option<Response<Content>>>;
}

/// Accepts connections for ever; they end with this. So many are served at once; more wait to be accepted.
pub(super) async fn serve<A: Answers>(
    listener: TcpListener,
    connections_max: usize,
    answers: Arc<A>,
) {
    let places = Arc::new(Semaphore::new(connections_max));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((socket, _)) => {
                let answers = Arc::clone(&answers);
                connections.spawn_local(async move {
                    connection(socket, &*answers).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a world cannot accept a connection");
                tokio::time::sleep(SHORTAGE).await;
            }
        }
    }
}

async fn connection<A: Answers>(socket: TcpStream, answers: &A) {
    let service = service_fn(|request| async move {
        match whole(request).await {
            Ok(request) => answers.answer(request).await.ok_or(Broken),
            Err(refused) => Ok(refused),
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(IDLE);
    // A connection that breaks is what a fault ordered, or what the client did.
    let served = builder
        .serve_connection(TokioIo::new(socket), service)
        .await;
    served.unwrap_or_else(|error| tracing::debug!(%error, "a connection to a world ended"));
}

/// The connection breaks without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the connection is to break")]
pub(super) struct Broken;

async fn whole(request: Request<Incoming>) -> Result<Request<Bytes>, Response<Content>> {
    let (head, body) = request.into_parts();
    match Limited::new(body, BODY_MAX).collect().await {
        Ok(body) => Ok(Request::from_parts(head, body.to_bytes())),
        Err(error) => {
            let why = format!("the body of the request cannot be read: {error}");
            let mut response = Response::new(Content::whole(why.into()));
            *response.status_mut() = StatusCode::BAD_REQUEST;
            Err(response)
        }
    }
}

/// The address of a world.
pub(super) struct Front {
    orders: Orders,
}

impl Front {
    pub(super) fn new(orders: Orders) -> Self {
        Self { orders }
    }
}

impl Answers for Front {
    async fn answer(&self, request: Request<Bytes>) -> Option<Response<Content>> {
        let (head, body) = request.into_parts();
        let headers = head.headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.as_str().to_owned(), value.into_owned())
        });
        let target = head.uri.path_and_query();
        let asked = Asked {
            method: head.method.to_string(),
            target: target.map_or_else(|| "/".to_owned(), ToString::to_string),
            headers: headers.collect(),
            body,
        };
        let (answer, given) = oneshot::channel();
        self.orders.try_send(Order::Ask { asked, answer }).ok()?;
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

fn response(answer: &Answer, content: Content) -> Response<Content> {
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

/// The body of an answer, of which the end may be missing.
pub(super) struct Content {
    bytes: Option<Bytes>,
    /// What its head promises.
    length: u64,
    is_truncated: bool,
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
            lease: None,
        }
    }
}

fn length_of(bytes: &Bytes) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

impl Body for Content {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        if self.lease.is_some() {
            // The end of the connection wakes its task.
            return Poll::Pending;
        }
        match self.bytes.take() {
            Some(bytes) if !bytes.is_empty() => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Some(_) | None if self.is_truncated => Poll::Ready(Some(Err(Broken))),
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
