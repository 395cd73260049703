//! Requests to the bridge, and its answers.

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::{Method, Response, StatusCode};

use crate::headers::header;

/// The reason why a body breaks off.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// An answer, whose body may be a stream.
pub type PageResponse = Response<BoxBody<Bytes, BoxError>>;

/// A whole request.
#[derive(Clone, Copy)]
pub struct PageRequest<'r> {
    /// The method.
    pub method: &'r Method,
    /// The path, as it came: percent-encoded.
    pub path: &'r str,
    /// The values behind the path.
    pub query: Query<'r>,
    /// The headers.
    pub headers: &'r HeaderMap,
    /// The body.
    pub body: &'r Bytes,
}

impl PageRequest<'_> {
    /// A header; empty when it is not there, or no text.
    pub fn header(&self, name: &str) -> &str {
        header(self.headers, name)
    }
}

/// The values of a query.
#[derive(Clone, Copy)]
pub struct Query<'q>(pub &'q str);

impl Query<'_> {
    /// The first value of this name, decoded.
    pub fn value(&self, name: &str) -> Option<String> {
        let mut pairs = url::form_urlencoded::parse(self.0.as_bytes());
        let (_, value) = pairs.find(|(key, _)| key == name)?;
        Some(value.into_owned())
    }
}

/// An answer with a text: JSON when it looks like a document.
pub fn text(status: StatusCode, text: impl Into<String>) -> PageResponse {
    let text = text.into();
    let is_document = text.starts_with(['{', '[']);
    let kind = if is_document {
        "application/json"
    } else {
        "text/plain; charset=utf-8"
    };
    let mut response = whole(status, Bytes::from(text));
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// An answer without a body.
pub fn empty(status: StatusCode) -> PageResponse {
    whole(status, Bytes::new())
}

/// The answer when something fails: the sender tries again after so many seconds.
pub fn unavailable(seconds: u32) -> PageResponse {
    let mut response = empty(StatusCode::SERVICE_UNAVAILABLE);
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    response
}

fn whole(status: StatusCode, body: Bytes) -> PageResponse {
    let body = Full::new(body).map_err(|never| match never {}).boxed();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}
