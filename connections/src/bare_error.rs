//! Errors of the framework: it answers what it cannot read with a head alone. They get the body that every error has.
//!
//! The framework has no place where its own errors could be changed, so they are recognised by their bytes when they are
//! written. Content of a file may look the same. Therefore such bytes are held back until it is certain what they are: an
//! error of the framework is the last thing that it writes, in the turn in which it gives the connection up.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::body::MessageBody;

/// The longest head of such an answer, in bytes.
const LENGTH_MAX: usize = 256;
/// The bytes of a request that are kept to see whom it asks.
const START: usize = 64;
const LENGTH: &str = "content-length: 0\r\n";
const END: &str = "\r\n\r\n";

/// An error before there is a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BareError {
    /// The bytes are no request of HTTP/1.1.
    Malformed,
    /// The target or the headers are longer than the framework reads.
    HeadTooLong,
    /// The head did not arrive within this time.
    TooSlow(Duration),
}

/// Words an error in the form of the interface that has this target.
pub type WordError = fn(target: &[u8], error: BareError) -> HttpResponse;

/// The beginning of the request that is being read: enough to determine which interface it addresses.
#[derive(Debug, Default)]
pub struct RequestStart {
    bytes: Vec<u8>,
    of_request: usize,
}

impl RequestStart {
    /// More was read of the request with this number.
    pub fn note(&mut self, request: usize, bytes: &[u8]) {
        if self.bytes.is_empty() || self.of_request != request {
            self.bytes.clear();
            let start = bytes.get(..START.min(bytes.len()));
            self.bytes.extend_from_slice(start.unwrap_or_default());
            self.of_request = request;
        }
    }

    /// The target of the request, as far as it is here.
    fn target(&self) -> &[u8] {
        let mut words = self.bytes.split(|byte| *byte == b' ');
        words.nth(1).unwrap_or_default()
    }
}

/// The start of an answer that the framework may have made by itself; it is the end of `bytes`.
pub fn begins_at(bytes: &[u8]) -> Option<usize> {
    if !bytes.ends_with(END.as_bytes()) {
        return None;
    }
    let from = bytes.len().saturating_sub(LENGTH_MAX);
    let end = str::from_utf8(bytes.get(from..)?).ok()?;
    let start = end.rfind("HTTP/1.1 4")?;
    let head = end.get(start..)?;
    let is_one = head.find(END)?.saturating_add(END.len()) == head.len() && head.contains(LENGTH);
    (is_one && error_in(head).is_some()).then_some(from.saturating_add(start))
}

/// The answer to a request whose head did not arrive in time; nothing if no byte of it has arrived.
pub fn time_out(start: &RequestStart, limit: Duration, word: WordError) -> Option<Vec<u8>> {
    const HEAD: &str =
        "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    if start.bytes.is_empty() {
        return None;
    }
    let error = word(start.target(), BareError::TooSlow(limit));
    Some(joined(HEAD, error).unwrap_or_else(|| HEAD.as_bytes().to_vec()))
}

/// The answer of the framework with this head, with a body in the form of the interface that was asked.
pub fn with_body(head: &[u8], start: &RequestStart, word: WordError) -> Vec<u8> {
    let whole = || {
        let head = str::from_utf8(head).ok()?;
        joined(head, word(start.target(), error_in(head)?))
    };
    whole().unwrap_or_else(|| head.to_vec())
}

/// The bytes of an answer with this head and the headers and the body of an error.
fn joined(head: &str, error: HttpResponse) -> Option<Vec<u8>> {
    // A target that is too long has one status, whichever library finds out.
    let head = head.replacen("414 URI Too Long", "431 Request Header Fields Too Large", 1);
    let mut lines = head.strip_suffix("\r\n")?.replace(LENGTH, "");
    for (name, value) in error.headers() {
        lines.push_str(&format!("{name}: {}\r\n", value.to_str().ok()?));
    }
    let body = error.into_body().try_into_bytes().ok()?;
    let length = body.len();
    let answer_head = format!("{lines}content-length: {length}{END}");
    Some([answer_head.as_bytes(), &body].concat())
}

/// The error that the framework means with this head.
fn error_in(head: &str) -> Option<BareError> {
    match head.split(' ').nth(1)? {
        "400" => Some(BareError::Malformed),
        "414" | "431" => Some(BareError::HeadTooLong),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\
                        date: Mon, 23 Nov 2026 11:00:00 GMT\r\n\r\n";

    #[test]
    fn framework_errors_are_recognised_at_the_end_of_the_output() {
        assert_eq!(begins_at(BARE.as_bytes()), Some(0));
        let behind = format!("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok\n{BARE}");
        assert_eq!(
            begins_at(behind.as_bytes()),
            Some(behind.len() - BARE.len())
        );
        for other in [
            "",
            "\r\n\r\n",
            "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 12\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n{}\r\n\r\n",
        ] {
            assert_eq!(begins_at(other.as_bytes()), None, "{other}");
        }
    }

    fn worded(target: &[u8], error: BareError) -> HttpResponse {
        let target = String::from_utf8_lossy(target);
        HttpResponse::BadRequest().body(format!("{error:?} at {target}"))
    }

    #[test]
    fn a_bare_error_gets_the_body_for_its_target() {
        let mut start = RequestStart::default();
        start.note(0, b"GET /api HTTP/9\r\n");
        let answer = String::from_utf8(with_body(BARE.as_bytes(), &start, worded)).unwrap();
        let (head, body) = answer.split_once(END).unwrap();
        assert_eq!(body, "Malformed at /api");
        let length = format!("\r\ncontent-length: {}", body.len());
        assert!(
            head.contains(&length) && !head.contains("content-length: 0"),
            "{head}"
        );
    }
}
