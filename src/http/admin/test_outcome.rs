//! What came of a test, as the operator sees it.

use serde_json::{Value, json};
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::system::operator::test_send::TestOutcome;

use crate::http::admin::deliveries::failures;
use crate::http::openapi::{Schema, may, must};
use crate::http::reply::reason;

/// What was sent where, and what came.
pub(super) fn view(came: &TestOutcome) -> Value {
    let trace = &came.trace;
    let mut view = json!({
        "delivered": came.is_delivered(),
        "status": came.outcome.status(),
        "failure": came.outcome.failure(),
        "version": came.version.as_str(),
        "scope_id": came.scope,
        "url": came.url,
        "address": trace.address,
        "message_id": came.message,
        "answered_ms": trace.answered_ms,
        "took_ms": trace.took_ms,
    });
    reason::tell(&mut view, Some(&came.reason()));
    // What the sender says of a failure stands where an answer's body would.
    let excerpt = if came.outcome.failure().is_some() {
        "detail"
    } else {
        "excerpt"
    };
    if let Some(view) = view.as_object_mut() {
        view.insert(excerpt.to_owned(), trace.excerpt.as_str().into());
    }
    view
}

/// [`view`], as the document has it.
pub(super) fn schema() -> Schema {
    let millis = || Schema::count().says("In milliseconds.");
    let mut fields = vec![
        must("delivered", Schema::boolean()),
        must("status", Schema::between(100, 999).or_null()),
        must("failure", failures().or_null()),
        must("version", Schema::choice(&HookVersion::NAMES)),
        must("scope_id", Schema::text()),
        must("url", Schema::text()),
        must(
            "address",
            Schema::text()
                .or_null()
                .says("The network address that was connected to."),
        ),
        must("message_id", Schema::uuid()),
        must("answered_ms", millis().or_null()),
        must("took_ms", millis()),
        may(
            "excerpt",
            Schema::text().says("The beginning of the answer's body."),
        ),
        may("detail", Schema::text().says("What failed.")),
    ];
    fields.extend(reason::fields());
    Schema::object(fields)
}
