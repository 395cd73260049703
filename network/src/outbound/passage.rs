//! Requests of others that are passed on as they are: to origins that the operator has named, through the same guard as callbacks.
//!
//! Nothing is followed, repeated or unpacked, and the certificate of the other end is always verified.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_LENGTH, HOST, HeaderName, HeaderValue};
use hyper::{Method, Request, Uri};
use tokio::time::{Instant, Sleep, sleep_until};
use url::Url;

use super::client::ClientSettings;
use super::connections::target::Target;
use super::connections::{Connections, UnreadResponse, until};
use super::error::{FailureKind, RequestError};
use super::guard::AddressGuard;
use super::lookup::Lookup;
use super::roots::RootsError;

/// Headers of one connection, which are never passed on.
const HOP_BY_HOP: [&str; 11] = [
    "connection",
    "expect",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A header, as it came: the name, and the bytes of the value.
pub type PassedHeader = (String, Bytes);

/// A request that is passed on.
#[derive(Clone, Debug)]
pub struct PassedRequest {
    /// The origin that it goes to: scheme, host and port.
    pub origin: Url,
    /// The method.
    pub method: String,
    /// The path with its query, byte by byte as it came.
    pub target: String,
    /// The headers. Those of the connection are left out.
    pub headers: Vec<PassedHeader>,
    /// The body.
    pub body: Bytes,
    /// The time for the whole exchange.
    pub timeout: Duration,
}

/// The answer to a request that was passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedAnswer {
    /// The status.
    pub status: u16,
    /// The headers, but those of the connection.
    pub headers: Vec<PassedHeader>,
    /// The body.
    pub body: Bytes,
}

/// Passes requests on. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Passage {
    connections: Arc<Connections>,
    guard: Arc<AddressGuard>,
    answer_max: usize,
}

impl Passage {
    /// Passes on to what `guard` lets pass; an answer has at most so many bytes.
    ///
    /// # Errors
    /// When the root certificates cannot be used.
    pub fn new(
        settings: &ClientSettings,
        guard: Arc<AddressGuard>,
        lookup: Arc<dyn Lookup>,
        answer_max: usize,
    ) -> Result<Self, RootsError> {
        let connections = Arc::new(Connections::new(settings, Arc::clone(&guard), lookup)?);
        Ok(Self {
            connections,
            guard,
            answer_max,
        })
    }

    /// Passes a request on, and reads the whole answer.
    ///
    /// # Errors
    /// Why there is no answer. The other end may have acted nevertheless, unless the kind of the failure says otherwise.
    pub async fn pass(&self, request: PassedRequest) -> Result<PassedAnswer, RequestError> {
        let mut deadline = pin!(sleep_until(Instant::now() + request.timeout));
        let target = Target::parse(request.origin.as_str(), &self.guard)?;
        let request = rebuilt(request, &target)?;
        let unread = self
            .connections
            .send(&target, request, None, deadline.as_mut())
            .await?;
        self.read(unread, deadline).await
    }

    async fn read(
        &self,
        unread: UnreadResponse,
        deadline: Pin<&mut Sleep>,
    ) -> Result<PassedAnswer, RequestError> {
        let (response, mut connection, origin) = unread.into_parts();
        let (head, mut body) = response.into_parts();
        let reading = whole(&mut body, deadline, self.answer_max);
        let bytes = connection.polled(reading).await?;
        drop(body);
        self.connections.keep(origin, connection).await;
        let headers = head.headers.iter();
        let named = connection_names(head.headers.get("connection").map(HeaderValue::as_bytes));
        Ok(PassedAnswer {
            status: head.status.as_u16(),
            headers: headers
                .filter(|(name, _)| passes(name.as_str(), &named))
                .map(|(name, value)| {
                    let value = Bytes::copy_from_slice(value.as_bytes());
                    (name.as_str().to_owned(), value)
                })
                .collect(),
            body: bytes,
        })
    }
}

/// The request in the client's terms.
fn rebuilt(passed: PassedRequest, target: &Target) -> Result<Request<Full<Bytes>>, RequestError> {
    let invalid = |what: &str| RequestError::new(FailureKind::Invalid, what);
    let method = Method::from_bytes(passed.method.as_bytes())
        .map_err(|_malformed| invalid("the method cannot be sent"))?;
    let path: Uri = passed
        .target
        .parse()
        .map_err(|_malformed| invalid("the path cannot be sent"))?;
    let has_body = !passed.body.is_empty();
    let length = passed
        .headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let connection = passed
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("connection"));
    let named = connection_names(connection.map(|(_, value)| value.as_ref()));
    let mut request = Request::new(Full::new(passed.body));
    *request.method_mut() = method;
    *request.uri_mut() = path;
    let headers = request.headers_mut();
    headers.reserve(passed.headers.len().saturating_add(1));
    for (name, value) in passed.headers {
        if !passes(&name, &named) {
            continue;
        }
        let name = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_malformed| invalid("a header cannot be sent"))?;
        let value = HeaderValue::from_maybe_shared(value)
            .map_err(|_malformed| invalid("a header cannot be sent"))?;
        headers.append(name, value);
    }
    headers.insert(HOST, target.host.clone());
    if length && !has_body {
        headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    Ok(request)
}

/// The names in the header `Connection`, which belong to one connection.
fn connection_names(value: Option<&[u8]>) -> Vec<String> {
    let text = String::from_utf8_lossy(value.unwrap_or_default()).to_ascii_lowercase();
    text.split(',').map(|name| name.trim().to_owned()).collect()
}

/// Returns whether a header is passed on: neither one of the connection nor one that follows from the request.
fn passes(name: &str, named: &[String]) -> bool {
    let name = name.to_ascii_lowercase();
    !HOP_BY_HOP.contains(&name.as_str())
        && name != "host"
        && name != "content-length"
        && !named.contains(&name)
}

/// Reads a body to its end.
async fn whole(
    body: &mut Incoming,
    mut deadline: Pin<&mut Sleep>,
    most: usize,
) -> Result<Bytes, RequestError> {
    let mut bytes = Vec::new();
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    loop {
        match until(deadline.as_mut(), body.frame()).await {
            Some(Some(Ok(frame))) => {
                let Ok(chunk) = frame.into_data() else {
                    continue;
                };
                if bytes.len().saturating_add(chunk.len()) > most {
                    let long = format!("the answer is longer than {most} bytes");
                    return Err(RequestError::new(FailureKind::Protocol, &long));
                }
                bytes.extend_from_slice(&chunk);
            }
            Some(None) => return Ok(bytes.into()),
            Some(Some(Err(_broken))) => {
                let broken = "the answer broke off";
                return Err(RequestError::new(FailureKind::Reset, broken));
            }
            None => return Err(RequestError::no_answer()),
        }
    }
}

#[cfg(test)]
mod tests {
    use switchboard_worlds::sink::{Behaviour, Reply, Sink};

    use super::*;
    use crate::outbound::address::Policy;
    use crate::outbound::scripted_names::Names;

    fn passage(loopback: bool) -> Passage {
        let allow_cidrs = if loopback {
            vec!["127.0.0.0/8".parse().unwrap()]
        } else {
            Vec::new()
        };
        let guard = AddressGuard::new(Policy {
            allow_private_networks: false,
            allow_cidrs,
        });
        let settings = ClientSettings::default();
        Passage::new(&settings, Arc::new(guard), Arc::new(Names::new()), 1_024).unwrap()
    }

    fn request(origin: &str) -> PassedRequest {
        let header =
            |name: &str, value: &'static [u8]| (name.to_owned(), Bytes::from_static(value));
        PassedRequest {
            origin: origin.parse().unwrap(),
            method: "POST".to_owned(),
            target: "/v2/origin/custom/a_b?x=%2F..&y".to_owned(),
            headers: vec![
                header("Date", b"Mon, 03 Oct 2020 15:11:21 +0000"),
                header("X-Signature", b"0123abc"),
                header("Content-MD5", b"abc"),
                header("Connection", b"close, X-Mine"),
                header("X-Mine", b"1"),
                header("Host", b"169.254.169.254"),
                header("Authorization", b"Bearer secret"),
            ],
            body: Bytes::from_static(b"{\"a\" : \"\xff\"}"),
            timeout: Duration::from_secs(20),
        }
    }

    #[tokio::test]
    async fn a_request_is_passed_on_byte_by_byte() {
        let mut reply = Reply::new(403);
        reply.body = "<html>blocked</html>".into();
        let sink = Sink::start(Behaviour::Answer(reply)).await.unwrap();
        let origin = format!("http://{}", sink.address());
        let answer = passage(true).pass(request(&origin)).await.unwrap();
        assert_eq!(answer.status, 403);
        assert_eq!(answer.body, "<html>blocked</html>");
        let ledger = sink.ledger();
        let seen = &ledger.requests[0];
        assert_eq!(seen.target, "/v2/origin/custom/a_b?x=%2F..&y");
        assert_eq!(seen.body, b"{\"a\" : \"\xff\"}".as_slice());
        assert_eq!(seen.header("date"), Some("Mon, 03 Oct 2020 15:11:21 +0000"));
        assert_eq!(seen.header("x-signature"), Some("0123abc"));
        let address = sink.address().to_string();
        assert_eq!(seen.header("host"), Some(address.as_str()));
        assert_eq!(
            (seen.header("x-mine"), seen.header("connection")),
            (None, None)
        );
    }

    #[tokio::test]
    async fn an_address_that_the_guard_forbids_is_not_asked() {
        for origin in [
            "http://169.254.169.254",
            "http://127.0.0.1:9",
            "http://[::1]:9",
        ] {
            let failure = passage(false).pass(request(origin)).await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::Forbidden, "{origin}");
        }
    }

    #[tokio::test]
    async fn an_answer_beyond_the_bound_is_no_answer() {
        let mut reply = Reply::new(200);
        reply.body = "x".repeat(2_000).into();
        let sink = Sink::start(Behaviour::Answer(reply)).await.unwrap();
        let origin = format!("http://{}", sink.address());
        let failure = passage(true).pass(request(&origin)).await.unwrap_err();
        assert!(failure.detail.contains("1024"), "{failure:?}");
    }
}
