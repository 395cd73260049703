//! Bodies of any interface: bounded in length and in time.

mod wait;

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderMap};
use actix_web::{HttpRequest, web};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use switchboard_actors::error::UnavailableError;
use switchboard_actors::wire::body::Body;
use switchboard_gate::limits::connection::Connection;

use self::wait::BodyWait;
use crate::extract::incoming::Incoming;
use crate::reply::problem::Problem;
use crate::requests::observed;
use crate::state::AppState;
use switchboard_connections::intake::Intake;

/// The text about a body that was given up.
pub(crate) const GIVEN_UP: &str =
    "the body came too slowly, and newer requests need its place; send the request again";
/// The bytes reserved for a body whose length is not declared.
const RESERVED: usize = 1_024;

/// The reason that a body could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyReadError {
    /// It is longer than allowed.
    TooLarge,
    /// It did not arrive within this time.
    TooSlow(Duration),
    /// It was given up, in favour of others.
    GivenUp,
    /// It is not whole.
    BrokenOff(&'static str),
    /// It has not arrived, and the caller does not wait for it.
    NotThere,
    /// The service works on too many requests, now that it is there.
    Busy,
}

/// Reads a body of at most `limit` bytes. One that did not come together with its head is waited for, apart from the
/// requests in work, unless `waits` says that it is not worth that. `prove` shows the connection who sends it, if its head
/// has credentials; it is called when the body is late.
pub async fn read(
    request: &impl Incoming,
    payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    limit: usize,
    waits: bool,
    mut prove: impl FnMut(),
) -> Result<Bytes, BodyReadError> {
    let headers = &request.head().headers;
    let byte_count = Cell::new(0);
    let mut reading = pin!(read_bounded(headers, payload, limit, &byte_count));
    let connection = request.of_connection::<Connection>();
    let mut timer = pin!(None);
    let mut wait = BodyWait::None;
    let body = poll_fn(|context| {
        if let Poll::Ready(body) = reading.as_mut().poll(context) {
            return Poll::Ready(body);
        }
        if !waits && wait.has_begun() {
            return Poll::Ready(Err(BodyReadError::NotThere));
        }
        let failure = wait.poll(connection, headers, &mut prove, timer.as_mut(), context);
        if !waits {
            context.waker().wake_by_ref();
        }
        wait.progress(byte_count.get());
        failure.map_or(Poll::Pending, |failure| Poll::Ready(Err(failure)))
    });
    let bytes = body.await?;
    if let Some(intake) = request.of_connection::<Intake>() {
        intake.has_body();
    }
    if wait.has_begun() && connection.is_some_and(|connection| !connection.take_place()) {
        return Err(BodyReadError::Busy);
    }
    Ok(bytes)
}

/// Reads a JSON body that is declared.
pub(crate) async fn json<T: Body>(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
) -> Result<T, Problem> {
    let bytes = read_json(request, payload, state.body_limit()).await?;
    Ok(T::read(&bytes)?)
}

/// As [`json`], where a request without any body says as much as one of an empty object.
pub(crate) async fn json_or_nothing<T: Body>(
    request: &HttpRequest,
    payload: web::Payload,
    state: &AppState,
) -> Result<T, Problem> {
    let bytes = read_json_or_nothing(request, payload, state.body_limit()).await?;
    Ok(T::read(&bytes)?)
}

/// Reads a JSON body of the account side.
pub(crate) async fn read_json(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let body = read_whole(request, payload, limit).await?;
    if is_json(request.headers()) {
        Ok(body)
    } else {
        Err(Problem::UnsupportedMediaType)
    }
}

/// Reads a body of the account side that is JSON or a form. Gives a form as an object of texts.
pub(crate) async fn read_json_or_form(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let body = read_whole(request, payload, limit).await?;
    match media_type(request.headers()) {
        Some(declared) if declared.eq_ignore_ascii_case("application/x-www-form-urlencoded") => {
            let mut fields = serde_json::Map::new();
            for (name, value) in url::form_urlencoded::parse(&body) {
                if fields.insert(name.to_string(), value.into()).is_some() {
                    let twice = format!("the parameter {name} is given twice");
                    return Err(Problem::BadRequest(twice));
                }
            }
            Ok(serde_json::Value::Object(fields).to_string().into())
        }
        Some(_) | None if is_json(request.headers()) => Ok(body),
        Some(_) | None => Err(Problem::NeitherJsonNorForm),
    }
}

/// As [`read_json`], where a body without a declared type is JSON as well: libraries send leads, contacts and sources so.
/// The interface of users and roles demands the type. No page of a browser can use this: a session needs its CSRF token.
pub(crate) async fn read_entities(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let headers = request.headers();
    let says_nothing = !headers.contains_key(header::CONTENT_TYPE)
        && !headers.contains_key(header::CONTENT_ENCODING);
    if says_nothing {
        return read_whole(request, payload, limit).await;
    }
    read_json(request, payload, limit).await
}

pub(crate) async fn read_whole(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let body = read(request, payload, limit, true, || {}).await;
    body.inspect(|body| observed::note_body(request, body))
        .map_err(|unread| match unread {
            BodyReadError::TooLarge => Problem::TooLarge(limit),
            BodyReadError::TooSlow(limit) => Problem::TooSlow(too_slow(limit)),
            BodyReadError::BrokenOff(why) => Problem::BadRequest(why.to_owned()),
            BodyReadError::GivenUp => Problem::TooSlow(GIVEN_UP.to_owned()),
            BodyReadError::NotThere | BodyReadError::Busy => UnavailableError::Busy.into(),
        })
}

/// Returns the text about a body that did not arrive within this time.
pub fn too_slow(limit: Duration) -> String {
    format!("the body did not arrive within {} s", limit.as_secs())
}

/// The media type of a body that has no content encoding.
fn media_type(headers: &HeaderMap) -> Option<&str> {
    if headers.contains_key(header::CONTENT_ENCODING) {
        return None;
    }
    let declared = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    declared.split(';').next().map(str::trim)
}

/// The fault of a body that is not whole, in words for people.
pub(crate) fn broken_off(error: &PayloadError) -> &'static str {
    match error {
        PayloadError::EncodingCorrupted => "the chunks of the body are malformed",
        PayloadError::UnknownLength => "the length of the body is not declared",
        PayloadError::Overflow => "the body is longer than declared",
        // The variants that are not named here, and malformed chunks, which the server gives as one of these.
        PayloadError::Incomplete(_) | PayloadError::Io(_) | _ => {
            "the body ended before it was complete, or its chunks are malformed"
        }
    }
}

/// As [`read_json`], where a request without any body says as much as one of an empty object. So does one of an empty list, as
/// which PHP writes a map without entries.
pub(crate) async fn read_json_or_nothing(
    request: &HttpRequest,
    payload: web::Payload,
    limit: usize,
) -> Result<Bytes, Problem> {
    let headers = request.headers();
    if !is_declared(headers) && !headers.contains_key(header::CONTENT_TYPE) {
        return Ok(Bytes::from_static(b"{}"));
    }
    let bytes = read_json(request, payload, limit).await?;
    if bytes.as_ref() == b"[]" {
        return Ok(Bytes::from_static(b"{}"));
    }
    Ok(bytes)
}

/// Returns whether a request says that it has a body.
pub(crate) fn is_declared(headers: &HeaderMap) -> bool {
    match headers.get(header::CONTENT_LENGTH) {
        Some(length) => length != "0",
        None => headers.contains_key(header::TRANSFER_ENCODING),
    }
}

async fn read_bounded(
    headers: &HeaderMap,
    mut payload: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin,
    limit: usize,
    received: &Cell<usize>,
) -> Result<Bytes, BodyReadError> {
    let length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if length.is_some_and(|length| length > limit) {
        return Err(BodyReadError::TooLarge);
    }
    let to_unread = |error: PayloadError| BodyReadError::BrokenOff(broken_off(&error));
    let Some(first) = payload.next().await else {
        return Ok(Bytes::new());
    };
    let first = first.map_err(to_unread)?;
    // Most bodies come in one piece, and then nothing is copied.
    if length == Some(first.len()) {
        return Ok(first);
    }
    let mut body = BytesMut::with_capacity(length.unwrap_or(RESERVED));
    body.extend_from_slice(&first);
    received.set(body.len());
    while let Some(piece) = payload.next().await {
        body.extend_from_slice(&piece.map_err(to_unread)?);
        received.set(body.len());
        if body.len() > limit {
            return Err(BodyReadError::TooLarge);
        }
    }
    Ok(body.freeze())
}

/// Returns whether the body is declared as plain JSON: `application/json`, with no charset but UTF-8 and no encoding.
pub fn is_json(headers: &HeaderMap) -> bool {
    if headers.contains_key(header::CONTENT_ENCODING) {
        return false;
    }
    let declared = headers
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
