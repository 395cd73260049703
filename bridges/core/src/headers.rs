//! Headers of requests and answers.

use hyper::header::{CONTENT_TYPE, HeaderMap};

/// The text of a header; empty when it is not there, or no text.
pub fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    let value = headers.get(name);
    value.and_then(|it| it.to_str().ok()).unwrap_or_default()
}

/// The type of a body in small letters, without its parameters; empty when no header names it.
pub fn media_type(headers: &HeaderMap) -> String {
    let value = header(headers, CONTENT_TYPE.as_str());
    let kind = value.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}
