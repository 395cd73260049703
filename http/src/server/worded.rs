//! Errors before there is a request, in the form of the interface that was asked.

use actix_web::HttpResponse;
use switchboard_connections::bare_error::BareError;

use crate::chat;
use crate::precheck::HEAD_MAX;
use crate::reply::chat_error::ChatError;
use crate::reply::problem::Problem;
use crate::reply::refusal;

/// The answer to a request for this target that cannot be read.
pub fn worded(target: &[u8], error: BareError) -> HttpResponse {
    const MALFORMED: &str =
        "this is not well-formed HTTP/1.1; nothing was done, and the connection is closed";
    let is_chat = target.starts_with(chat::PREFIX.as_bytes());
    match error {
        BareError::Malformed => refusal(
            is_chat,
            ChatError::NotJson(MALFORMED.to_owned()),
            Problem::BadRequest(MALFORMED.to_owned()),
        ),
        BareError::HeadTooLong => refusal(
            is_chat,
            ChatError::HeadTooLong(HEAD_MAX),
            Problem::HeadTooLong(HEAD_MAX),
        ),
        BareError::TooSlow(limit) => {
            let seconds = limit.as_secs();
            let why = format!("the head of the request did not arrive within {seconds} s");
            refusal(
                is_chat,
                ChatError::TooSlow(why.clone()),
                Problem::TooSlow(why),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_form_of_the_interface_that_was_asked() {
        for (target, media_type) in [
            ("/v2/origin/custom/x", "application/json"),
            ("/api/v4/account", "application/problem+json"),
        ] {
            for error in [BareError::Malformed, BareError::HeadTooLong] {
                let answer = worded(target.as_bytes(), error);
                let header = answer.headers().get(actix_web::http::header::CONTENT_TYPE);
                assert_eq!(header.unwrap(), media_type, "{target} {error:?}");
            }
        }
    }
}
