//! The HTTP side of the receiver: judge, hand on, answer.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Request, Response, StatusCode};
use serde_json::json;
use switchboard_actors::domain::signature::{HEADER, SharedSecret};
use switchboard_loopback::body::{self, BodyLimits, BodyMemory, BodyReadError, Whole};
use switchboard_loopback::{self as loopback, Answers, Place};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Duration, timeout};

use super::super::output::CliError;
use super::callback::{self, Callback, CallbackError, judge};

/// The largest callback that is read.
const BODY_BYTES_MAX: usize = 1 << 20;
/// The bodies of all callbacks in memory, in bytes.
const BODIES_MAX: usize = 16 << 20;
/// Connections at once; those without a whole request make room for others.
const CONNECTIONS_MAX: usize = 256;
/// The time limit for the responses in progress at the end.
const ENDS_WITHIN: Duration = Duration::from_secs(1);

/// The expectations against which every request is judged.
pub(super) struct Judge {
    pub(super) secret: SharedSecret,
    /// The answer to valid callbacks.
    pub(super) status: u16,
    pub(super) events: mpsc::Sender<Event>,
}

/// An event for the terminal.
pub(super) enum Event {
    Received(Box<Callback>),
    Refused {
        status: u16,
        why: String,
        path: String,
    },
}

/// The receiver while it listens.
pub(super) struct Listening {
    pub(super) address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Listening {
    /// Accepts nothing more, and lets the answers leave.
    pub(super) async fn stop(self) {
        self.stop.send_replace(true);
        // A client that does not read its answer does not keep the command.
        drop(timeout(ENDS_WITHIN, self.serving).await);
    }
}

/// Listens on loopback.
pub(super) async fn start(port: u16, judge: Judge) -> Result<Listening, CliError> {
    let what = format!("cannot listen on 127.0.0.1:{port}");
    let failed = |error| CliError::failed(&what, error);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (stop, stopping) = watch::channel(false);
    let serving = tokio::task::spawn_local(serve(listener, judge, stopping));
    Ok(Listening {
        address,
        stop,
        serving,
    })
}

async fn serve(listener: TcpListener, judge: Judge, stop: watch::Receiver<bool>) {
    let memory = BodyMemory::new(BODIES_MAX);
    let receiver = Arc::new(Receiver { judge, memory });
    let connection = |socket, place| {
        let (receiver, stop) = (Arc::clone(&receiver), stop.clone());
        async move { loopback::serve(socket, &place, stopped(stop), &*receiver).await }
    };
    let accepting = loopback::accept(listener, CONNECTIONS_MAX, stopped(stop.clone()), connection);
    let mut connections = accepting.await;
    while connections.join_next().await.is_some() {}
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    // The sender goes only at the end.
    stop.wait_for(|stop| *stop)
        .await
        .map(drop)
        .unwrap_or_default();
}

/// The handler of callbacks.
struct Receiver {
    judge: Judge,
    memory: BodyMemory,
}

impl Answers for Receiver {
    type Content = Full<Bytes>;

    async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Option<Response<Full<Bytes>>> {
        let (head, body) = request.into_parts();
        let path = head.uri.path().to_owned();
        let read = body::read(body, BodyLimits::up_to(BODY_BYTES_MAX), &self.memory).await;
        let refuse = |status, why: String| Err(CallbackError { status, why });
        let verdict = match &read {
            Ok(Whole {
                is_too_large: true, ..
            }) => refuse(
                413,
                format!("a callback has {BODY_BYTES_MAX} bytes at most"),
            ),
            Ok(Whole { bytes, .. }) => {
                place.work_on_whole();
                let request = callback::Request {
                    method: head.method.as_str(),
                    path: &path,
                    signature: header(&head.headers, HEADER),
                    webhook_id: header(&head.headers, "webhook-id"),
                    attempt: header(&head.headers, "X-Delivery-Attempt"),
                    body: bytes,
                };
                judge(&request, &self.judge.secret)
            }
            Err(BodyReadError::TooSlow) => {
                refuse(408, "the body did not arrive in time".to_owned())
            }
            Err(BodyReadError::BrokenOff(why)) => {
                refuse(400, format!("the body cannot be read: {why}"))
            }
        };
        Some(self.answered(verdict, path))
    }
}

impl Receiver {
    fn answered(
        &self,
        verdict: Result<Callback, CallbackError>,
        path: String,
    ) -> Response<Full<Bytes>> {
        let (event, status, why) = match verdict {
            Ok(callback) => {
                let event = Event::Received(Box::new(callback));
                (event, self.judge.status, None)
            }
            Err(CallbackError { status, why }) => {
                let reason = Some(why.clone());
                (Event::Refused { status, why, path }, status, reason)
            }
        };
        if self.judge.events.try_send(event).is_err() {
            // Nothing was taken note of, so nothing is promised.
            let mut answer = Response::new(Full::default());
            *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            let headers = answer.headers_mut();
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            return answer;
        }
        let body = why.map(|why| json!({ "error": why }).to_string());
        let is_json = body.is_some();
        let mut answer = Response::new(Full::from(body.unwrap_or_default()));
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        *answer.status_mut() = status;
        let headers = answer.headers_mut();
        if is_json {
            let json = HeaderValue::from_static("application/json");
            headers.insert(CONTENT_TYPE, json);
        }
        if status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(ALLOW, HeaderValue::from_static("POST"));
        }
        answer
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
