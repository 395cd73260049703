//! One line of the log for each request.

use std::net::SocketAddr;
use std::time::Instant;

use actix_http::{Method, Request};
use actix_web::HttpResponse;
use actix_web::body::{BodySize, MessageBody as _};
use switchboard_gate::request_id::RequestId;

use crate::outgoing::Outgoing;

/// A line in the making. Of the path it has only the route: ids in paths belong to people, and only clients that were
/// given the address of a file know it. What follows a `?` and who asks are not logged.
pub(crate) struct RequestLine {
    id: RequestId,
    begun: Instant,
    method: Method,
    peer: Option<SocketAddr>,
}

impl RequestLine {
    pub(crate) fn begin(request: &Request, id: RequestId) -> Self {
        Self {
            id,
            begun: Instant::now(),
            method: request.method().clone(),
            peer: request.peer_addr(),
        }
    }

    /// Writes the line. There is no `route` when no address has the path, and no `bytes` when the body is a stream.
    pub(crate) fn log(&self, response: &HttpResponse<Outgoing>, route: Option<&str>) {
        let milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let bytes = match response.body().size() {
            BodySize::Sized(bytes) => Some(bytes),
            BodySize::None => Some(0),
            BodySize::Stream => None,
        };
        tracing::info!(
            request_id = %self.id,
            method = %self.method,
            route,
            status = response.status().as_u16(),
            ms = milliseconds,
            bytes,
            peer = self.peer.map(|peer| tracing::field::display(peer.ip())),
            "request"
        );
    }
}
