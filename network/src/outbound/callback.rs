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
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue,
    InvalidHeaderValue, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Request};
use tokio::time::{Instant, Sleep, sleep_until};

use super::client::{self, ClientSettings};
use super::connections::target::Target;
use super::connections::{Connections, UnreadResponse, until};
use super::error::{FailureKind, RequestError};
use super::excerpt::{BodyEnd, BodyExcerpt, EXCERPT_MAX};
use super::guard::AddressGuard;
use super::lookup::Lookup;
use super::pace::Pace;
use super::roots::RootsError;

/// At most so many bytes of an answer's body are read.
const BODY_MAX: usize = 16 * 1024;

/// A longer `Retry-After` is no number and no date.
const RETRY_AFTER_MAX: usize = 64;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");
const GZIP: HeaderValue = HeaderValue::from_static("gzip");
/// There are receivers that answer no other.
const HOOK_SENDER: HeaderValue = HeaderValue::from_static("amoCRM-Webhooks/3.0");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-amocrm-requestid");
const ANYTHING: HeaderValue = HeaderValue::from_static("*/*");
const OURSELVES: HeaderValue = HeaderValue::from_static(client::USER_AGENT);
const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const RELAY_RECEIVED: HeaderName = HeaderName::from_static("x-relay-received");
const RELAY_UNVERIFIED: HeaderName = HeaderName::from_static("x-relay-unverified");
const DELIVERY_ATTEMPT: HeaderName = HeaderName::from_static("x-delivery-attempt");
const WEBHOOK_DELIVERY: HeaderName = HeaderName::from_static("webhook-delivery");
const NO_RETRY: HeaderName = HeaderName::from_static("x-no-retry");

/// A callback that is complete and can be sent.
#[derive(Clone, Debug)]
pub struct OutboundCallback {
    /// The address; `:scope_id` already replaced.
    pub url: Arc<str>,
    /// The exact bytes of the body.
    pub body: Bytes,
    /// The headers that go with the body.
    pub envelope: Envelope,
    /// `X-Delivery-OutboundCallback`: 1 for the first.
    pub number: u32,
    /// For the whole exchange, from the look-up to the last byte that is read.
    pub timeout: Duration,
    /// The pace of its bytes, on a connection of its own; `None`: as fast as the network takes it.
    pub pace: Option<Pace>,
}

/// The headers of a request, by the kind of its body.
#[derive(Clone, Debug)]
pub enum Envelope {
    /// A callback of a channel: JSON with a signature.
    Signed {
        /// `X-Signature`: the HMAC-SHA1 of the body in lower-case hex.
        signature: String,
        /// `webhook-id`: the message's id, the same in all attempts.
        webhook_id: String,
        /// `webhook-timestamp`: seconds since 1970 at the moment of the attempt.
        webhook_timestamp: u64,
    },
    /// A hook of an account's webhook: a form, as the counterpart sends it.
    Form {
        /// `X-Amocrm-Requestid`: the same in all attempts.
        request_id: String,
    },
    /// The question of a salesbot: JSON, whose token stands in the body.
    Json,
    /// A post of a bridge: the headers that it came with, or those of a new signature.
    Post(Vec<(&'static str, String)>),
    /// A hook of the counterpart, passed on as it came.
    Relayed(Box<RelayedEnvelope>),
}

/// The headers of a hook that is passed on: those that it came with, and those of the relay.
#[derive(Clone, Debug)]
pub struct RelayedEnvelope {
    /// `Content-Type` as it came.
    pub content_type: Option<String>,
    /// `X-Signature` as it came.
    pub signature: Option<String>,
    /// `User-Agent` as it came.
    pub user_agent: Option<String>,
    /// `webhook-id`: the same in all attempts.
    pub webhook_id: String,
    /// `X-Relay-Received`: the time at which the relay took the hook.
    pub received: String,
    /// True when nothing could be verified: `X-Relay-Unverified`.
    pub is_unverified: bool,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// An answer, or why there is none.
    pub outcome: ExchangeOutcome,
    /// From the call to the end of reading.
    pub duration: Duration,
    /// From the call until the head of the answer was complete; with a new connection this
    /// holds look-up, connecting and handshake.
    pub head: Option<Duration>,
    /// The address that the connection went to; unknown when there was no answer.
    pub remote: Option<SocketAddr>,
}

/// An answer, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeOutcome {
    /// The head of an answer arrived, whatever its status.
    Answered(CallbackAnswer),
    /// No complete head arrived.
    Failed(RequestError),
}

/// The receiver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallbackAnswer {
    /// The status, 100 to 999.
    pub status: u16,
    /// `Retry-After` as it was written, when it is short enough to mean something.
    pub retry_after: Option<String>,
    /// The receiver's wish about further attempts.
    pub wish: Wish,
    /// The beginning of the body.
    pub excerpt: BodyExcerpt,
}

/// The receiver's wish to see the message again, or not to.
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
    connections: Arc<Connections>,
}

impl CallbackClient {
    /// Sends what `guard` lets pass, to addresses that it lets pass. Reads the system's certificates from disk, so it
    /// belongs in the start-up and not in a request.
    ///
    /// # Errors
    /// When the root certificates cannot be used.
    pub fn new(
        settings: &ClientSettings,
        guard: Arc<AddressGuard>,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, RootsError> {
        let connections = Arc::new(Connections::new(settings, guard, lookup)?);
        Ok(Self { connections })
    }

    /// Sends one request and reads its answer. Never fails and never repeats: whatever
    /// happens is an [`Exchange`]. Dropping the future drops the connection.
    pub async fn attempt(&self, attempt: OutboundCallback) -> Exchange {
        let start = Instant::now();
        let mut deadline = pin!(sleep_until(start + attempt.timeout));
        match self.send(attempt, deadline.as_mut()).await {
            Ok(answer) => self.answered(answer, start, deadline).await,
            Err(failure) => Exchange {
                outcome: ExchangeOutcome::Failed(failure),
                duration: start.elapsed(),
                head: None,
                remote: None,
            },
        }
    }

    async fn send(
        &self,
        attempt: OutboundCallback,
        deadline: Pin<&mut Sleep>,
    ) -> Result<UnreadResponse, RequestError> {
        let target = self.connections.target(&attempt.url)?;
        let pace = attempt.pace;
        let request = request(attempt, &target).map_err(|error| {
            RequestError::new(
                FailureKind::Invalid,
                &format!("a header cannot be sent: {error}"),
            )
        })?;
        self.connections
            .send(&target, request, pace, deadline)
            .await
    }

    async fn answered(
        &self,
        answer: UnreadResponse,
        started: Instant,
        mut deadline: Pin<&mut Sleep>,
    ) -> Exchange {
        let head = started.elapsed();
        let (response, mut connection, origin) = answer.into_parts();
        let remote = connection.remote;
        let (response, mut body) = response.into_parts();
        let excerpt = if body.is_end_stream() {
            BodyExcerpt::new(&[], BodyEnd::Complete)
        } else {
            let reading = read(&mut body, deadline.as_mut());
            connection.polled(reading).await
        };
        let duration = started.elapsed();
        // What is left unread closes the connection.
        if excerpt.end == BodyEnd::Complete {
            drop(body);
            self.connections.keep(origin, connection).await;
        }
        Exchange {
            outcome: ExchangeOutcome::Answered(CallbackAnswer {
                status: response.status.as_u16(),
                retry_after: retry_after(&response.headers),
                wish: wish(&response.headers),
                excerpt,
            }),
            duration,
            head: Some(head),
            remote: Some(remote),
        }
    }
}

fn request(
    attempt: OutboundCallback,
    target: &Target,
) -> Result<Request<Full<Bytes>>, InvalidHeaderValue> {
    let mut request = Request::new(Full::new(attempt.body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = target.path.clone();
    let headers = request.headers_mut();
    headers.reserve(10);
    match attempt.envelope {
        Envelope::Signed {
            signature,
            webhook_id,
            webhook_timestamp,
        } => {
            headers.insert(CONTENT_TYPE, JSON);
            headers.insert(SIGNATURE, signature.try_into()?);
            headers.insert(WEBHOOK_ID, webhook_id.try_into()?);
            headers.insert(WEBHOOK_TIMESTAMP, HeaderValue::from(webhook_timestamp));
            headers.insert(DELIVERY_ATTEMPT, HeaderValue::from(attempt.number));
            headers.insert(ACCEPT, ANYTHING);
            headers.insert(USER_AGENT, OURSELVES);
        }
        Envelope::Json => {
            headers.insert(CONTENT_TYPE, JSON);
            headers.insert(ACCEPT, ANYTHING);
            headers.insert(USER_AGENT, OURSELVES);
        }
        Envelope::Relayed(envelope) => {
            let came = [
                (CONTENT_TYPE, envelope.content_type),
                (SIGNATURE, envelope.signature),
                (USER_AGENT, envelope.user_agent),
            ];
            for (name, value) in came {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_bytes(value.as_bytes())?);
                }
            }
            headers.insert(WEBHOOK_ID, envelope.webhook_id.try_into()?);
            headers.insert(DELIVERY_ATTEMPT, HeaderValue::from(attempt.number));
            headers.insert(RELAY_RECEIVED, envelope.received.try_into()?);
            headers.insert(ACCEPT, ANYTHING);
            if envelope.is_unverified {
                headers.insert(RELAY_UNVERIFIED, HeaderValue::from_static("1"));
            }
        }
        Envelope::Post(named) => {
            for (name, value) in named {
                let value = HeaderValue::from_bytes(value.as_bytes())?;
                headers.insert(HeaderName::from_static(name), value);
            }
            headers.insert(ACCEPT, ANYTHING);
        }
        Envelope::Form { request_id } => {
            headers.insert(CONTENT_TYPE, FORM);
            headers.insert(REQUEST_ID, request_id.try_into()?);
            headers.insert(ACCEPT_ENCODING, GZIP);
            headers.insert(USER_AGENT, HOOK_SENDER);
            if attempt.number > 1 {
                headers.insert(DELIVERY_ATTEMPT, HeaderValue::from(attempt.number));
            }
        }
    }
    headers.insert(HOST, target.host.clone());
    Ok(request)
}

/// Reads the body as far as it is wanted, until the attempt's time is over.
async fn read(body: &mut Incoming, mut deadline: Pin<&mut Sleep>) -> BodyExcerpt {
    let mut excerpt = Vec::new();
    let mut length = 0_usize;
    let end = loop {
        match until(deadline.as_mut(), body.frame()).await {
            Some(Some(Ok(frame))) => {
                let Ok(chunk) = frame.into_data() else {
                    continue;
                };
                length = length.saturating_add(chunk.len());
                let room = EXCERPT_MAX.saturating_sub(excerpt.len());
                excerpt.extend(chunk.iter().take(room));
                if length > BODY_MAX {
                    break BodyEnd::TooLong;
                }
            }
            Some(None) => break BodyEnd::Complete,
            Some(Some(Err(_broken))) => break BodyEnd::Broken,
            None => break BodyEnd::TooSlow,
        }
    };
    BodyExcerpt::new(&excerpt, end)
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
