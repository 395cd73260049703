//! The address of a bridge: it reads whole requests of any sender, and survives all of them.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::bridge::Bridge;
use crate::callbacks::Reply;
use crate::log::log;
use crate::messenger::Messenger;
use crate::page::{self, PageRequest, PageResponse, Query};

const BODY_MAX: usize = 4 << 20;
const BODY_WITHIN: Duration = Duration::from_secs(60);
const HEAD_WITHIN: Duration = Duration::from_secs(30);
/// The longest time in which a reader takes no byte of an answer.
const STALL_MAX: Duration = Duration::from_secs(60);
const CONNECTIONS_MAX: usize = 512;
const BACKLOG: u32 = 1_024;
/// The longest time between the order to stop and the end.
const STOP_WITHIN: Duration = Duration::from_secs(20);
/// The pause that a sender is asked for, in seconds.
const RETRY_AFTER: u32 = 5;

impl<M: Messenger> Bridge<M> {
    /// Serves on the address of the settings until the given end. Then it takes no more connections, finishes the requests and
    /// jobs under way, within 20 seconds, and returns when all changes are on the disk.
    ///
    /// # Errors
    /// When the address is taken, or the store can no longer be used.
    pub async fn serve(self: &Rc<Self>, until: impl Future) -> Result<()> {
        let address = self.settings.listen;
        let listener = listen(address).with_context(|| {
            format!("the bridge cannot listen on {address}: end the program that does, or choose another address")
        })?;
        self.serve_on(listener, until).await
    }

    /// Serves on a socket, as [`serve`](Self::serve) does.
    ///
    /// # Errors
    /// When the store can no longer be used.
    pub async fn serve_on(
        self: &Rc<Self>,
        listener: TcpListener,
        until: impl Future,
    ) -> Result<()> {
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut until = pin!(until);
        let mut failure = pin!(self.store.failure());
        loop {
            let stream = tokio::select! {
                biased;
                _ = &mut until => break,
                why = &mut failure => bail!(why),
                stream = accept(&listener, &places) => stream,
            };
            let Some((stream, place)) = stream else {
                continue;
            };
            let bridge = Rc::clone(self);
            tokio::task::spawn_local(async move {
                connection(bridge, stream).await;
                drop(place);
            });
        }
        drop(listener);
        self.stop.order();
        let end = async {
            self.stop.idle().await;
            self.store.flush().await;
        };
        tokio::select! {
            outcome = timeout(STOP_WITHIN, end) => {
                if outcome.is_err() {
                    log("the bridge ends before its work under way: the next start does it again");
                }
                Ok(())
            }
            why = &mut failure => bail!(why),
        }
    }
}

/// Returns the next connection with its place, or `None` when too many files are open.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    // The semaphore is never closed.
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, place)),
        Err(_) => {
            sleep(Duration::from_millis(100)).await;
            None
        }
    }
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // It is started again on the same port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn connection<M: Messenger>(bridge: Rc<Bridge<M>>, stream: TcpStream) {
    let _task = bridge.task();
    // A reader that takes nothing for so long loses its connection, and another one gets its place.
    drop(SockRef::from(&stream).set_tcp_user_timeout(Some(STALL_MAX)));
    let service = service_fn(|request| {
        let bridge = Rc::clone(&bridge);
        // A sender that goes away does not stop the work in its middle.
        let answer = tokio::task::spawn_local(async move {
            let _task = bridge.task();
            answer(&bridge, request).await
        });
        async move {
            Ok::<_, Infallible>(
                answer
                    .await
                    .unwrap_or_else(|_| page::unavailable(RETRY_AFTER)),
            )
        }
    });
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN);
    let mut connection = pin!(server.serve_connection(TokioIo::new(stream), service));
    // One that broke is the sender's business: it sends the callback again.
    tokio::select! {
        outcome = connection.as_mut() => drop(outcome),
        () = bridge.until_stop() => {
            connection.as_mut().graceful_shutdown();
            drop(connection.await);
        }
    }
}

async fn answer<M: Messenger>(bridge: &Rc<Bridge<M>>, request: Request<Incoming>) -> PageResponse {
    let (head, body) = request.into_parts();
    let body = match timeout(BODY_WITHIN, read(body)).await {
        Ok(Ok(body)) => body,
        Ok(Err(status)) => return page::empty(status),
        Err(_) => return page::empty(StatusCode::REQUEST_TIMEOUT),
    };
    let request = PageRequest {
        method: &head.method,
        path: head.uri.path(),
        query: Query(head.uri.query().unwrap_or_default()),
        headers: &head.headers,
        body: &body,
    };
    if let Some(response) = M::page(bridge, request).await {
        return response;
    }
    match head.method {
        Method::POST => match bridge.on_callback(&head.headers, &body).await {
            Reply::Status(status) => page::empty(status),
            Reply::Busy => page::unavailable(RETRY_AFTER),
        },
        Method::GET => {
            let (status, text) = bridge.on_browser(request.query).await;
            page::text(status, text)
        }
        _ => page::empty(StatusCode::METHOD_NOT_ALLOWED),
    }
}

async fn read(body: Incoming) -> Result<Bytes, StatusCode> {
    match Limited::new(body, BODY_MAX).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(why) if why.is::<LengthLimitError>() => Err(StatusCode::PAYLOAD_TOO_LARGE),
        Err(_) => Err(StatusCode::BAD_REQUEST),
    }
}
