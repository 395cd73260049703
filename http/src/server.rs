//! The HTTP server: its settings, and the service that each worker thread has.

mod expectation;
#[cfg(test)]
mod tests;
pub mod worded;

use std::future::{Future, ready};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::{HttpMessage as _, HttpService, KeepAlive, Request, Response};
use actix_service::{IntoServiceFactory as _, Service, apply_fn_factory, fn_service, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::{App, Error, HttpRequest, HttpResponse, web};
use switchboard_connections::KEEP_ALIVE;
use switchboard_connections::intake::Intake;
use switchboard_connections::kept::KeptConnections;
use switchboard_connections::server::{Server, ServerEnd, ServerSize};
use switchboard_connections::socket::{Socket, SocketSettings};
use switchboard_gate::host_guard::AllowedHosts;
use switchboard_gate::limits::ArrivalLimits;
use switchboard_network::host::Host;
use switchboard_network::limits::connections::{ConnectionLimits, Connections};
use switchboard_network::limits::machine::Machine;
use switchboard_network::limits::pools::{PoolSettings, Pools};

use crate::address::Routes;
use crate::extract::body::is_declared;
use crate::front::Front;
use crate::outgoing::{Outgoing, SLICE};
use crate::routes;
use crate::server::expectation::met;
use crate::server::worded::worded;
use crate::state::AppState;

/// The time for which the rest of a refused request is read and dropped, so that its sender sees the answer.
const LINGER: Duration = Duration::from_secs(1);
/// The most connections of a service that takes no requests.
const SMALL_CONNECTIONS: usize = 1_024;
/// The longest time an answer of such a service waits for its client.
const SMALL_PATIENCE: Duration = Duration::from_secs(10);
/// The number of further connections accepted, so that one of the others can make room.
const SMALL_BEYOND: usize = 64;
/// The least time that connections have to end.
const DRAIN_MIN: Duration = Duration::from_secs(1);

/// The settings of the HTTP server.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// The number of worker threads; actors live on them too.
    pub workers: usize,
    /// The time for requests in progress when the server stops.
    pub drain: Duration,
    /// Hosts that requests may name, besides those that no stranger can re-point.
    pub hosts: Vec<Host>,
    /// Connections that are accepted; more wait.
    pub accepted_max: usize,
    /// The longest time an answer waits for the client to take more of it; 0: for ever.
    pub unread_answer: Duration,
    /// True when each request has a line in the log.
    pub request_lines: bool,
}

impl Default for ServerSettings {
    /// The settings of a service without a configuration, with one worker.
    fn default() -> Self {
        let pools = Pools::new(&PoolSettings::default(), Machine::read());
        Self {
            workers: 1,
            drain: Duration::from_secs(11),
            hosts: Vec::new(),
            accepted_max: pools.accepted_max(),
            unread_answer: Duration::from_secs(15),
            request_lines: false,
        }
    }
}

/// The site of a service that takes no requests.
pub(crate) struct SmallSite<T> {
    /// The addresses that it has.
    pub routes: Routes,
    /// The data that their handlers read.
    pub data: web::Data<T>,
    /// Refuses requests to all other paths.
    pub refuse: fn(&str, &T) -> HttpResponse,
}

/// A server that was started.
pub struct Started {
    pub server: Server,
    pub address: SocketAddr,
}

/// Starts to listen, and goes on with the connections that the process kept. Each worker thread becomes one of the system's.
/// Requests are answered once this has returned.
///
/// # Errors
/// When the operating system refuses.
pub async fn start(
    listener: TcpListener,
    state: AppState,
    settings: &ServerSettings,
    kept: KeptConnections,
) -> std::io::Result<Started> {
    let address = listener.local_addr()?;
    let hosts = AllowedHosts::new(address, settings.hosts.clone());
    let front = Front::new(state.clone(), hosts, settings.request_lines);
    let connections = Arc::clone(state.limits().connections());
    let head = state.limits().arrival().head;
    let make = move |end: ServerEnd| {
        state.system().join();
        let app = App::new()
            .app_data(web::Data::new(state.clone()))
            .configure(routes);
        let router = map_config(app.into_factory(), |()| AppConfig::default());
        let limits = Arc::clone(state.limits());
        let expecting = state.clone();
        HttpService::build()
            .graceful_shutdown_signal(move || end.clone().wait())
            // The socket has a limit that reads first.
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(LINGER)
            .keep_alive(KeepAlive::Timeout(KEEP_ALIVE))
            .h1_write_buffer_size(SLICE)
            .local_addr(address)
            .expect(fn_service(move |request| ready(met(request, &expecting))))
            .on_connect_ext(move |socket: &Socket, data| {
                data.insert(socket.intake().clone());
                data.insert(limits.connection(socket.seat().clone(), peer(socket.stream())));
            })
            .h1(front.clone().before(router))
    };
    let sockets = SocketSettings {
        head,
        patience: settings.unread_answer,
        kept,
        connections,
        word: worded,
    };
    let size = ServerSize {
        workers: settings.workers,
        accepted_max: settings.accepted_max,
        drain: settings.drain.max(DRAIN_MIN),
    };
    let server = Server::start(listener, size, &sockets, make).await?;
    Ok(Started { server, address })
}

/// Starts to listen for a service that takes no requests: it is a standby, or it starts. Goes on with the connections that the
/// process kept.
///
/// # Errors
/// When the operating system refuses.
pub(crate) async fn start_small<T: Send + Sync + 'static>(
    listener: TcpListener,
    site: SmallSite<T>,
    kept: KeptConnections,
) -> std::io::Result<Server> {
    let SmallSite {
        routes,
        data,
        refuse,
    } = site;
    let fallback =
        move |request: HttpRequest, data: web::Data<T>| ready(refuse(request.path(), &data));
    let make = move |end: ServerEnd| {
        let app = App::new()
            .app_data(data.clone())
            .configure(routes)
            .default_service(web::to(fallback));
        let router = map_config(app.into_factory(), |()| AppConfig::default());
        HttpService::build()
            .graceful_shutdown_signal(move || end.clone().wait())
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(LINGER)
            .keep_alive(KeepAlive::Timeout(KEEP_ALIVE))
            .on_connect_ext(|socket: &Socket, data| {
                data.insert(socket.intake().clone());
            })
            .h1(apply_fn_factory(router, counted))
    };
    let sockets = SocketSettings {
        head: ArrivalLimits::default().head,
        patience: SMALL_PATIENCE,
        kept,
        connections: Arc::new(Connections::new(ConnectionLimits {
            size: SMALL_CONNECTIONS,
            share: SMALL_CONNECTIONS / 4,
            proxies: Vec::new(),
        })),
        word: worded,
    };
    let size = ServerSize {
        workers: 1,
        accepted_max: SMALL_CONNECTIONS.saturating_add(SMALL_BEYOND),
        drain: DRAIN_MIN,
    };
    Server::start(listener, size, &sockets, make).await
}

/// Has a request of a service that takes none answered; its connection knows that it is in progress meanwhile.
fn counted<R, B>(
    request: Request,
    router: &R,
) -> impl Future<Output = Result<Response<Outgoing>, Error>> + use<R, B>
where
    R: Service<Request, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    let answering = request
        .conn_data::<Intake>()
        .map(|intake| intake.answering(is_declared(request.headers())));
    let routed = router.call(request);
    async move {
        let (_, response) = routed.await?.into_parts();
        let response = response.map_body(|_, body| Outgoing::new(body, answering));
        Ok(response.into())
    }
}

/// The address of the peer; of a connection that has ended already, no particular one.
fn peer(stream: &actix_web::rt::net::TcpStream) -> IpAddr {
    let peer = stream.peer_addr();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip())
}
