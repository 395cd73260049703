//! The proxy: takes CONNECT for the counterpart's hosts, speaks TLS as them, and passes requests on.
//!
//! Some clients send a request for an `https` address to their proxy as it is, in the clear; it takes those as well.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::dev::authority::Authority;
use crate::dev::forward::{Body, Service, Upstream, empty, problem};
use crate::dev::vendor_host::{self, VendorHost};

/// Connections at once; more wait to be accepted.
const CONNECTIONS_MAX: usize = 256;
/// How long the head of a request may take, from the end of the request before; the service waits longer.
const HEAD_DEADLINE: Duration = Duration::from_secs(60);
/// How long a handshake may take.
const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(15);
/// How long the system may lack what a connection needs before the next is tried.
const SHORTAGE: Duration = Duration::from_millis(200);
/// The port of HTTPS.
const HTTPS: u16 = 443;

/// What the connections share.
pub(super) struct Proxy {
    authority: Arc<Authority>,
    service: Arc<Service>,
    /// Whether the proxy stops.
    stopping: watch::Sender<bool>,
}

/// The proxy while it accepts connections.
pub(super) struct Running {
    proxy: Arc<Proxy>,
    accepting: JoinHandle<JoinSet<()>>,
}

/// A client asked for a tunnel to this host.
type Tunnel = Arc<Mutex<Option<(VendorHost, OnUpgrade)>>>;

impl Running {
    /// Accepts nothing more, and gives requests in progress this long.
    pub(super) async fn stop(self, patience: Duration) {
        self.proxy.stopping.send_replace(true);
        let Ok(mut connections) = self.accepting.await else {
            return;
        };
        let ended = async { while connections.join_next().await.is_some() {} };
        if timeout(patience, ended).await.is_err() {
            connections.shutdown().await;
        }
    }
}

impl Proxy {
    pub(super) fn new(authority: Arc<Authority>, service: Arc<Service>) -> Self {
        Self {
            authority,
            service,
            stopping: watch::Sender::new(false),
        }
    }

    /// Accepts connections from now on.
    pub(super) fn start(self, listener: TcpListener) -> Running {
        let proxy = Arc::new(self);
        Running {
            accepting: tokio::task::spawn_local(Arc::clone(&proxy).accept(listener)),
            proxy,
        }
    }

    /// Accepts connections until the proxy stops, and gives those that are still open.
    async fn accept(self: Arc<Self>, listener: TcpListener) -> JoinSet<()> {
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut connections = JoinSet::new();
        loop {
            let next = async {
                let place = Arc::clone(&places).acquire_owned().await;
                (place, listener.accept().await)
            };
            let accepted = tokio::select! {
                () = self.stopped() => return connections,
                _ = connections.join_next(), if !connections.is_empty() => continue,
                accepted = next => accepted,
            };
            match accepted {
                (Ok(place), Ok((socket, _))) => {
                    connections.spawn_local(Arc::clone(&self).connection(socket, place));
                }
                (_, Err(error)) => {
                    tracing::warn!(%error, "the proxy cannot accept a connection");
                    tokio::time::sleep(SHORTAGE).await;
                }
                (Err(_never_closed), Ok(_)) => return connections,
            }
        }
    }

    async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // This proxy keeps the sender alive, so the wait does not fail.
        let stopped = stopping.wait_for(|stopping| *stopping).await;
        stopped.map(drop).unwrap_or_default();
    }

    /// Serves a client: first as a proxy, then, if it asks for a tunnel, as the host at its end.
    async fn connection(self: Arc<Self>, socket: TcpStream, place: OwnedSemaphorePermit) {
        let (tunnel, upstream) = (Tunnel::default(), Arc::new(Upstream::default()));
        self.serve(TokioIo::new(socket), async |request| {
            self.asked(request, &tunnel, &upstream).await
        })
        .await;
        let asked = tunnel.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((host, upgrade)) = asked
            && let Ok(upgraded) = upgrade.await
        {
            self.inside(&host, upgraded, &upstream).await;
        }
        drop(place);
    }

    /// Serves a client as the host that it believes to have reached.
    async fn inside(&self, host: &VendorHost, upgraded: Upgraded, upstream: &Upstream) {
        let config = match self.authority.host(&host.name) {
            Ok(config) => config,
            Err(error) => {
                tracing::error!(host = host.name, "no certificate can be made: {error:#}");
                return;
            }
        };
        let handshake = TlsAcceptor::from(config).accept(TokioIo::new(upgraded));
        match timeout(HANDSHAKE_DEADLINE, handshake).await {
            Ok(Ok(stream)) => {
                self.serve(TokioIo::new(stream), async |request| {
                    self.service.answer(request, host, upstream).await
                })
                .await;
            }
            Ok(Err(error)) => tracing::warn!(
                host = host.name,
                %error,
                "TLS failed in the development proxy; does the client trust its certificate? see the variables that it printed"
            ),
            Err(_elapsed) => tracing::warn!(host = host.name, "a TLS handshake took too long"),
        }
    }

    /// Answers the requests of a connection until it ends, or until the proxy stops.
    async fn serve<I, F>(&self, io: I, answer: F)
    where
        I: Read + Write + Unpin + Send + 'static,
        F: AsyncFn(Request<Incoming>) -> Response<Body>,
    {
        let answer = &answer;
        let service = service_fn(|request| async move {
            Ok::<_, std::convert::Infallible>(answer(request).await)
        });
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_DEADLINE);
        let mut connection = pin!(builder.serve_connection(io, service).with_upgrades());
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = self.stopped() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection of the proxy ended");
        }
    }

    /// A request to the proxy itself.
    async fn asked(
        &self,
        request: Request<Incoming>,
        tunnel: &Tunnel,
        upstream: &Upstream,
    ) -> Response<Body> {
        let Some(authority) = request.uri().authority().cloned() else {
            let how = "this is a proxy: set the variables that it printed, and ask a host of the counterpart";
            return problem(StatusCode::BAD_REQUEST, how);
        };
        let Some(host) = VendorHost::parse(authority.host()) else {
            let (asked, known) = (authority.host(), vendor_host::shown());
            tracing::warn!(host = asked, "the development proxy refused a host");
            let why = format!(
                "this proxy leads to {known} only, not to «{asked}»; name «{asked}» in NO_PROXY"
            );
            return problem(StatusCode::FORBIDDEN, &why);
        };
        if request.method() != Method::CONNECT {
            return self.service.answer(request, &host, upstream).await;
        }
        if authority.port_u16() != Some(HTTPS) {
            let why = format!("this proxy leads to port {HTTPS} only");
            return problem(StatusCode::FORBIDDEN, &why);
        }
        let asked = (host, hyper::upgrade::on(request));
        *tunnel.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
        empty()
    }
}
