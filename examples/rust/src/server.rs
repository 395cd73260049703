//! The address of the bridge: it reads whole requests, whoever sends them, and survives all of them.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::CONTENT_TYPE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::bridge::Bridge;
use crate::installation::Query;
use crate::log::log;

const BODY_MAX: usize = 4 << 20;
const BODY_WITHIN: Duration = Duration::from_secs(60);
const HEAD_WITHIN: Duration = Duration::from_secs(30);
const CONNECTIONS_MAX: usize = 512;
const BACKLOG: u32 = 1_024;

/// Serves until the process ends.
///
/// # Errors
/// When the port is taken.
pub(crate) async fn serve(bridge: &Rc<Bridge>) -> Result<()> {
    let listener = listen(bridge.settings.port).context("cannot listen on PORT")?;
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        // The semaphore is never closed.
        let place = Arc::clone(&places).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            // There are too many files open.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let bridge = Rc::clone(bridge);
        tokio::task::spawn_local(async move {
            connection(bridge, stream).await;
            drop(place);
        });
    }
}

fn listen(port: u16) -> std::io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // It is started again on the same port.
    socket.set_reuseaddr(true)?;
    socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
    socket.listen(BACKLOG)
}

async fn connection(bridge: Rc<Bridge>, stream: TcpStream) {
    let service = service_fn(|request| {
        let bridge = Rc::clone(&bridge);
        // A sender that goes away does not stop the work in its middle.
        let answer = tokio::task::spawn_local(async move { answer(&bridge, request).await });
        async move { Ok::<_, Infallible>(answer.await.unwrap_or_else(|_| unavailable())) }
    });
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN);
    let connection = server.serve_connection(TokioIo::new(stream), service);
    // One that broke is the sender's business: it sends the callback again.
    drop(connection.await);
}

async fn answer(bridge: &Rc<Bridge>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let (head, body) = request.into_parts();
    let body = timeout(BODY_WITHIN, Limited::new(body, BODY_MAX).collect()).await;
    let body = match body {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(why)) if why.is::<http_body_util::LengthLimitError>() => {
            return response(StatusCode::PAYLOAD_TOO_LARGE, String::new());
        }
        Ok(Err(_)) => return response(StatusCode::BAD_REQUEST, String::new()),
        Err(_) => return response(StatusCode::REQUEST_TIMEOUT, String::new()),
    };
    let path = head.uri.path();
    if bridge.settings.has_exam && path.starts_with("/exam/") {
        return match bridge.on_exam(&head.method, path, &body).await {
            Ok((status, text)) => response(status, text),
            Err(why) => {
                log(format!("{} {path} failed: {why:#}", head.method));
                unavailable()
            }
        };
    }
    match head.method {
        Method::POST => {
            let status = bridge.on_callback(&head.headers, &body).await;
            response(status, String::new())
        }
        Method::GET => {
            let query = Query(head.uri.query().unwrap_or_default());
            let (status, text) = bridge.on_browser(&query).await;
            response(status, text.to_owned())
        }
        _ => response(StatusCode::METHOD_NOT_ALLOWED, String::new()),
    }
}

fn response(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let is_document = text.starts_with(['{', '[']);
    let kind = if is_document {
        "application/json"
    } else {
        "text/plain"
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    let kind = hyper::header::HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// The answer when something fails: the sender tries again.
fn unavailable() -> Response<Full<Bytes>> {
    response(StatusCode::SERVICE_UNAVAILABLE, String::new())
}
