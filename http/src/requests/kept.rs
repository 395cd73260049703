//! One request as it is kept.

use std::time::Duration;

use actix_http::RequestHead;
use actix_web::http::header::{self, HeaderName};
use bytes::Bytes;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::text::beginning;
use switchboard_actors::domain::time::UnixMillis;

use crate::request_id::RequestId;

/// The most headers that are kept of a request.
const HEADERS_MAX: usize = 32;
/// The longest value of a header that is kept, in bytes.
const VALUE_MAX: usize = 512;
/// The longest path or query that is kept, in bytes.
const PATH_MAX: usize = 2_048;
/// What a record takes beside its texts, roughly.
const OVERHEAD: usize = 512;

/// A request of an integration and its answer.
#[derive(Debug)]
pub(crate) struct KeptRequest {
    pub id: RequestId,
    pub at: UnixMillis,
    pub channel: Option<ChannelId>,
    pub asked: LoggedRequest,
    pub status: u16,
    pub answer: KeptBody,
    pub took: Duration,
}

/// What was asked.
#[derive(Debug)]
pub(crate) struct LoggedRequest {
    pub method: String,
    pub path: String,
    pub query: Option<String>,
    /// In the order in which they came; a value is `None` when it is a secret.
    pub headers: Vec<(String, Option<String>)>,
    pub body: KeptBody,
}

/// The beginning of a body.
#[derive(Debug, Default)]
pub(crate) struct KeptBody {
    pub bytes: Vec<u8>,
    /// How long the whole body is.
    pub length: usize,
}

impl KeptBody {
    /// At most `limit` bytes of a body. A copy: a body shares its memory with whatever was read together with it.
    pub(crate) fn of(body: &Bytes, limit: usize) -> Self {
        let cut = body.get(..limit).unwrap_or(body);
        Self {
            bytes: cut.to_vec(),
            length: body.len(),
        }
    }

    /// Whether this is all of it.
    pub(crate) fn is_whole(&self) -> bool {
        self.bytes.len() == self.length
    }
}

impl LoggedRequest {
    /// What `request` asked with this body.
    pub(crate) fn of(request: &RequestHead, body: KeptBody) -> Self {
        let uri = &request.uri;
        let headers = request.headers.iter().take(HEADERS_MAX);
        Self {
            method: beginning(request.method.as_str(), VALUE_MAX).to_owned(),
            path: beginning(uri.path(), PATH_MAX).to_owned(),
            query: uri
                .query()
                .map(|query| beginning(query, PATH_MAX).to_owned()),
            headers: headers
                .map(|(name, value)| {
                    let shown = || {
                        beginning(&String::from_utf8_lossy(value.as_bytes()), VALUE_MAX).to_owned()
                    };
                    (name.as_str().to_owned(), (!is_secret(name)).then(shown))
                })
                .collect(),
            body,
        }
    }

    /// The value of a header that came once, was kept and is whole.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        match (values.next(), values.next()) {
            (Some((_, Some(value))), None) if value.len() < VALUE_MAX => Some(value),
            (Some(_) | None, _) => None,
        }
    }
}

impl KeptRequest {
    /// Roughly the memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let LoggedRequest {
            method,
            path,
            query,
            headers,
            body,
        } = &self.asked;
        let headers = headers
            .iter()
            .map(|(name, value)| name.len() + value.as_ref().map_or(0, String::len) + 48);
        let texts = method.len() + path.len() + query.as_ref().map_or(0, String::len);
        OVERHEAD + texts + body.bytes.len() + self.answer.bytes.len() + headers.sum::<usize>()
    }
}

/// Whether the value of this header is a secret that a reader could use.
fn is_secret(name: &HeaderName) -> bool {
    let known = [
        header::AUTHORIZATION,
        header::PROXY_AUTHORIZATION,
        header::COOKIE,
    ];
    let telling = ["token", "secret", "key", "password"];
    known.contains(name) || telling.iter().any(|word| name.as_str().contains(word))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn secret_headers_are_not_kept_and_long_texts_are_cut() {
        let request = TestRequest::post()
            .uri("/v2/origin/custom/x?a=1")
            .insert_header(("Authorization", "Bearer canary"))
            .insert_header(("X-Api-Key", "canary"))
            .insert_header(("X-Signature", "00ff"))
            .insert_header(("X-Long", "é".repeat(400)))
            .to_http_request();
        let body = KeptBody::of(&Bytes::from_static(b"{\"a\":1}"), 3);
        assert!(!body.is_whole());
        let asked = LoggedRequest::of(request.head(), body);
        assert!(!format!("{asked:?}").contains("canary"));
        assert_eq!(asked.header("x-signature"), Some("00ff"));
        assert_eq!(asked.header("authorization"), None);
        assert_eq!(asked.header("x-long"), None, "it is not whole");
        assert_eq!(
            (asked.path.as_str(), asked.query.as_deref()),
            ("/v2/origin/custom/x", Some("a=1"))
        );
        assert_eq!(
            (asked.body.bytes.as_slice(), asked.body.length),
            (b"{\"a".as_slice(), 7)
        );
    }
}
