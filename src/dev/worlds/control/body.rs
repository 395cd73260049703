//! What an order carries: words of its path, its query and its body.

use bytes::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::{Request, StatusCode};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::dev::worlds::refusal::Refusal;

/// A body without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) fn check_webhook(url: Option<&str>) -> Result<(), Refusal> {
    let Some(url) = url else { return Ok(()) };
    let is_http = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    is_http
        .then_some(())
        .ok_or_else(|| Refusal::wrong(format!("webhook is an http or https address, not «{url}»")))
}

/// A word of a path.
pub(super) fn decoded(word: &str) -> Result<String, Refusal> {
    let decoded = percent_decode_str(word).decode_utf8();
    let decoded = decoded.map(std::borrow::Cow::into_owned);
    decoded.map_err(|why| Refusal::wrong(format!("«{word}» is no part of a path: {why}")))
}

/// The body, which is JSON; an empty one is an empty object.
pub(super) fn json_of<T: DeserializeOwned>(request: &Request<Bytes>) -> Result<T, Refusal> {
    let body = json_bytes(request)?;
    serde_json::from_slice(body).map_err(|why| Refusal::wrong(format!("the body: {why}")))
}

/// The bytes of a body, which are JSON by its header; those of an empty one are an empty object.
pub(super) fn json_bytes(request: &Request<Bytes>) -> Result<&[u8], Refusal> {
    let body = request.body();
    if body.is_empty() {
        return Ok(b"{}");
    }
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/json") {
        let why = "the body is JSON, and the header Content-Type has to be application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    Ok(body)
}

pub(super) fn query_of<T: DeserializeOwned>(request: &Request<Bytes>) -> Result<T, Refusal> {
    let query = request.uri().query().unwrap_or_default();
    actix_web::web::Query::from_query(query)
        .map(actix_web::web::Query::into_inner)
        .map_err(|why| Refusal::wrong(format!("the query: {why}")))
}
