//! `/dev/v1`: where worlds are made, steered and ended.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use switchboard_actors::domain::id::MessageId;
use url::Url;

use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::kept::NewWorld;
use crate::dev::worlds::listener::{Answers, Content};
use crate::dev::worlds::order::{Act, JournalForm, Until, Wait};
use crate::dev::worlds::refusal::Refusal;
use crate::dev::worlds::registry::Registry;

/// Where all of it is.
const PREFIX: &str = "/dev/v1/worlds";
/// The longest body of an order.
const BODY_MAX: usize = 256 << 10;
/// The longest name of a world, in bytes.
const NAME_MAX: usize = 200;
/// The longest life of a world, in seconds.
const TTL_MAX: u64 = 86_400;
/// So much time passes at once at most, in seconds: thirty days.
const ADVANCE_MAX: f64 = 2_592_000.0;
/// How long a client waits, in the world's time, unless it says otherwise.
const WAIT: f64 = 3_600.0;

/// What answers orders.
pub(super) struct Control {
    registry: Arc<Registry>,
    /// The hash of the token: both have the same length when they are compared.
    token: [u8; 32],
}

impl Control {
    pub(super) fn new(registry: Arc<Registry>, token: &str) -> Self {
        Self {
            registry,
            token: Sha256::digest(token).into(),
        }
    }

    fn is_allowed(&self, request: &Request<Bytes>) -> bool {
        let given = request.headers().get(AUTHORIZATION);
        let given = given.and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| value.strip_prefix("Bearer "));
        given.is_some_and(|given| {
            let given: [u8; 32] = Sha256::digest(given).into();
            given.ct_eq(&self.token).into()
        })
    }

    async fn obey(&self, request: &Request<Bytes>) -> Result<(StatusCode, Value), Refusal> {
        if !self.is_allowed(request) {
            let why = "the header Authorization has to be «Bearer» and the token of the ready file (dev.token)";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, why));
        }
        if request.body().len() > BODY_MAX {
            let why = format!("a body has {BODY_MAX} bytes at most");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        let path = request.uri().path();
        let unknown = || {
            Refusal::unknown(format!(
                "there is nothing at {path}; worlds are at {PREFIX}"
            ))
        };
        let rest = path.strip_prefix(PREFIX).ok_or_else(unknown)?;
        let words: Vec<&str> = match rest.strip_prefix('/') {
            Some(rest) => rest.split('/').collect(),
            None if rest.is_empty() => Vec::new(),
            None => return Err(unknown()),
        };
        let method = request.method();
        match (method, words.as_slice()) {
            (&Method::POST, []) => {
                let world = self.registry.make(new_world(request)?, None).await?;
                Ok((StatusCode::CREATED, world))
            }
            (&Method::GET, []) => Ok((StatusCode::OK, self.all().await)),
            (&Method::DELETE, [id]) => {
                let ended = self.registry.end(id, "deleted").await?;
                Ok((StatusCode::OK, ended))
            }
            (&Method::POST, [id, "snapshots", snapshot, "fork"]) => {
                let Nothing {} = json_of(request)?;
                Ok((StatusCode::CREATED, self.registry.fork(id, snapshot).await?))
            }
            (_, [id, words @ ..]) => {
                let (status, act) = act(request, words)?;
                Ok((status, self.registry.act(id, act).await?))
            }
            (_, []) => Err(not_allowed("GET, POST")),
        }
    }

    async fn all(&self) -> Value {
        let mut worlds = Vec::new();
        for id in self.registry.ids() {
            // One may end meanwhile.
            if let Ok(world) = self.registry.act(&id, Act::Describe).await {
                worlds.push(world);
            }
        }
        json!({ "worlds": worlds })
    }
}

impl Answers for Control {
    async fn answer(&self, request: Request<Bytes>) -> Option<Response<Content>> {
        let (status, body, kind) = match self.obey(&request).await {
            // A journal: one entry for each line, or text.
            Ok((status, Value::Array(entries))) => {
                let lines = entries.iter().map(|entry| format!("{entry}\n"));
                (status, lines.collect(), "application/x-ndjson")
            }
            Ok((status, Value::String(text))) if text.starts_with("<!doctype html>") => {
                (status, text, "text/html; charset=utf-8")
            }
            Ok((status, Value::String(text))) => (status, text, "text/plain; charset=utf-8"),
            Ok((status, body)) => (status, format!("{body}\n"), "application/json"),
            Err(Refusal { status, detail }) => {
                let title = status.canonical_reason();
                let body = json!({ "type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail });
                (status, format!("{body}\n"), "application/problem+json")
            }
        };
        let mut response = Response::new(Content::whole(body.into()));
        *response.status_mut() = status;
        let kind = HeaderValue::from_static(kind);
        response.headers_mut().insert(CONTENT_TYPE, kind);
        Some(response)
    }
}

fn not_allowed(allowed: &str) -> Refusal {
    let why = format!("this address takes {allowed}");
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why)
}

fn new_world(request: &Request<Bytes>) -> Result<NewWorld, Refusal> {
    let wanted: NewWorld = json_of(request)?;
    if wanted
        .name
        .as_ref()
        .is_some_and(|name| name.len() > NAME_MAX)
    {
        return Err(Refusal::wrong(format!("name has {NAME_MAX} bytes at most")));
    }
    if !(1..=TTL_MAX).contains(&wanted.ttl) {
        return Err(Refusal::wrong(format!(
            "ttl is from 1 to {TTL_MAX} seconds"
        )));
    }
    check_webhook(wanted.webhook.as_deref())?;
    Ok(wanted)
}

/// What is asked of a world, and the status of the answer.
fn act(request: &Request<Bytes>, words: &[&str]) -> Result<(StatusCode, Act), Refusal> {
    let ok = |act| Ok((StatusCode::OK, act));
    let created = |act| Ok((StatusCode::CREATED, act));
    let method = request.method();
    match (method, words) {
        (&Method::GET, []) => ok(Act::Describe),
        (_, []) => Err(not_allowed("GET, DELETE")),
        (&Method::POST, ["clock"]) => {
            let Clock { mode } = json_of(request)?;
            ok(Act::SetClock(mode))
        }
        (&Method::POST, ["advance"]) => {
            let Advance { seconds } = json_of(request)?;
            ok(Act::Advance(seconds_of("seconds", seconds, ADVANCE_MAX)?))
        }
        (&Method::PUT, ["webhook"]) => {
            let Webhook { url } = json_of(request)?;
            check_webhook(url.as_deref())?;
            ok(Act::SetWebhook(url))
        }
        (&Method::POST, ["restart"]) => {
            let Nothing {} = json_of(request)?;
            ok(Act::Restart)
        }
        (&Method::POST, ["snapshots"]) => {
            let Nothing {} = json_of(request)?;
            created(Act::Snapshot)
        }
        (&Method::POST, ["snapshots", snapshot, "restore"]) => {
            let Nothing {} = json_of(request)?;
            ok(Act::Restore {
                snapshot: (*snapshot).to_owned(),
            })
        }
        (&Method::POST, ["customers", customer, "say"]) => {
            let Said { text } = json_of(request)?;
            let customer = decoded(customer)?;
            created(Act::Say { customer, text })
        }
        (&Method::GET, ["customers", customer, "messages"]) => ok(Act::Messages {
            customer: decoded(customer)?,
        }),
        (&Method::POST, ["users", user, "reply"]) => {
            let Replied { text, customer } = json_of(request)?;
            created(Act::Reply {
                user: decoded(user)?,
                customer,
                text,
            })
        }
        (&Method::GET, ["wait"]) => ok(Act::Wait(wait(request)?)),
        (&Method::POST, ["faults"]) => created(Act::Fault(json_of(request)?)),
        (&Method::GET, ["faults"]) => ok(Act::Faults),
        (&Method::DELETE, ["faults"]) => ok(Act::EndFaults),
        (&Method::GET, ["journal"]) => {
            let asked: JournalQuery = query_of(request)?;
            ok(Act::Journal {
                after: asked.after,
                form: asked.form,
            })
        }
        (_, known) => match allowed(known) {
            Some(allowed) => Err(not_allowed(allowed)),
            None => {
                let words = known.join("/");
                Err(Refusal::unknown(format!(
                    "a world has no «{words}»; it has clock, advance, webhook, restart, customers/NAME/say, customers/NAME/messages, users/NAME/reply, wait, faults, snapshots, snapshots/ID/restore, snapshots/ID/fork and journal"
                )))
            }
        },
    }
}

/// The methods of an address.
fn allowed(words: &[&str]) -> Option<&'static str> {
    match words {
        ["clock" | "advance" | "restart" | "snapshots"]
        | ["snapshots", _, "restore" | "fork"]
        | ["customers", _, "say"]
        | ["users", _, "reply"] => Some("POST"),
        ["webhook"] => Some("PUT"),
        ["wait" | "journal"] | ["customers", _, "messages"] => Some("GET"),
        ["faults"] => Some("GET, POST, DELETE"),
        _ => None,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clock {
    mode: ClockMode,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    seconds: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Webhook {
    url: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replied {
    text: String,
    #[serde(default)]
    customer: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaitQuery {
    until: Until,
    #[serde(default = "one")]
    count: usize,
    message: Option<MessageId>,
    #[serde(rename = "match")]
    matching: Option<String>,
    timeout: Option<f64>,
    #[serde(default)]
    after: u64,
}

fn one() -> usize {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalQuery {
    #[serde(default)]
    after: u64,
    #[serde(default)]
    form: JournalForm,
}

fn wait(request: &Request<Bytes>) -> Result<Wait, Refusal> {
    let asked: WaitQuery = query_of(request)?;
    if asked.count == 0 {
        return Err(Refusal::wrong("count is at least 1"));
    }
    let timeout = asked.timeout.unwrap_or(WAIT);
    Ok(Wait {
        until: asked.until,
        count: asked.count,
        message: asked.message,
        matching: asked.matching,
        timeout: seconds_of("timeout", timeout, ADVANCE_MAX)?,
        after: asked.after,
    })
}

fn seconds_of(name: &str, seconds: f64, most: f64) -> Result<Duration, Refusal> {
    if seconds > 0.0 && seconds <= most {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        let why = format!("{name} is more than 0 and at most {most}, not {seconds}");
        Err(Refusal::wrong(why))
    }
}

fn check_webhook(url: Option<&str>) -> Result<(), Refusal> {
    let Some(url) = url else { return Ok(()) };
    let is_http = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    is_http
        .then_some(())
        .ok_or_else(|| Refusal::wrong(format!("webhook is an http or https address, not «{url}»")))
}

/// A word of a path.
fn decoded(word: &str) -> Result<String, Refusal> {
    let decoded = percent_decode_str(word).decode_utf8();
    let decoded = decoded.map(std::borrow::Cow::into_owned);
    decoded.map_err(|why| Refusal::wrong(format!("«{word}» is no part of a path: {why}")))
}

/// The body, which is JSON; an empty one is an empty object.
fn json_of<T: DeserializeOwned>(request: &Request<Bytes>) -> Result<T, Refusal> {
    let body = request.body();
    if body.is_empty() {
        return serde_json::from_str("{}")
            .map_err(|why| Refusal::wrong(format!("the body: {why}")));
    }
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/json") {
        let why = "the body is JSON, and the header Content-Type has to be application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    serde_json::from_slice(body).map_err(|why| Refusal::wrong(format!("the body: {why}")))
}

fn query_of<T: DeserializeOwned>(request: &Request<Bytes>) -> Result<T, Refusal> {
    let query = request.uri().query().unwrap_or_default();
    actix_web::web::Query::from_query(query)
        .map(actix_web::web::Query::into_inner)
        .map_err(|why| Refusal::wrong(format!("the query: {why}")))
}
