//! From where a request comes, by the proxies that the service trusts.

use std::net::{IpAddr, Ipv4Addr};

use actix_http::RequestHead;
use switchboard_gate::origin::{is_trusted, origin};

use crate::state::AppState;

/// From where a request comes.
pub fn client_address(request: &RequestHead, state: &AppState) -> IpAddr {
    let peer = request
        .peer_addr
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    origin(peer, &request.headers, state.trusted_proxies())
}

/// Returns whether a trusted proxy sends the request.
pub(crate) fn is_of_trusted_proxy(request: &RequestHead, state: &AppState) -> bool {
    let peer = request.peer_addr.map(|peer| peer.ip().to_canonical());
    peer.is_some_and(|peer| is_trusted(peer, state.trusted_proxies()))
}
