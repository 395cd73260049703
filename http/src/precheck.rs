//! Refuses requests before routing, in the form of the interface that was addressed.

use std::time::Duration;

use actix_http::{HttpMessage as _, Request};
use actix_web::http::{Method, header};
use actix_web::{HttpResponse, ResponseError};
use switchboard_actors::error::UnavailableError;
use switchboard_gate::limits::RateLimitError;
use switchboard_gate::limits::connection::Connection;

use crate::chat;
use crate::reply::chat_error::ChatError;
use crate::reply::problem::Problem;
use crate::reply::refusal;
use switchboard_gate::host_guard::AllowedHosts;

/// The longest path that is accepted, in bytes. The longest path with a meaning has under 300.
const PATH_MAX: usize = 2_048;

/// The longest head of a request, in bytes; the longest that means anything has a few kilobytes of cookies.
pub(crate) const HEAD_MAX: usize = 16 << 10;
/// The refusal of a connection that is one too many from its address. Its client may retry at once.
const BUSY: RateLimitError = RateLimitError(Duration::ZERO);
/// The addresses that are answered however busy the service is.
pub(crate) const ALWAYS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// The refusal that needs no handler, and whether its connection ends with that.
pub(crate) fn refused(
    request: &Request,
    is_full: bool,
    hosts: &AllowedHosts,
) -> Option<(HttpResponse, bool)> {
    let path = request.uri().path();
    let of_the_chat = chat::is_chat(path);
    let refuse = |chat: ChatError, account: Problem| refusal(of_the_chat, chat, account);
    if path.len() > PATH_MAX {
        let response = refuse(
            ChatError::PathTooLong(PATH_MAX),
            Problem::PathTooLong(PATH_MAX),
        );
        return Some((response, false));
    }
    if head_bytes(request) > HEAD_MAX {
        let response = refuse(
            ChatError::HeadTooLong(HEAD_MAX),
            Problem::HeadTooLong(HEAD_MAX),
        );
        return Some((response, true));
    }
    if request
        .conn_data::<Connection>()
        .is_some_and(Connection::is_too_many)
    {
        return Some((refuse(BUSY.into(), BUSY.into()), true));
    }
    if is_full && !ALWAYS.contains(&path) {
        let busy = || UnavailableError::Busy;
        return Some((refuse(busy().into(), busy().into()), false));
    }
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if hosts.allow(host) || is_check_without_host(request) {
        let is_tunnel = request.method() == Method::CONNECT && !of_the_chat;
        return is_tunnel.then(|| (no_tunnel().error_response(), true));
    }
    let why = format!(
        "this service does not serve the host «{host}»; if it should, add the host to server.hosts"
    );
    let response = refuse(
        ChatError::Misdirected(why.clone()),
        Problem::Misdirected(why),
    );
    Some((response, false))
}

/// Returns whether this is the check of a load balancer or a monitor that names no host, as HTTP/1.0
/// allows. Browsers always name one, so no page can make such a request.
fn is_check_without_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST);
    ALWAYS.contains(&request.uri().path())
        && matches!(*request.method(), Method::GET | Method::HEAD)
        && hosts.all(|host| host.as_bytes().is_empty())
}

/// No address of this service can be tunnelled to, and none that CONNECT names is one of a route.
fn no_tunnel() -> Problem {
    Problem::MethodNotAllowed {
        allow: "GET, HEAD, POST, PATCH, DELETE".to_owned(),
    }
}

/// The length of the request line's target and of all headers, about as they were sent.
fn head_bytes(request: &Request) -> usize {
    let uri = request.uri();
    let query = uri.query().map_or(0, str::len);
    let headers = request.headers().iter();
    let lengths = headers.map(|(name, value)| name.as_str().len().saturating_add(value.len()));
    lengths.fold(
        uri.path().len().saturating_add(query),
        usize::saturating_add,
    )
}
