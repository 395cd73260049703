//! Deliveries as the operator sees them: where they stand and what was tried, never what was written.

use serde_json::{Value, json};
use switchboard_actors::domain::dispatch::outcome::Class;
use switchboard_actors::domain::dispatch::record::{Attempt, LOG_HALF};
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::deliveries::Delivery;

use crate::http::admin::deliveries::failures;
use crate::http::inbox;
use crate::http::openapi::{Field, Schema, must};
use crate::http::reply::reason;

/// A delivery in a list.
pub(super) fn summary(delivery: &Delivery) -> Value {
    let Delivery {
        outgoing,
        conversation,
        callback,
        record,
    } = delivery;
    let mut view = json!({
        "id": outgoing.id(),
        "type": outgoing.kind(),
        "state": callback.state,
        "attempts": callback.attempts,
        "next_attempt_at": callback.next_attempt_at,
        "channel_id": outgoing.scope().channel(),
        "scope_id": outgoing.scope(),
        "conversation_id": conversation,
        "number": outgoing.number(),
        "written_at": outgoing.written_at().secs(),
        "replays": record.replays,
        "last_attempt": record.last_attempt().map(attempt),
    });
    reason::tell(&mut view, callback.reason.as_ref());
    view
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
        "answered_ms": trace.answered_ms,
        "took_ms": trace.took_ms,
        "excerpt": trace.excerpt,
        "next_attempt_at": attempt.next.map(UnixMillis::secs),
    })
}

/// A delivery in a list.
pub(super) fn summary_schema() -> Schema {
    let mut fields = fields();
    fields.push(must("last_attempt", attempt_schema().or_null()));
    Schema::named("DeliverySummary", Schema::object(fields))
}

/// A delivery with the log of its attempts.
pub(super) fn schema() -> Schema {
    let mut fields = fields();
    fields.extend([
        must(
            "charged_attempts",
            Schema::count().says("How many count towards giving up."),
        ),
        must(
            "log",
            Schema::list(attempt_schema()).says("The first and the last ten attempts."),
        ),
        must(
            "log_omitted",
            Schema::count().says("How many attempts are not in the log."),
        ),
    ]);
    Schema::named("DeliveryLog", Schema::object(fields))
}

fn fields() -> Vec<Field> {
    let mut fields = vec![
        must("id", Schema::uuid().says("The id of the message.")),
        must(
            "type",
            Schema::words(["text", "picture", "file", "reaction"]),
        ),
        must("state", inbox::view::callback_states()),
        must("attempts", Schema::count()),
        must("next_attempt_at", Schema::seconds().or_null()),
        must("channel_id", Schema::text()),
        must("scope_id", Schema::text()),
        must("conversation_id", Schema::uuid()),
        must(
            "number",
            Schema::count().says("Its place among the callbacks of its conversation."),
        ),
        must("written_at", Schema::seconds()),
        must("replays", Schema::count()),
    ];
    fields.extend(reason::fields());
    fields
}

fn attempt_schema() -> Schema {
    let attempt = Schema::object([
        must("number", Schema::from(1)),
        must("at", Schema::seconds()),
        must(
            "address",
            Schema::text()
                .or_null()
                .says("The network address that was connected to."),
        ),
        must("status", Schema::between(100, 999).or_null()),
        must("failure", failures().or_null()),
        must("class", Schema::words(Class::NAMES)),
        must("charged", Schema::boolean()),
        must(
            "answered_ms",
            Schema::count().or_null().says(
                "Until the head of the answer was there, in milliseconds. Over a new connection this holds the look-up of \
                 the name, connecting and the TLS handshake; null without an answer.",
            ),
        ),
        must(
            "took_ms",
            Schema::count().says("The whole attempt, in milliseconds."),
        ),
        must("excerpt", Schema::text()),
        must("next_attempt_at", Schema::seconds().or_null()),
    ]);
    Schema::named("DeliveryAttempt", attempt)
}
