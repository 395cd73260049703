//! One line of the log for each request.

use std::net::SocketAddr;
use std::time::Instant;

use actix_http::{Method, Request, StatusCode, Uri};

use crate::media::PREFIX;

/// Only clients that were given an address below it know that address: the log has its pattern in its place.
const UNGUESSABLE: &str = PREFIX;

/// A line in the making. What follows a `?` and who asks are not logged.
pub(crate) struct RequestLine {
    begun: Instant,
    method: Method,
    uri: Uri,
    peer: Option<SocketAddr>,
}

impl RequestLine {
    pub(crate) fn begin(request: &Request) -> Self {
        Self {
            begun: Instant::now(),
            method: request.method().clone(),
            uri: request.uri().clone(),
            peer: request.peer_addr(),
        }
    }

    /// Writes the line. `pattern` is that of the route.
    pub(crate) fn log(&self, status: StatusCode, pattern: Option<&str>) {
        let path = self.uri.path();
        let shown = pattern.filter(|_| path.starts_with(UNGUESSABLE));
        let milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(
            method = %self.method,
            path = shown.unwrap_or(path),
            status = status.as_u16(),
            ms = milliseconds,
            peer = self.peer.map(|peer| tracing::field::display(peer.ip())),
            "request"
        );
    }
}
