//! What an order asks of a world.

mod people;

use std::time::Duration;

use bytes::Bytes;
use hyper::{Method, Request, StatusCode};
use serde::Deserialize;
use switchboard_actors::domain::id::MessageId;

use super::body::{Nothing, check_webhook, json_of, query_of};
use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::order::{Act, OrderRequest, Until, Wait};
use crate::dev::worlds::refusal::Refusal;

/// So much time passes at once at most, in seconds: thirty days.
const ADVANCE_MAX: f64 = 2_592_000.0;
/// How long a client waits, in the world's time, unless it says otherwise.
const WAIT: f64 = 3_600.0;

/// What is asked of a world, and the status of the answer.
pub(super) fn act(request: &Request<Bytes>, words: &[&str]) -> Result<(StatusCode, Act), Refusal> {
    let ok = |act| Ok((StatusCode::OK, act));
    let created = |act| Ok((StatusCode::CREATED, act));
    let method = request.method();
    match (method, words) {
        (_, []) => Err(Refusal::not_allowed("GET, DELETE")),
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
        (_, ["customers" | "users" | "habits", ..]) => people::act(request, words),
        (&Method::GET, ["wait"]) => ok(Act::Wait(wait(request)?)),
        (&Method::POST, ["faults"]) => created(Act::Fault(json_of(request)?)),
        (&Method::GET, ["faults"]) => ok(Act::Faults),
        (&Method::DELETE, ["faults"]) => ok(Act::EndFaults),
        (_, words) => Err(otherwise(words)),
    }
}

/// There is nothing for such a request.
fn otherwise(words: &[&str]) -> Refusal {
    match allowed(words) {
        Some(allowed) => Refusal::not_allowed(allowed),
        None => {
            let words = words.join("/");
            Refusal::unknown(format!(
                "a world has no «{words}»; it has clock, advance, webhook, restart, customers/NAME/say, customers/NAME/messages, customers/NAME/habits, users/NAME/reply, users/NAME/habits, users/NAME/consent, habits, wait, faults, snapshots, snapshots/ID/restore, snapshots/ID/fork and journal"
            ))
        }
    }
}

/// The request as the journal keeps it.
pub(super) fn request(request: &Request<Bytes>, words: &[&str]) -> OrderRequest {
    let query = request.uri().query().map(|query| format!("?{query}"));
    OrderRequest {
        method: request.method().to_string(),
        path: format!("/{}{}", words.join("/"), query.unwrap_or_default()),
        // It was read before.
        body: serde_json::from_slice(request.body()).unwrap_or_default(),
    }
}

/// The methods of an address.
fn allowed(words: &[&str]) -> Option<&'static str> {
    match words {
        ["clock" | "advance" | "restart" | "snapshots"]
        | ["snapshots", _, "restore" | "fork"]
        | ["customers", _, "say"]
        | ["users", _, "reply" | "consent"] => Some("POST"),
        ["webhook"] => Some("PUT"),
        ["customers" | "users", _, "habits"] => Some("PUT, DELETE"),
        ["habits"] => Some("GET, DELETE"),
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
struct WaitQuery {
    until: Until,
    #[serde(default = "one")]
    count: usize,
    message: Option<MessageId>,
    stage: Option<u64>,
    #[serde(rename = "match")]
    matching: Option<String>,
    timeout: Option<f64>,
    #[serde(default)]
    after: u64,
}

fn one() -> usize {
    1
}

fn wait(request: &Request<Bytes>) -> Result<Wait, Refusal> {
    let asked: WaitQuery = query_of(request)?;
    if asked.count == 0 {
        return Err(Refusal::wrong("count is at least 1"));
    }
    if asked.stage.is_some() != (asked.until == Until::Stage) {
        let why = "until=deal.stage needs stage, the number of a status; other states have none";
        return Err(Refusal::wrong(why));
    }
    let timeout = asked.timeout.unwrap_or(WAIT);
    Ok(Wait {
        until: asked.until,
        count: asked.count,
        message: asked.message,
        stage: asked.stage,
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
