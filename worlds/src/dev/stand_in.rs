//! The stand-in for the hosts of the counterpart, whatever socket a client comes by: TLS as that host, and requests
//! that go to the worlds and the service.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::{Request, Response};
use switchboard_loopback::{self as loopback, Answers, Place};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::dev::authority::Authority;
use crate::dev::body::Body;
use crate::dev::destinations::{Destinations, Way};
use crate::dev::forward::Upstream;
use crate::dev::vendor_host::VendorHost;

/// Connections of a socket at once; those without a request that is being answered make room for others.
const CONNECTIONS_MAX: usize = 256;
/// The longest time of a handshake.
pub(super) const HANDSHAKE_DEADLINE: Duration = Duration::from_secs(15);

/// The part that the sockets share.
pub(super) struct StandIn {
    pub(super) authority: Arc<Authority>,
    pub(super) destinations: Destinations,
    /// True once they stop.
    stopping: watch::Sender<bool>,
}

/// A socket while it accepts connections.
pub(super) struct Running {
    stand_in: Arc<StandIn>,
    accepting: JoinHandle<JoinSet<()>>,
}

impl Running {
    /// Accepts connections from now on, each handled by `connection`.
    pub(super) fn start<C>(
        stand_in: &Arc<StandIn>,
        listener: TcpListener,
        connection: impl Fn(Arc<StandIn>, TcpStream, Arc<Place>) -> C + 'static,
    ) -> Self
    where
        C: Future<Output = ()> + 'static,
    {
        let serving = Arc::clone(stand_in);
        let accepting = async move {
            let stopped = serving.stopped();
            let connection = |socket, place| connection(Arc::clone(&serving), socket, place);
            loopback::accept(listener, CONNECTIONS_MAX, stopped, connection).await
        };
        Self {
            stand_in: Arc::clone(stand_in),
            accepting: tokio::task::spawn_local(accepting),
        }
    }

    /// Accepts nothing more, and gives requests in progress this long.
    pub(super) async fn stop(self, patience: Duration) {
        self.stand_in.stopping.send_replace(true);
        let Ok(mut connections) = self.accepting.await else {
            return;
        };
        let drain = async { while connections.join_next().await.is_some() {} };
        if timeout(patience, drain).await.is_err() {
            connections.shutdown().await;
        }
    }
}

impl StandIn {
    pub(super) fn new(authority: Arc<Authority>, destinations: Destinations) -> Arc<Self> {
        Arc::new(Self {
            authority,
            destinations,
            stopping: watch::Sender::new(false),
        })
    }

    pub(super) async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // This keeps the sender alive, so the wait does not fail.
        let stopped = stopping.wait_for(|stopping| *stopping).await;
        stopped.map(drop).unwrap_or_default();
    }

    /// Speaks TLS as this host with a client that has begun nothing yet, and serves it.
    pub(super) async fn inside<S>(
        &self,
        host: VendorHost,
        stream: S,
        upstream: Upstream,
        place: &Arc<Place>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Some(config) = self.config(&host) else {
            return;
        };
        let handshake = TlsAcceptor::from(config).accept(stream);
        match timeout(HANDSHAKE_DEADLINE, handshake).await {
            Ok(Ok(stream)) => self.serve(host, stream, upstream, place).await,
            Ok(Err(error)) => failed(&host, &error),
            Err(_elapsed) => late(&host.name),
        }
    }

    /// The settings of TLS as this host; none if no certificate can be made.
    pub(super) fn config(&self, host: &VendorHost) -> Option<Arc<rustls::ServerConfig>> {
        let config = self.authority.host(&host.name);
        let failed = |error| {
            tracing::error!(host = host.name, "no certificate can be made: {error:#}");
        };
        config.map_err(failed).ok()
    }

    /// Serves a client as the host that it believes to have reached.
    pub(super) async fn serve<S>(
        &self,
        host: VendorHost,
        stream: S,
        upstream: Upstream,
        place: &Arc<Place>,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let hosted = Hosted {
            destinations: &self.destinations,
            host,
            upstream,
        };
        loopback::serve(stream, place, self.stopped(), &hosted).await;
    }
}

/// A client has not gone on with TLS.
pub(super) fn failed(host: &VendorHost, error: &std::io::Error) {
    tracing::warn!(
        host = host.name,
        %error,
        "TLS failed; does the client trust the certificates of this process? see the variables that it printed"
    );
}

/// A client was too slow; the host may be unknown.
pub(super) fn late(host: &str) {
    tracing::warn!(host, "a TLS handshake took too long");
}

/// The handler of requests of a client that believes to have reached this host.
struct Hosted<'s> {
    destinations: &'s Destinations,
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
        let way = Way {
            host: &self.host,
            upstream: &self.upstream,
            place,
        };
        self.destinations.answer(request, &way).await
    }
}
