//! The HTTP server: limits, workers, and the way it stops.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App, HttpServer, web};

use crate::http::benchmark;
use crate::http::gate::gate;
use crate::http::host_guard::Hosts;
use crate::http::limits::{LimitSettings, Limits};
use crate::http::routes;
use crate::http::state::AppState;

/// How long the head of a request may take to arrive.
const HEAD_DEADLINE: Duration = Duration::from_secs(5);
/// How long an idle connection is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// What the server may be told.
#[derive(Clone, Debug)]
pub(crate) struct ServerSettings {
    /// How many worker threads there are; actors live on them too.
    pub(crate) workers: usize,
    /// How long requests under way may take when the server stops.
    pub(crate) drain: Duration,
    /// The address that clients use.
    pub(crate) public_url: url::Url,
    /// Connections at once; more wait to be accepted.
    pub(crate) connections_max: usize,
    /// How much clients may ask for.
    pub(crate) limits: LimitSettings,
    /// Whether the handlers are there that the benchmark compares with.
    pub(crate) benchmark: bool,
}

/// A server that was started: its future ends when it has stopped.
pub(crate) struct Started {
    pub(crate) server: actix_web::dev::Server,
    pub(crate) address: SocketAddr,
}

/// Starts to listen. Each worker thread becomes one of the system's.
///
/// # Errors
/// When the operating system refuses.
pub(crate) fn start(
    listener: TcpListener,
    state: AppState,
    settings: &ServerSettings,
) -> std::io::Result<Started> {
    let address = listener.local_addr()?;
    let hosts = web::Data::new(Hosts::new(address, &settings.public_url));
    let limits = web::Data::new(Limits::new(settings.limits));
    let counted = limits.clone();
    let compared = settings.benchmark;
    let server = HttpServer::new(move || {
        state.system().join();
        App::new()
            .app_data(web::Data::new(state.clone()))
            .app_data(hosts.clone())
            .app_data(limits.clone())
            .wrap(from_fn(gate))
            .configure(|config| {
                if compared {
                    benchmark::routes(config);
                }
            })
            .configure(routes)
    })
    .workers(settings.workers)
    .max_connections(settings.connections_max.div_ceil(settings.workers.max(1)))
    .on_connect(move |socket, data| {
        let socket = socket.downcast_ref::<TcpStream>();
        if let Some(Ok(peer)) = socket.map(TcpStream::peer_addr) {
            data.insert(counted.clone().into_inner().connection(peer.ip()));
        }
    })
    .client_request_timeout(HEAD_DEADLINE)
    .keep_alive(KEEP_ALIVE)
    .shutdown_timeout(settings.drain.as_secs().max(1))
    .disable_signals()
    .listen(listener)?
    .run();
    Ok(Started { server, address })
}
