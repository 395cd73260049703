//! Orders to a world, read from their requests.

mod people;

use std::time::Duration;

use bytes::Bytes;
use hyper::{Method, Request, StatusCode};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::domain::webhooks::code::WebhookCode;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};

use super::A_CURSOR;
use super::body::{check_webhook, nothing, object_of, read_of};
use super::query::QueryReader;
use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::fault::FaultOrder;
use crate::dev::worlds::order::{Act, OrderRequest, Subscribed, Until, Wait};

/// So much time passes at once at most, in seconds: thirty days.
const ADVANCE_MAX: f64 = 2_592_000.0;
/// The time a client waits unless its order says otherwise, in seconds of the world's time.
const WAIT: f64 = 3_600.0;

/// Returns the act that a request orders, and the status of its answer.
pub(super) fn act(request: &Request<Bytes>, words: &[&str]) -> Result<(StatusCode, Act), DevError> {
    let ok = |act| Ok((StatusCode::OK, act));
    let creation = |act| Ok((StatusCode::CREATED, act));
    let method = request.method();
    match (method, words) {
        (_, []) => Err(DevError::not_allowed("GET, DELETE")),
        (&Method::POST, ["clock"]) => {
            let mode =
                |body: &ObjectReader<'_, '_>| body.required_choice("mode", &ClockMode::WORDS);
            ok(Act::SetClock(object_of(request, &["mode"], mode)?))
        }
        (&Method::POST, ["advance"]) => {
            let all = f64::MIN..=f64::MAX;
            let seconds = object_of(request, &["seconds"], |body| {
                body.required_number("seconds", all)
            })?;
            ok(Act::Advance(seconds_of("seconds", seconds, ADVANCE_MAX)?))
        }
        (&Method::PUT, ["webhook"]) => {
            let url = object_of(request, &["url"], |body| {
                let body = body.with_nulls(Nulls::Absent);
                Some(body.optional_string("url").map(str::to_owned))
            })?;
            check_webhook(url.as_deref())?;
            ok(Act::SetWebhook(url))
        }
        (&Method::PUT, ["hooks"]) => ok(Act::Subscribe(subscribed(request)?)),
        (&Method::DELETE, ["hooks"]) => ok(Act::EndHooks),
        (&Method::POST, ["restart"]) => {
            nothing(request)?;
            ok(Act::Restart)
        }
        (&Method::POST, ["snapshots"]) => {
            nothing(request)?;
            creation(Act::Snapshot)
        }
        (&Method::POST, ["snapshots", snapshot, "restore"]) => {
            nothing(request)?;
            ok(Act::Restore {
                snapshot: (*snapshot).to_owned(),
            })
        }
        (_, ["customers" | "users" | "habits", ..]) => people::act(request, words),
        (&Method::GET, ["wait"]) => ok(Act::Wait(wait(request)?)),
        (&Method::POST, ["faults"]) => creation(Act::Fault(read_of(request, FaultOrder::read)?)),
        (&Method::GET, ["faults"]) => ok(Act::Faults),
        (&Method::DELETE, ["faults"]) => ok(Act::EndFaults),
        (_, words) => Err(otherwise(words)),
    }
}

/// There is nothing for such a request.
fn otherwise(words: &[&str]) -> DevError {
    match allowed(words) {
        Some(allowed) => DevError::not_allowed(allowed),
        None => {
            let words = words.join("/");
            DevError::unknown(format!(
                "a world has no «{words}»; it has clock, advance, webhook, hooks, restart, customers/NAME/say, customers/NAME/messages, customers/NAME/habits, users/NAME/reply, users/NAME/habits, users/NAME/consent, habits, wait, faults, snapshots, snapshots/ID/restore, snapshots/ID/fork and journal"
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
        ["hooks"] | ["customers" | "users", _, "habits"] => Some("PUT, DELETE"),
        ["habits"] => Some("GET, DELETE"),
        ["wait" | "journal"] | ["customers", _, "messages"] => Some("GET"),
        ["faults"] => Some("GET, POST, DELETE"),
        _ => None,
    }
}

/// The webhook that a request orders: for all events that the service sends, unless it names some.
fn subscribed(request: &Request<Bytes>) -> Result<Subscribed, DevError> {
    object_of(request, &["url", "settings"], |body| {
        let body = body.with_nulls(Nulls::Absent);
        let codes = body.optional_parsed_list("settings");
        if codes.as_ref().is_some_and(Vec::is_empty) {
            let why = "names at least one event; DELETE ends the webhooks";
            body.reject("settings", ViolationCode::InvalidValue, why.to_owned());
        }
        let all = WebhookCode::ALL.into_iter().filter(|code| code.is_sent());
        Some(Subscribed {
            url: body.optional_parsed("url"),
            codes: codes.unwrap_or_else(|| all.collect()),
        })
    })
}

fn wait(request: &Request<Bytes>) -> Result<Wait, DevError> {
    let mut query = QueryReader::new(request);
    let until = query.choice("until", "state", &Until::WORDS);
    if until.is_none() {
        query.miss("until", "it names the state that is waited for");
    }
    let count = query.parsed("count", "a whole number");
    let message = query.parsed("message", "the id of a message");
    let stage = query.parsed("stage", "the number of a status");
    let matching = query.text("match");
    let timeout = query.parsed("timeout", "a number of seconds");
    let after = query.parsed("after", A_CURSOR).unwrap_or_default();
    query.finish()?;
    // What is missing was refused.
    let until = until.unwrap_or(Until::Quiet);
    let count = count.unwrap_or(1);
    if count == 0 {
        return Err(DevError::wrong("count is at least 1"));
    }
    if stage.is_some() != (until == Until::Stage) {
        let why = "until=lead.stage needs stage, the number of a status; other states have none";
        return Err(DevError::wrong(why));
    }
    Ok(Wait {
        until,
        count,
        message,
        stage,
        matching,
        timeout: seconds_of("timeout", timeout.unwrap_or(WAIT), ADVANCE_MAX)?,
        after,
    })
}

fn seconds_of(name: &str, seconds: f64, most: f64) -> Result<Duration, DevError> {
    if seconds > 0.0 && seconds <= most {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        let why = format!("{name} is more than 0 and at most {most}, not {seconds}");
        Err(DevError::wrong(why))
    }
}
