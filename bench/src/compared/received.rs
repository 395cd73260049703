//! What each server here does first with a posted message, by the same functions as the service.

use actix_web::HttpRequest;
use actix_web::http::{StatusCode, header};
use switchboard_actors::domain::chat::message::PostedMessage;
use switchboard_actors::domain::signature::request::Presented;
use switchboard_actors::domain::signature::{HEADER, Signer};
use switchboard_actors::wire::chat_body::Rules;
use switchboard_actors::wire::chat_body::send::{self, Posted};
use switchboard_engine::runtime::clock::{Clock, SystemClock};

/// The message of a request whose signature proves one of the two generations, read strictly by the rules of that one; or
/// the status that answers any other request.
pub(super) fn message(
    request: &HttpRequest,
    body: &[u8],
    signer: &Signer,
) -> Result<Box<PostedMessage>, StatusCode> {
    let presented = presented(request, body);
    let now = SystemClock.now();
    let signature = only(request, HEADER).map(<[u8]>::trim_ascii);
    let generation = signature.and_then(|it| presented.proven(signer, it, None, now));
    let generation = generation.ok_or(StatusCode::FORBIDDEN)?;
    match send::parse_event(body, Rules::of(generation), now) {
        Ok(Posted::Message(message)) => Ok(message),
        Ok(Posted::Edit(_)) => Err(StatusCode::NOT_IMPLEMENTED),
        Err(_wrong) => Err(StatusCode::BAD_REQUEST),
    }
}

fn presented<'a>(request: &'a HttpRequest, body: &'a [u8]) -> Presented<'a> {
    let host = request.headers().get(header::HOST);
    Presented {
        method: request.method().as_str(),
        path: request.uri().path(),
        query: request.uri().query(),
        host: host.and_then(|host| host.to_str().ok()),
        content_md5: only(request, "Content-MD5"),
        content_type: only(request, "Content-Type"),
        date: only(request, "Date"),
        body,
    }
}

/// A header that was sent once.
fn only<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a [u8]> {
    let mut values = request.headers().get_all(name);
    let first = values.next()?;
    values.next().is_none().then_some(first.as_bytes())
}
