//! The outcome of a test, as the operator sees it.

use switchboard_actors::domain::dispatch::outcome::AttemptFailure;
use switchboard_actors::domain::dispatch::reason::{Reason, ReasonFields};
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::{MessageId, ScopeId};
use switchboard_actors::system::operator::test_send::{TestOutcome, TestedAttempt};

view! {
    #[schemars(inline)]
    pub(super) struct Came<'c>(came: &'c TestOutcome) {
        #[serde(flatten)]
        attempt: Attempted<'c> = Attempted::new(&came.attempt),
        version: HookVersion = came.version,
        scope_id: &'c ScopeId = &came.scope,
        message_id: MessageId = came.message,
    }

    #[schemars(inline)]
    pub(super) struct Attempted<'a>(attempt: &'a TestedAttempt) [
        let trace = &attempt.trace;
        let failure = attempt.outcome.failure();
        let excerpt = trace.excerpt.as_str();
    ] {
        delivered: bool = attempt.is_delivered(),
        #[schemars(range(min = 100, max = 999))]
        status: Option<u16> = attempt.outcome.status(),
        failure: Option<AttemptFailure> = failure,
        url: &'a str = &attempt.url,
        /// The network address that was connected to.
        address: Option<String> = trace.address.map(|address| address.to_string()),
        /// In milliseconds.
        answered_ms: Option<u32> = trace.answered_ms,
        /// In milliseconds.
        took_ms: u32 = trace.took_ms,
        /// The beginning of the answer's body.
        excerpt ?: &'a str = failure.is_none().then_some(excerpt),
        /// The step that failed.
        detail ?: &'a str = failure.is_some().then_some(excerpt),
        #[serde(flatten)]
        reason: ReasonFields = Reason::fields(Some(&attempt.reason())),
    }
}
