//! One attempt to hand a callback to its receiver, and what came of it.
//!
//! This is the hot path and decides nothing: it sends the bytes it was given, once, and
//! reports. Whether the outcome means success, another attempt or the end is the
//! dispatcher's business.
//!
//! The head of the answer is the answer. When it is complete the receiver has spoken, and a
//! body that then trickles, lies about its length or never ends changes nothing about the
//! status; it only shows in the excerpt.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{
    CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue, RETRY_AFTER,
};
use reqwest::{Body, Client, Method, Request, Response, Url};
use tokio::time::Instant;

use super::excerpt::{BodyEnd, BodyExcerpt, EXCERPT_MAX};
use super::failure::{FailureKind, RequestFailure};
use super::guard::AddressGuard;

/// At most so many bytes of an answer's body are read.
const BODY_MAX: usize = 16 * 1024;

/// A longer `Retry-After` is no number and no date.
const RETRY_AFTER_MAX: usize = 64;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const DELIVERY_ATTEMPT: HeaderName = HeaderName::from_static("x-delivery-attempt");
const WEBHOOK_DELIVERY: HeaderName = HeaderName::from_static("webhook-delivery");
const NO_RETRY: HeaderName = HeaderName::from_static("x-no-retry");

/// What is to be sent, complete.
#[derive(Clone, Debug)]
pub struct OutboundCallback {
    /// Where to; `:scope_id` already replaced.
    pub url: Url,
    /// The exact bytes that were signed.
    pub body: Bytes,
    /// `X-Signature`: the HMAC-SHA1 of the body in lower-case hex.
    pub signature: String,
    /// `webhook-id`: the message's id, the same in all attempts.
    pub webhook_id: String,
    /// `webhook-timestamp`: seconds since 1970 at the moment of the attempt.
    pub webhook_timestamp: u64,
    /// `X-Delivery-OutboundCallback`: 1 for the first.
    pub number: u32,
    /// For the whole exchange, from the look-up to the last byte that is read.
    pub timeout: Duration,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// An answer, or why there is none.
    pub outcome: ExchangeOutcome,
    /// From the call to the end of reading.
    pub duration: Duration,
    /// From the call until the head of the answer was complete; with a new connection this
    /// holds look-up, connecting and handshake.
    pub head: Option<Duration>,
    /// Where the connection went; unknown when there was no answer.
    pub remote: Option<SocketAddr>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeOutcome {
    /// The head of an answer arrived, whatever its status.
    Answered(CallbackAnswer),
    /// No complete head arrived.
    Failed(RequestFailure),
}

/// What the receiver said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackAnswer {
    /// The status, 100 to 999.
    pub status: u16,
    /// `Retry-After` as it was written, when it is short enough to mean something.
    pub retry_after: Option<String>,
    /// What the receiver asked for besides.
    pub wish: Wish,
    /// The beginning of the body.
    pub excerpt: BodyExcerpt,
}

/// Whether the receiver wants to see the message again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing said.
    Unspoken,
    /// `webhook-delivery: abort-message` or `X-No-Retry: 1`.
    NoMoreAttempts,
}

/// Sends callbacks. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CallbackClient {
    client: Client,
    guard: Arc<AddressGuard>,
}

impl CallbackClient {
    /// Sends through `client` (see [`super::client::build`]) what `guard` lets pass.
    #[must_use]
    pub const fn new(client: Client, guard: Arc<AddressGuard>) -> Self {
        Self { client, guard }
    }

    /// Sends one request and reads its answer. Never fails and never repeats: whatever
    /// happens is an [`Exchange`]. Dropping the future drops the connection.
    pub async fn attempt(&self, attempt: OutboundCallback) -> Exchange {
        let started = Instant::now();
        let sent = match self.request(attempt) {
            Ok(request) => self
                .client
                .execute(request)
                .await
                .map_err(|error| RequestFailure::classify(&error)),
            Err(failure) => Err(failure),
        };
        match sent {
            Ok(response) => answered(response, started).await,
            Err(failure) => Exchange {
                outcome: ExchangeOutcome::Failed(failure),
                duration: started.elapsed(),
                head: None,
                remote: None,
            },
        }
    }

    fn request(&self, attempt: OutboundCallback) -> Result<Request, RequestFailure> {
        self.guard
            .check(&attempt.url)
            .map_err(|reason| RequestFailure::refused(&reason))?;
        let headers = headers(&attempt).map_err(|error| {
            RequestFailure::new(
                FailureKind::Invalid,
                &format!("a header cannot be sent: {error}"),
            )
        })?;
        let mut request = Request::new(Method::POST, attempt.url);
        *request.headers_mut() = headers;
        *request.body_mut() = Some(Body::from(attempt.body));
        *request.timeout_mut() = Some(attempt.timeout);
        Ok(request)
    }
}

fn headers(attempt: &OutboundCallback) -> Result<HeaderMap, InvalidHeaderValue> {
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(SIGNATURE, HeaderValue::from_str(&attempt.signature)?);
    headers.insert(WEBHOOK_ID, HeaderValue::from_str(&attempt.webhook_id)?);
    headers.insert(
        WEBHOOK_TIMESTAMP,
        HeaderValue::from(attempt.webhook_timestamp),
    );
    headers.insert(DELIVERY_ATTEMPT, HeaderValue::from(attempt.number));
    Ok(headers)
}

async fn answered(mut response: Response, started: Instant) -> Exchange {
    let head = started.elapsed();
    let remote = response.remote_addr();
    let excerpt = read(&mut response).await;
    let duration = started.elapsed();
    let headers = response.headers();
    Exchange {
        outcome: ExchangeOutcome::Answered(CallbackAnswer {
            status: response.status().as_u16(),
            retry_after: retry_after(headers),
            wish: wish(headers),
            excerpt,
        }),
        duration,
        head: Some(head),
        remote,
    }
}

/// Reads the body as far as it is wanted. The attempt's time-out goes on running inside the
/// response; what is left unread when the response is dropped closes the connection.
async fn read(response: &mut Response) -> BodyExcerpt {
    let mut kept = Vec::new();
    let mut length = 0_usize;
    let end = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => {
                length = length.saturating_add(chunk.len());
                let wanted = EXCERPT_MAX.saturating_sub(kept.len());
                kept.extend(chunk.iter().take(wanted));
                if length > BODY_MAX {
                    break BodyEnd::TooLong;
                }
            }
            Ok(None) => break BodyEnd::Complete,
            Err(error) if error.is_timeout() => break BodyEnd::TooSlow,
            Err(_broken) => break BodyEnd::Broken,
        }
    };
    BodyExcerpt::new(&kept, end)
}

fn retry_after(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    (text.len() <= RETRY_AFTER_MAX).then(|| text.to_owned())
}

fn wish(headers: &HeaderMap) -> Wish {
    let says = |name: &HeaderName, word: &str| {
        headers.get_all(name).iter().any(|value| {
            value
                .as_bytes()
                .trim_ascii()
                .eq_ignore_ascii_case(word.as_bytes())
        })
    };
    if says(&WEBHOOK_DELIVERY, "abort-message") || says(&NO_RETRY, "1") {
        Wish::NoMoreAttempts
    } else {
        Wish::Unspoken
    }
}

#[cfg(test)]
mod tests;
