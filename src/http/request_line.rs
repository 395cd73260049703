//! One line of the log for each request.

use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

/// Only clients that were given an address below it know that address: the log has its pattern in its place.
const UNGUESSABLE: &str = "/media/";

/// The middleware. What follows a `?` and who asks are not logged.
pub(crate) async fn request_line(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let begun = Instant::now();
    let method = request.method().clone();
    let peer = request.peer_addr();
    let response = next.call(request).await?;
    let asked = response.request();
    let path = asked.path();
    let pattern = asked.match_pattern();
    let shown = match &pattern {
        Some(pattern) if path.starts_with(UNGUESSABLE) => pattern.as_str(),
        Some(_) | None => path,
    };
    let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        %method,
        path = shown,
        status = response.status().as_u16(),
        ms = milliseconds,
        peer = peer.map(|peer| tracing::field::display(peer.ip())),
        "request"
    );
    Ok(response)
}
