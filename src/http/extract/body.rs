//! Bodies of any interface: bounded in length and in time.

use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, web};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;

use crate::http::reply::problem::Problem;

/// How long a body may take to arrive.
const DEADLINE: Duration = Duration::from_secs(15);
/// How much is reserved for a body whose length is not declared.
const RESERVED: usize = 1_024;

/// Why a body could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is longer than allowed.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// The connection broke off.
    BrokenOff(String),
}

/// Reads a body of at most `limit` bytes.
pub(crate) async fn read(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Unread> {
    match tokio::time::timeout(DEADLINE, read_bounded(request, payload, limit)).await {
        Ok(body) => body,
        Err(_elapsed) => Err(Unread::TooSlow),
    }
}

/// Reads a JSON body of the account side.
pub(crate) async fn read_json(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let body = read(request, payload, limit)
        .await
        .map_err(|unread| match unread {
            Unread::TooLarge => Problem::TooLarge(limit),
            Unread::TooSlow => Problem::BodyTooSlow,
            Unread::BrokenOff(why) => Problem::BadRequest(format!("the body broke off: {why}")),
        })?;
    if is_json(request) {
        Ok(body)
    } else {
        Err(Problem::UnsupportedMediaType)
    }
}

/// As [`read_json`], where a request without any body says as much as one of an empty object.
pub(crate) async fn read_json_or_nothing(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let declares = |name| request.headers().contains_key(name);
    let declared = request.headers().get(header::CONTENT_LENGTH);
    let nothing = match declared {
        Some(length) => length == "0",
        None => !declares(header::TRANSFER_ENCODING),
    };
    if nothing && !declares(header::CONTENT_TYPE) {
        return Ok(Bytes::from_static(b"{}"));
    }
    read_json(request, payload, limit).await
}

async fn read_bounded(
    request: &HttpRequest,
    mut payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Unread> {
    let declared = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let declared = declared.and_then(|value| value.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(Unread::TooLarge);
    }
    let broken = |error: actix_web::error::PayloadError| Unread::BrokenOff(error.to_string());
    let Some(first) = payload.next().await else {
        return Ok(Bytes::new());
    };
    let first = first.map_err(broken)?;
    // Most bodies come in one piece, and then nothing is copied.
    if declared == Some(first.len()) {
        return Ok(first);
    }
    let mut body = BytesMut::with_capacity(declared.unwrap_or(RESERVED));
    body.extend_from_slice(&first);
    while let Some(piece) = payload.next().await {
        body.extend_from_slice(&piece.map_err(broken)?);
        if body.len() > limit {
            return Err(Unread::TooLarge);
        }
    }
    Ok(body.freeze())
}

/// Whether the body is declared as plain JSON: `application/json`, with no charset but UTF-8 and no encoding.
pub(crate) fn is_json(request: &HttpRequest) -> bool {
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return false;
    }
    let declared = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let Some(declared) = declared else {
        return false;
    };
    let mut parts = declared.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default();
    media_type.eq_ignore_ascii_case("application/json") && parts.all(is_utf8_or_other)
}

fn is_utf8_or_other(parameter: &str) -> bool {
    match parameter.split_once('=') {
        Some((name, value)) if name.trim().eq_ignore_ascii_case("charset") => {
            value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
        }
        Some(_) | None => true,
    }
}
