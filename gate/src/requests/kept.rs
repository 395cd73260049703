//! One request as it is kept.

use std::time::Duration;

use crate::request_id::RequestId;
use actix_http::RequestHead;
use actix_web::http::header::{self, HeaderName};
use bytes::Bytes;
use switchboard_actors::domain::id::{OauthClientId, UserId};
use switchboard_actors::domain::text::beginning;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::domain::words;

use crate::requests::sender::{Sender, Surface};
use switchboard_diagnosis::hint::Hint;

/// The most headers that are kept of a request.
const HEADERS_MAX: usize = 32;
/// The longest value of a header that is kept, in bytes.
const VALUE_MAX: usize = 512;
/// The longest path or query that is kept, in bytes.
const PATH_MAX: usize = 2_048;
/// The longest part of an answer that is kept, in bytes: refusals are shorter.
pub const ANSWER_MAX: usize = 8 << 10;
/// The memory that a record takes beside its texts, roughly, in bytes.
const OVERHEAD: usize = 512;

/// A request and its answer.
#[derive(Debug)]
pub struct KeptRequest {
    /// Its id.
    pub id: RequestId,
    /// The time at which it was answered.
    pub at: UnixMillis,
    /// The interface that it came through.
    pub surface: Surface,
    /// The program that sent it.
    pub sender: Sender,
    /// The account user of a bearer token, and the OAuth client that acted for them.
    pub user: Option<UserId>,
    /// The OAuth client.
    pub client: Option<OauthClientId>,
    /// The pattern of its address; none where the path names none.
    pub route: Option<&'static str>,
    /// The request.
    pub asked: LoggedRequest,
    /// The sender's probable mistake.
    pub hint: Option<Hint>,
    /// The status code of the answer.
    pub status: u16,
    /// The body of the answer.
    pub answer: KeptBody,
    /// The time from the request to its answer.
    pub took: Duration,
}

/// The request, with its secrets masked.
#[derive(Debug)]
pub struct LoggedRequest {
    /// Its method.
    pub method: String,
    /// The beginning of its path.
    pub path: String,
    /// The beginning of its query.
    pub query: Option<String>,
    /// In the order in which they came; a value is `None` when it is a secret.
    pub headers: Vec<(String, Option<String>)>,
    /// Its body.
    pub body: KeptBody,
}

/// The beginning of a body.
#[derive(Debug, Default)]
pub struct KeptBody {
    /// The bytes that are kept.
    pub bytes: Vec<u8>,
    /// The length of the whole body, in bytes.
    pub length: usize,
    is_whole: bool,
    /// The reason why none of it is kept, though there is a body.
    pub withheld: Option<Withheld>,
}

words! {
    /// The reason why a body is not kept.
    pub enum Withheld {
        /// The request was answered before its body was read.
        Unread = "unread",
        /// It is neither JSON nor a form, so its secrets could not be recognised.
        Unparsable = "unparsable",
    }
}

impl KeptBody {
    /// At most `limit` bytes of a body. A copy: a body shares its memory with whatever was read together with it.
    pub fn beginning_of(body: &Bytes, limit: usize) -> Self {
        let cut = body.get(..limit).unwrap_or(body);
        Self {
            bytes: cut.to_vec(),
            length: body.len(),
            is_whole: cut.len() == body.len(),
            withheld: None,
        }
    }

    /// At most `limit` bytes of a body of this length whose secrets are replaced by marks.
    pub fn masked(mut bytes: Vec<u8>, length: usize, limit: usize) -> Self {
        let is_whole = bytes.len() <= limit;
        bytes.truncate(limit);
        bytes.shrink_to_fit();
        Self {
            bytes,
            length,
            is_whole,
            withheld: None,
        }
    }

    /// The beginning of a body of this length whose secrets are replaced by marks.
    pub fn beginning(bytes: Vec<u8>, length: usize) -> Self {
        Self {
            is_whole: false,
            ..Self::masked(bytes, length, usize::MAX)
        }
    }

    /// Nothing of a body of this length.
    pub fn withheld(length: usize, why: Withheld) -> Self {
        Self {
            length,
            withheld: Some(why),
            ..Self::default()
        }
    }

    /// Returns whether this is all of it.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}

impl LoggedRequest {
    /// The parts of `request` that are kept, with this body.
    pub fn new(request: &RequestHead, body: KeptBody) -> Self {
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
                    let text = || {
                        beginning(&String::from_utf8_lossy(value.as_bytes()), VALUE_MAX).to_owned()
                    };
                    (name.as_str().to_owned(), (!is_secret(name)).then(text))
                })
                .collect(),
            body,
        }
    }

    /// The value of a header that came once, was kept and is whole.
    pub fn header(&self, name: &str) -> Option<&str> {
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

/// Returns whether the value of this header is a secret that a reader could use.
pub fn is_secret(name: &HeaderName) -> bool {
    let credentials = [
        header::AUTHORIZATION,
        header::PROXY_AUTHORIZATION,
        header::COOKIE,
    ];
    let telling = [
        "token",
        "secret",
        "key",
        "password",
        "auth",
        "cookie",
        "credential",
    ];
    credentials.contains(name) || telling.iter().any(|word| name.as_str().contains(word))
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
        let body = KeptBody::beginning_of(&Bytes::from_static(b"{\"a\":1}"), 3);
        assert!(!body.is_whole());
        let request = LoggedRequest::new(request.head(), body);
        assert!(!format!("{request:?}").contains("canary"));
        assert_eq!(request.header("x-signature"), Some("00ff"));
        assert_eq!(request.header("authorization"), None);
        assert_eq!(request.header("x-long"), None, "it is not whole");
        assert_eq!(
            (request.path.as_str(), request.query.as_deref()),
            ("/v2/origin/custom/x", Some("a=1"))
        );
        assert_eq!(
            (request.body.bytes.as_slice(), request.body.length),
            (b"{\"a".as_slice(), 7)
        );
    }
}
