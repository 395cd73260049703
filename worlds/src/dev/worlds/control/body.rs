//! The content of an order: words of its path, its query and its body.

use bytes::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Request, StatusCode};
use percent_encoding::percent_decode_str;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};
use switchboard_actors::wire::json::{self, BodyError};
use url::Url;

use crate::dev::worlds::error::DevError;

/// A body without fields.
pub(super) fn nothing(request: &Request<Bytes>) -> Result<(), DevError> {
    object_of(request, &[], |_| Some(()))
}

pub(super) fn check_webhook(url: Option<&str>) -> Result<(), DevError> {
    let Some(url) = url else { return Ok(()) };
    let is_http = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    is_http
        .then_some(())
        .ok_or_else(|| DevError::wrong(format!("webhook is an http or https address, not «{url}»")))
}

/// A word of a path.
pub(super) fn decoded(word: &str) -> Result<String, DevError> {
    let decoded = percent_decode_str(word)
        .decode_utf8()
        .map(std::borrow::Cow::into_owned);
    decoded.map_err(|why| DevError::wrong(format!("«{word}» is no part of a path: {why}")))
}

/// The bytes of a body, which are JSON by its header; those of an empty one are an empty object.
pub(super) fn json_bytes(request: &Request<Bytes>) -> Result<&[u8], DevError> {
    let body = request.body();
    if body.is_empty() {
        return Ok(b"{}");
    }
    let kind = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    if !kind.starts_with("application/json") {
        let why = "the body is JSON, and the header Content-Type has to be application/json";
        return Err(DevError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    Ok(body)
}

/// The body, which is one JSON object with these keys; `take` asks for its fields.
pub(super) fn object_of<T>(
    request: &Request<Bytes>,
    keys: &[&str],
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<T, DevError> {
    read_of(request, |body| {
        body.refuse_unknown(keys);
        take(body)
    })
}

/// The body, which is one JSON object; `take` asks for its fields and knows its keys.
pub(super) fn read_of<T>(
    request: &Request<Bytes>,
    take: impl FnOnce(&ObjectReader<'_, '_>) -> Option<T>,
) -> Result<T, DevError> {
    json::read(json_bytes(request)?, Nulls::Refused, take).map_err(refusal_of)
}

/// A body that cannot be read, with all that is wrong with it.
pub(super) fn refusal_of(error: BodyError) -> DevError {
    match error {
        BodyError::NotJson(why) => DevError::wrong(format!("the body: {why}")),
        BodyError::Invalid(violations) => {
            let wrong: Vec<_> = violations.kept().iter().map(ToString::to_string).collect();
            DevError::wrong(wrong.join("; "))
        }
    }
}
