//! The proxy: takes CONNECT for the counterpart's hosts, speaks TLS as them, and passes requests on.
//!
//! Some clients send a request for an `https` address to their proxy as it is, in the clear; it takes those as well.

use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use switchboard_loopback::{self as loopback, Answers, Place};
use tokio::net::TcpStream;

use crate::dev::body::Body;
use crate::dev::destinations::Way;
use crate::dev::forward::{Upstream, empty, problem};
use crate::dev::stand_in::StandIn;
use crate::dev::vendor_host::{self, VendorHost};

/// The port of HTTPS.
const HTTPS: u16 = 443;

/// A client asked for a tunnel to this host.
type Tunnel = Arc<Mutex<Option<(VendorHost, OnUpgrade)>>>;

/// Serves a client: first as a proxy, then, if it asks for a tunnel, as the host at its end.
pub(super) async fn connection(stand_in: Arc<StandIn>, socket: TcpStream, place: Arc<Place>) {
    let entrance = Entrance {
        stand_in: &stand_in,
        tunnel: Tunnel::default(),
        upstream: Upstream::default(),
    };
    loopback::serve(socket, &place, stand_in.stopped(), &entrance).await;
    let Entrance {
        tunnel, upstream, ..
    } = entrance;
    let pending_tunnel = tunnel.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((host, upgrade)) = pending_tunnel
        && let Ok(upgraded) = upgrade.await
    {
        let stream = TokioIo::new(upgraded);
        stand_in.inside(host, stream, upstream, &place).await;
    }
}

/// The handler of requests to the proxy itself.
struct Entrance<'p> {
    stand_in: &'p StandIn,
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
            let way = Way {
                host: &host,
                upstream: &self.upstream,
                place,
            };
            return self.stand_in.destinations.answer(request, &way).await;
        }
        if authority.port_u16() != Some(HTTPS) {
            let why = format!("this proxy leads to port {HTTPS} only");
            return Some(problem(StatusCode::FORBIDDEN, &why));
        }
        let pending_tunnel = (host, hyper::upgrade::on(request));
        *self.tunnel.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending_tunnel);
        Some(empty())
    }
}
