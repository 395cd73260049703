//! The first steps of each server here with a posted message, by the same functions as the service.

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
    let generation = signature
        .and_then(|it| presented.proven(signer, it, None, now))
        .ok_or(StatusCode::FORBIDDEN)?;
    match send::parse_event(body, Rules::for_generation(generation), now) {
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use actix_web::http::header::HttpDate;
    use actix_web::test::TestRequest;
    use switchboard_actors::domain::generation::Generation;
    use switchboard_actors::domain::signature::request::{Canonical, content_md5};

    use super::*;
    use crate::requests::{body, scope_path, signer};

    fn status(request: TestRequest, body: &str) -> Result<Generation, StatusCode> {
        let request = request.uri(&scope_path("channel", "account"));
        let message = message(
            &request.to_http_request(),
            body.as_bytes(),
            &signer().unwrap(),
        );
        message.map(|message| message.generation)
    }

    #[test]
    fn the_signature_decides_by_which_rules_a_message_is_read() {
        let (signer, body) = (signer().unwrap(), body(1, 1));
        let request = |text: &str| {
            let signature = signer.sign(text.as_bytes()).to_string();
            TestRequest::post().insert_header((HEADER, signature))
        };
        assert_eq!(status(request(&body), &body), Ok(Generation::V2019));
        let since = Duration::from_millis(SystemClock.now().get());
        let date = HttpDate::from(UNIX_EPOCH + since).to_string();
        let (md5, path) = (
            content_md5(body.as_bytes()),
            scope_path("channel", "account"),
        );
        let canonical = Canonical {
            method: b"POST",
            content_md5: md5.as_bytes(),
            content_type: b"application/json",
            date: date.as_bytes(),
            path: path.as_bytes(),
        };
        let current = TestRequest::post()
            .insert_header((HEADER, canonical.sign(&signer).to_string()))
            .insert_header(("Content-MD5", md5.clone()))
            .insert_header(("Content-Type", "application/json"))
            .insert_header(("Date", date.clone()));
        assert_eq!(status(current, &body), Ok(Generation::Current));
        assert_eq!(
            status(request("another"), &body),
            Err(StatusCode::FORBIDDEN)
        );
        assert_eq!(
            status(TestRequest::post(), &body),
            Err(StatusCode::FORBIDDEN)
        );
        let wrong = body.replace(r#""silent":false"#, r#""silent":"no""#);
        assert_eq!(
            status(request(&wrong), &wrong),
            Err(StatusCode::BAD_REQUEST)
        );
    }
}
