//! The HTTP server: limits, workers, and the way it stops.

pub(crate) mod bare_error;
mod expectation;
mod head_deadline;
pub(crate) mod intake;
mod socket;

use std::future::{Future, poll_fn, ready};
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use actix_http::{HttpService, KeepAlive};
use actix_server::Server;
use actix_service::{IntoServiceFactory as _, ServiceFactoryExt as _, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::rt::net::TcpStream;
use actix_web::{App, web};
use socket2::SockRef;

use crate::host::Host;
use crate::http::front::Front;
use crate::http::host_guard::AllowedHosts;
use crate::http::outgoing::SLICE;
use crate::http::routes;
use crate::http::server::expectation::met;
use crate::http::server::socket::Socket;
use crate::http::state::AppState;

/// How long an idle connection is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long the rest of a request that was refused is read and dropped, so that its sender sees the answer.
const LINGER: Duration = Duration::from_secs(1);
/// How much of what is written the system keeps before it can send it, in bytes: more of it waits in answers that can be
/// ended, and whether a client takes any is seen in steps of this size.
const UNSENT_MAX: u32 = 32 << 10;

/// The settings of the HTTP server.
#[derive(Clone, Debug)]
pub(crate) struct ServerSettings {
    /// How many worker threads there are; actors live on them too.
    pub(crate) workers: usize,
    /// How long requests in progress may take when the server stops.
    pub(crate) drain: Duration,
    /// Hosts that requests may name, besides those that no stranger can re-point.
    pub(crate) hosts: Vec<Host>,
    /// Connections at once; more wait to be accepted.
    pub(crate) connections_max: usize,
    /// How long an answer may wait for the client to take more of it; 0: for ever.
    pub(crate) unread_answer: Duration,
    /// Whether each request has a line in the log.
    pub(crate) request_lines: bool,
}

/// A server that was started: its future ends when it has stopped.
pub(crate) struct Started {
    pub(crate) server: Server,
    pub(crate) address: SocketAddr,
}

/// Starts to listen. Each worker thread becomes one of the system's. Requests are answered once this has returned.
///
/// # Errors
/// When the operating system refuses.
pub(crate) async fn start(
    listener: TcpListener,
    state: AppState,
    settings: &ServerSettings,
) -> std::io::Result<Started> {
    let address = listener.local_addr()?;
    let hosts = AllowedHosts::new(address, settings.hosts.clone());
    prepare(&listener)?;
    let front = Front::new(state.clone(), hosts, settings.request_lines);
    let unread_answer = settings.unread_answer;
    let builder = Server::build();
    let stopping = builder.graceful_shutdown_signal();
    let service = move || {
        state.system().join();
        let app = App::new()
            .app_data(web::Data::new(state.clone()))
            .configure(routes);
        let router = map_config(app.into_factory(), |()| AppConfig::default());
        let (stopping, limits) = (stopping.clone(), Arc::clone(state.limits()));
        let asked = state.clone();
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            // The socket has a limit that reads first.
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(LINGER)
            .keep_alive(KeepAlive::Timeout(KEEP_ALIVE))
            .h1_write_buffer_size(SLICE)
            .local_addr(address)
            .expect(fn_service(move |request| ready(met(request, &asked))))
            .on_connect_ext(move |socket: &Socket, data| {
                data.insert(socket.intake().clone());
                if let Ok(peer) = socket.stream().peer_addr() {
                    data.insert(limits.connection(peer.ip()));
                }
            })
            .h1(front.clone().before(router));
        fn_service(move |stream: TcpStream| async move {
            let peer = stream.peer_addr().ok();
            Ok((Socket::new(stream, unread_answer), peer))
        })
        .and_then(http)
    };
    let mut server = builder
        .workers(settings.workers)
        .max_concurrent_connections(settings.connections_max.div_ceil(settings.workers.max(1)))
        .shutdown_timeout(settings.drain.as_secs().max(1))
        .disable_signals()
        .listen("switchboard", listener, service)?
        .run();
    // Its first poll starts the workers, and returns when each of them has its routes.
    match poll_fn(|task| Poll::Ready(Pin::new(&mut server).poll(task))).await {
        Poll::Pending => {}
        Poll::Ready(Err(error)) => return Err(error),
        Poll::Ready(Ok(())) => return Err(std::io::Error::other("it ended at once")),
    }
    Ok(Started { server, address })
}

/// Sets what accepted connections inherit.
fn prepare(listener: &TcpListener) -> std::io::Result<()> {
    let socket = SockRef::from(listener);
    // An answer is written in slices: the last one must not wait until the client has acknowledged the others.
    socket.set_tcp_nodelay(true)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_notsent_lowat(UNSENT_MAX)?;
    Ok(())
}
