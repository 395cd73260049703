//! The way up: a request of a bridge goes to the counterpart as it is, and the answer comes back as it is.
//!
//! Where it goes follows from its path and from the list of the operator alone: from the channel in the path, or from the host behind
//! [`HOST_PREFIX`]. The header `Host` decides nothing.

pub mod channel;
pub mod hosts;
mod later;

use std::collections::BTreeSet;
use std::time::Duration;

use actix_http::{HttpMessage as _, Payload, Request};
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use bytes::Bytes;
use serde_json::json;
use switchboard_actors::domain::id::{ChannelId, ScopeId};
use switchboard_actors::relay::news as shapes;
use switchboard_actors::relay::upward::UpwardOutcome;
use switchboard_actors::relay_book::KnownRelay;
use switchboard_http::chat;
use switchboard_http::extract::body::{self, BodyReadError};
use switchboard_http::state::AppState;
use switchboard_network::outbound::passage::{Passage, PassedAnswer, PassedRequest};
use tokio::time::sleep;
use url::Url;

use self::channel::{HOST_PREFIX, UpwardChannel};
use self::later::Course;
use crate::news::NotedNews;

/// The longest time of an exchange with the counterpart.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time for which a request waits for its turn.
const TURN_MAX: Duration = Duration::from_secs(5);
/// The longest body of a request.
const BODY_MAX: usize = 8 << 20;
/// The time after which a bridge may try again.
const AGAIN_SECONDS: &str = "5";

/// The way up of the relays of a service.
#[derive(Debug)]
pub struct Upward {
    passage: Passage,
    channels: Vec<UpwardChannel>,
}

/// The place that a request goes to.
struct Destination<'u> {
    channel: &'u ChannelId,
    origin: Url,
    /// The path with its query, as it came.
    target: String,
}

impl Upward {
    /// The way up of these relays.
    #[must_use]
    pub fn new(passage: Passage, channels: Vec<UpwardChannel>) -> Self {
        Self { passage, channels }
    }

    /// Returns whether a request is one of a bridge, by its path.
    pub(crate) fn takes(&self, path: &str) -> bool {
        path.starts_with(HOST_PREFIX) || self.channel_of(path).is_some()
    }

    /// The relay whose channel a path of the chat interface names, by itself or as a scope.
    fn channel_of(&self, path: &str) -> Option<&UpwardChannel> {
        let rest = path.strip_prefix(chat::PREFIX)?;
        let name = rest.split('/').next().unwrap_or_default();
        let scope = name.parse::<ScopeId>().ok();
        self.channels.iter().find(|known| {
            let of_scope = scope.as_ref().map(ScopeId::channel);
            known.channel.as_str() == name || of_scope == Some(&known.channel)
        })
    }

    /// The place that a request goes to, or why it goes nowhere.
    fn destination(&self, request: &Request) -> Result<Destination<'_>, String> {
        let uri = request.uri();
        if let Some(authority) = uri.authority() {
            return Err(format!(
                "this relay is no proxy: the request line names «{authority}»; name the path alone"
            ));
        }
        let target = uri.path_and_query().map_or("/", |it| it.as_str());
        if let Some(known) = self.channel_of(uri.path()) {
            return Ok(Destination {
                channel: &known.channel,
                origin: known.upstream.clone(),
                target: target.to_owned(),
            });
        }
        let rest = target.strip_prefix(HOST_PREFIX).unwrap_or_default();
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let rules = self
            .channels
            .iter()
            .flat_map(|known| known.hosts.iter().map(move |rule| (known, rule)));
        let origin = rules
            .filter_map(|(known, rule)| Some((known, rule.origin(host)?)))
            .next();
        let Some((known, origin)) = origin else {
            return Err(format!(
                "the host «{host}» is not on the list of this relay (upstream_hosts)"
            ));
        };
        Ok(Destination {
            channel: &known.channel,
            origin,
            target: format!("/{path}"),
        })
    }

    /// Passes a request on, and its answer back.
    pub(crate) async fn answer(
        &self,
        request: &Request,
        payload: Payload,
        state: &AppState,
        news: &NotedNews,
    ) -> HttpResponse {
        let destination = match self.destination(request) {
            Ok(destination) => destination,
            Err(detail) => {
                for relay in state.system().relays().iter() {
                    relay.upward.note(UpwardOutcome::Refused, state.now());
                }
                return refusal(StatusCode::MISDIRECTED_REQUEST, "host", &detail);
            }
        };
        let relay = state.system().relays().of_channel(destination.channel);
        let note = |outcome| {
            if let Some(relay) = relay {
                relay.upward.note(outcome, state.now());
            }
        };
        let body = match body::read(request, payload, BODY_MAX, true, || {}).await {
            Ok(body) => body,
            Err(unread) => {
                note(UpwardOutcome::Refused);
                return unread_body(&unread);
            }
        };
        let channel = destination.channel.clone();
        let mut outgoing = passed(request, destination, body);
        let is_chat = chat::is_chat(request.uri().path());
        let later = relay.filter(|it| is_chat && it.settings.posts_to.is_some());
        if let Some(relay) = later {
            match later::course(request, outgoing, state, relay).await {
                Course::Passes(same) => outgoing = same,
                Course::Ends(outcome, response) => {
                    note(outcome);
                    return response;
                }
            }
        }
        if let Some(relay) = relay {
            let Some(wait) = relay.pace.turn(state.now(), TURN_MAX) else {
                note(UpwardOutcome::Failed);
                let detail =
                    "more requests than upstream_per_second wait for their turn; try again";
                return refusal(StatusCode::SERVICE_UNAVAILABLE, "pace", detail);
            };
            // A sleep of no time at all ends with the next tick of the timer, a millisecond later.
            if !wait.is_zero() {
                sleep(wait).await;
                outgoing.timeout = outgoing.timeout.saturating_sub(wait);
            }
        }
        match self.passage.pass(outgoing).await {
            Ok(mut answer) => {
                note(kind_of(&answer));
                note_status(relay, &answer);
                if let Some(relay) = later {
                    answer = later::with_own_ids(answer, state, relay).await;
                }
                let shape = shapes::of_status(answer.status);
                if let (Some(relay), Some(shape)) = (relay, shape) {
                    news.note(relay, state.system(), || BTreeSet::from([shape]));
                }
                response(answer)
            }
            Err(failure) => {
                note(UpwardOutcome::Failed);
                let kind = failure.kind.name();
                tracing::warn!(%channel, kind, "the counterpart did not answer a request of the bridge");
                let detail = format!("the counterpart did not answer ({kind}); try again");
                refusal(StatusCode::SERVICE_UNAVAILABLE, kind, &detail)
            }
        }
    }
}

/// The request as it goes on.
fn passed(request: &Request, destination: Destination<'_>, body: Bytes) -> PassedRequest {
    let headers = request.headers().iter();
    PassedRequest {
        origin: destination.origin,
        method: request.method().to_string(),
        target: destination.target,
        headers: headers
            .map(|(name, value)| {
                let value = Bytes::copy_from_slice(value.as_bytes());
                (name.as_str().to_owned(), value)
            })
            .collect(),
        body,
        timeout: TIMEOUT,
    }
}

/// Returns whether an answer is one of the interface, or a page for people.
fn kind_of(answer: &PassedAnswer) -> UpwardOutcome {
    let is_page = answer.headers.iter().any(|(name, value)| {
        name == "content-type" && value.to_ascii_lowercase().starts_with(b"text/html")
    });
    if is_page && answer.status >= 400 {
        UpwardOutcome::Page
    } else {
        UpwardOutcome::Answered
    }
}

fn note_status(relay: Option<&KnownRelay>, answer: &PassedAnswer) {
    if let Some(relay) = relay.filter(|_| kind_of(answer) == UpwardOutcome::Page) {
        tracing::warn!(channel = %relay.settings.channel, status = answer.status, "the counterpart answers the bridge with pages for people: it may have blocked the address");
    }
}

/// The answer as it came.
fn response(answer: PassedAnswer) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut response = HttpResponse::build(status);
    for (name, value) in answer.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        let value = HeaderValue::from_maybe_shared(value);
        if let (Ok(name), Ok(value)) = (name, value) {
            response.append_header((name, value));
        }
    }
    response.body(answer.body)
}

fn unread_body(unread: &BodyReadError) -> HttpResponse {
    match unread {
        BodyReadError::TooLarge => refusal(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            "the body is longer than 8 MiB",
        ),
        BodyReadError::Busy => refusal(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            "the service is busy",
        ),
        BodyReadError::TooSlow(_)
        | BodyReadError::GivenUp
        | BodyReadError::NotThere
        | BodyReadError::BrokenOff(_) => refusal(
            StatusCode::BAD_REQUEST,
            "broken",
            "the body did not arrive whole",
        ),
    }
}

fn refusal(status: StatusCode, reason: &str, detail: &str) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.insert_header((header::RETRY_AFTER, AGAIN_SECONDS));
    }
    response.json(json!({ "reason": reason, "detail": detail }))
}
