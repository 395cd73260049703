//! Deliveries as the operator sees them: where they stand and what was tried, never what was written.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::record::{Attempt, LOG_HALF};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::deliveries::Delivery;

/// A delivery in a list.
pub(super) fn summary(delivery: &Delivery) -> Value {
    let Delivery {
        replied,
        conversation,
        callback,
        record,
    } = delivery;
    let last = record.last.back().or(record.first.last());
    json!({
        "id": replied.id,
        "state": callback.state,
        "reason": callback.reason,
        "attempts": callback.attempts,
        "next_attempt_at": callback.next_attempt_at,
        "channel_id": replied.scope.channel(),
        "scope_id": replied.scope,
        "conversation_id": conversation,
        "number": replied.out,
        "written_at": replied.at.secs(),
        "replays": record.replays,
        "last_attempt": last.map(attempt),
    })
}

/// A delivery with the log of its attempts: the first and the last ten.
pub(super) fn whole(delivery: &Delivery) -> Value {
    let record = &delivery.record;
    let mut view = summary(delivery);
    let log: Vec<Value> = record
        .first
        .iter()
        .chain(&record.last)
        .map(attempt)
        .collect();
    let kept = u32::try_from(log.len()).unwrap_or(u32::MAX);
    let omitted = if log.len() < 2 * LOG_HALF {
        0
    } else {
        record.tally.made.saturating_sub(kept)
    };
    if let Some(view) = view.as_object_mut() {
        view.remove("last_attempt");
        view.insert("charged_attempts".to_owned(), json!(record.tally.charged));
        view.insert("log".to_owned(), json!(log));
        view.insert("log_omitted".to_owned(), json!(omitted));
    }
    view
}

fn attempt(attempt: &Attempt) -> Value {
    let trace = &attempt.trace;
    json!({
        "number": attempt.number,
        "at": trace.began.secs(),
        "address": trace.address,
        "status": attempt.status,
        "failure": attempt.failure,
        "class": attempt.class.as_str(),
        "charged": attempt.charged,
        "connected_ms": trace.connected_ms,
        "answered_ms": trace.answered_ms,
        "took_ms": trace.took_ms,
        "excerpt": trace.excerpt,
        "next_attempt_at": attempt.next.map(UnixMillis::secs),
    })
}
