//! A request to the HTTP interface of a world, and its answer.

use actix_http::{Request as HttpRequest, Response};
use actix_web::body::MessageBody as _;
use actix_web::http::header::{HOST, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::test::TestRequest;
use actix_web::{HttpMessage as _, HttpResponse};
use bytes::Bytes;
use serde_json::Value;
use switchboard_actors::domain::signature::sign_body;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_connections::bare_error::BareError;
use switchboard_http::extract::signed::SignerClock;
use switchboard_http::server::worded::worded;

use super::HttpWorld;

/// A request, before it is sent.
#[must_use = "a request that is not sent has no effect"]
pub struct Request<'w> {
    world: &'w HttpWorld,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Bytes,
    signer_clock: Option<SignerClock>,
}

impl<'w> Request<'w> {
    pub(super) fn new(world: &'w HttpWorld, method: &str, path: &str) -> Self {
        Self {
            world,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Bytes::new(),
            signer_clock: None,
        }
    }

    /// To a service whose clock, by which the `Date` of a signed request counts, says this.
    pub(crate) fn signer_clock(mut self, now: UnixMillis) -> Self {
        self.signer_clock = Some(SignerClock(now));
        self
    }

    /// With this header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// As the account user of the world with this name, who has acted before or is `ada`.
    pub fn user(self, name: &str) -> Self {
        let token = self.world.user(name).token();
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// With these bytes.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// With this JSON.
    pub fn json(self, body: &Value) -> Self {
        self.header("Content-Type", "application/json")
            .body(body.to_string())
    }

    /// With this JSON, signed as an integration of the 2019 generation signs it.
    pub fn signed(self, body: impl Into<Bytes>) -> Self {
        let body = body.into();
        let signature = sign_body(&self.world.channel().secret, &body);
        self.header("Content-Type", "application/json")
            .header("X-Signature", &signature.to_string())
            .body(body)
    }

    /// Sends it.
    ///
    /// # Panics
    /// When no answer comes.
    #[must_use]
    #[track_caller]
    #[expect(clippy::expect_used, reason = "a test fails by panicking")]
    pub fn send(self) -> HttpAnswer {
        self.try_send().expect("an answer comes")
    }

    /// Sends it; `None`: no answer came. What is no request of HTTP is refused as the service refuses it.
    #[track_caller]
    pub fn try_send(self) -> Option<HttpAnswer> {
        let (world, what) = (self.world, format!("{} {}", self.method, self.path));
        let target = self.path.clone();
        let answer = match self.built() {
            Ok(request) => world.call(request),
            Err(RequestFormError) => {
                let answer = worded(target.as_bytes(), BareError::Malformed);
                Some(HttpAnswer::of_response(answer))
            }
        };
        let status = answer.as_ref().map_or_else(
            || "no answer".to_owned(),
            |answer| answer.status.to_string(),
        );
        let (now, journal) = (world.now(), world.journal());
        journal.note(now, "http", &format!("{what}: {status}"));
        answer
    }

    fn built(self) -> Result<HttpRequest, RequestFormError> {
        let address = self.world.address;
        let mut request = TestRequest::default()
            .peer_addr(address)
            .set_payload(self.body)
            .to_request();
        if let Some(clock) = self.signer_clock {
            request.extensions_mut().insert(clock);
        }
        let head = request.head_mut();
        head.method =
            Method::from_bytes(self.method.as_bytes()).map_err(|_why| RequestFormError)?;
        head.uri = Uri::try_from(self.path).map_err(|_why| RequestFormError)?;
        let host = HeaderValue::try_from(address.to_string()).map_err(|_why| RequestFormError)?;
        head.headers.insert(HOST, host);
        for (name, value) in self.headers {
            let name = HeaderName::try_from(name).map_err(|_why| RequestFormError)?;
            let value = HeaderValue::try_from(value).map_err(|_why| RequestFormError)?;
            // A later `Host` counts.
            if name == HOST {
                head.headers.insert(name, value);
            } else {
                head.headers.append(name, value);
            }
        }
        Ok(request)
    }
}

/// The method, the path or a header cannot be sent.
struct RequestFormError;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Bytes,
}

impl HttpAnswer {
    /// An answer whose body is there.
    pub(crate) fn of_response(response: HttpResponse) -> Self {
        let (head, body) = response.into_parts();
        let body = body.try_into_bytes().unwrap_or_default();
        let head: Response<()> = head.into();
        Self::new(&head, body)
    }

    pub(super) fn new<B>(head: &Response<B>, body: Bytes) -> Self {
        let headers = head.headers().iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.as_str().to_owned(), value.into_owned())
        });
        Self {
            status: head.status().as_u16(),
            headers: headers.collect(),
            body,
        }
    }

    /// The value of the header with this name, which is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let header = headers.find(|(known, _)| known == name);
        header.map(|(_, value)| value.as_str())
    }

    /// The body as JSON; `null` when it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}
