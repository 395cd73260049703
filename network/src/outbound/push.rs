//! Sends a push to the push service of a browser (RFC 8030), once, through the guard.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER,
};
use reqwest::{Client, Method, Request, Url};

use super::error::{FailureKind, RequestError};
use super::guard::AddressGuard;

const TTL: HeaderName = HeaderName::from_static("ttl");
const URGENCY: HeaderName = HeaderName::from_static("urgency");
const TOPIC: HeaderName = HeaderName::from_static("topic");

/// A push that can be sent.
#[derive(Clone)]
pub struct OutboundPush {
    /// The address of the subscription, a secret.
    pub endpoint: Url,
    /// The encrypted body.
    pub body: Vec<u8>,
    /// The proof of who sends it, a secret.
    pub authorization: String,
    /// The time for which the push service keeps it for a browser that is not connected.
    pub ttl: Duration,
    /// `very-low`, `low`, `normal` or `high`.
    pub urgency: &'static str,
    /// At most 32 letters of base64url: a later push with the same ones takes its place at the push service.
    pub topic: String,
}

/// The answer of a push service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushAnswer {
    /// The status.
    pub status: u16,
    /// `Retry-After` as it was written.
    pub retry_after: Option<String>,
}

/// Sends pushes. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PushClient {
    client: Client,
    guard: Arc<AddressGuard>,
}

impl PushClient {
    /// Sends through `client` (see [`super::client::build`]) what `guard` lets pass.
    #[must_use]
    pub const fn new(client: Client, guard: Arc<AddressGuard>) -> Self {
        Self { client, guard }
    }

    /// Sends a push. The head of the answer is the answer; its body is not read. A redirect is an answer as well.
    ///
    /// # Errors
    /// When the address is refused, or no server answers within `timeout`.
    pub async fn send(
        &self,
        push: OutboundPush,
        timeout: Duration,
    ) -> Result<PushAnswer, RequestError> {
        if push.endpoint.scheme() != "https" {
            let detail = "a push service is reached by https alone";
            return Err(RequestError::new(FailureKind::Forbidden, detail));
        }
        self.guard
            .check(&push.endpoint)
            .map_err(|reason| RequestError::refused(&reason))?;
        let invalid = |_| RequestError::new(FailureKind::Invalid, "a header cannot be sent");
        let mut headers = HeaderMap::new();
        let mut authorization = HeaderValue::try_from(push.authorization).map_err(invalid)?;
        authorization.set_sensitive(true);
        headers.insert(AUTHORIZATION, authorization);
        headers.insert(TTL, HeaderValue::from(push.ttl.as_secs()));
        headers.insert(URGENCY, HeaderValue::from_static(push.urgency));
        headers.insert(TOPIC, HeaderValue::try_from(push.topic).map_err(invalid)?);
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
        let mut request = Request::new(Method::POST, push.endpoint);
        *request.headers_mut() = headers;
        *request.timeout_mut() = Some(timeout);
        *request.body_mut() = Some(push.body.into());
        let result = self.client.execute(request).await;
        let answer = result.map_err(|error| RequestError::classify(&error.without_url()))?;
        let retry_after = answer.headers().get(RETRY_AFTER);
        Ok(PushAnswer {
            status: answer.status().as_u16(),
            retry_after: retry_after
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
        })
    }
}
