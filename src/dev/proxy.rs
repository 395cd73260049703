//! The proxy: takes CONNECT for the counterpart's hosts, speaks TLS as them, and passes requests on.
//!
//! Some clients send a request for an `https` address to their proxy as it is, in the clear; it takes those as well.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::dev::authority::Authority;
use crate::dev::forward::{Body, Service, Upstream, empty, problem};
use crate::dev::vendor_host::{self, VendorHost};
use crate::loopback::body::PassedOn;
use crate::loopback::{self, Answers, Place};

/// Connections at once; those without a request that is being answered make room for others.
const CONNECTIONS_MAX: usize = 256;
/// How long a handshake may take.
const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(15);
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
        let stopped = self.stopped();
        let connection = |socket, place| Arc::clone(&self).connection(socket, place);
        loopback::accept(listener, CONNECTIONS_MAX, stopped, connection).await
    }

    async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // This proxy keeps the sender alive, so the wait does not fail.
        let stopped = stopping.wait_for(|stopping| *stopping).await;
        stopped.map(drop).unwrap_or_default();
    }

    /// Serves a client: first as a proxy, then, if it asks for a tunnel, as the host at its end.
    async fn connection(self: Arc<Self>, socket: TcpStream, place: Arc<Place>) {
        let entrance = Entrance {
            proxy: &self,
            tunnel: Tunnel::default(),
            upstream: Upstream::default(),
        };
        loopback::serve(socket, &place, self.stopped(), &entrance).await;
        let Entrance {
            tunnel, upstream, ..
        } = entrance;
        let asked = tunnel.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((host, upgrade)) = asked
            && let Ok(upgraded) = upgrade.await
        {
            self.inside(host, upgraded, upstream, &place).await;
        }
    }

    /// Serves a client as the host that it believes to have reached.
    async fn inside(
        &self,
        host: VendorHost,
        upgraded: Upgraded,
        upstream: Upstream,
        place: &Arc<Place>,
    ) {
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
                let hosted = Hosted {
                    service: &self.service,
                    host,
                    upstream,
                };
                loopback::serve(stream, place, self.stopped(), &hosted).await;
            }
            Ok(Err(error)) => tracing::warn!(
                host = host.name,
                %error,
                "TLS failed in the development proxy; does the client trust its certificate? see the variables that it printed"
            ),
            Err(_elapsed) => tracing::warn!(host = host.name, "a TLS handshake took too long"),
        }
    }
}

/// What answers requests to the proxy itself.
struct Entrance<'p> {
    proxy: &'p Proxy,
    tunnel: Tunnel,
    upstream: Upstream,
}

impl Answers for Entrance<'_> {
    type Content = Body;

    async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Option<Response<Body>> {
        let Some(authority) = request.uri().authority().cloned() else {
            let how = "this is a proxy: set the variables that it printed, and ask a host of the counterpart";
            return Some(problem(StatusCode::BAD_REQUEST, how));
        };
        let Some(host) = VendorHost::parse(authority.host()) else {
            let (asked, known) = (authority.host(), vendor_host::shown());
            tracing::warn!(host = asked, "the development proxy refused a host");
            let why = format!(
                "this proxy leads to {known} only, not to «{asked}»; name «{asked}» in NO_PROXY"
            );
            return Some(problem(StatusCode::FORBIDDEN, &why));
        };
        if request.method() != Method::CONNECT {
            let request = request.map(|body| PassedOn::new(body, place));
            let service = &self.proxy.service;
            return Some(service.answer(request, &host, &self.upstream).await);
        }
        if authority.port_u16() != Some(HTTPS) {
            let why = format!("this proxy leads to port {HTTPS} only");
            return Some(problem(StatusCode::FORBIDDEN, &why));
        }
        let asked = (host, hyper::upgrade::on(request));
        *self.tunnel.lock().unwrap_or_else(PoisonError::into_inner) = Some(asked);
        Some(empty())
    }
}

/// What answers requests at the end of a tunnel.
struct Hosted<'p> {
    service: &'p Service,
    host: VendorHost,
    upstream: Upstream,
}

impl Answers for Hosted<'_> {
    type Content = Body;

    async fn answer(
        &self,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Option<Response<Body>> {
        let request = request.map(|body| PassedOn::new(body, place));
        let answer = self.service.answer(request, &self.host, &self.upstream);
        Some(answer.await)
    }
}
