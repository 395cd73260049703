//! Deliveries as the operator sees them: where they stand and what was tried, never what was written.

use switchboard_actors::domain::dispatch::outcome::{AttemptFailure, Class};
use switchboard_actors::domain::dispatch::reason::{Reason, ReasonFields};
use switchboard_actors::domain::dispatch::record::{self, DeliveryRecord, LOG_HALF};
use switchboard_actors::domain::id::{ChannelId, ConversationId, MessageId, ScopeId};
use switchboard_actors::domain::text::Name;
use switchboard_actors::system::deliveries;

use crate::inbox::view::CALLBACK_STATES;
use crate::openapi::Seconds;

view! {
    #[schemars(inline)]
    pub(super) struct Delivery<'d>(delivery: &'d deliveries::Delivery) [
        let (outgoing, callback) = (&delivery.outgoing, &delivery.callback);
    ] {
        /// The id of the message.
        id: MessageId = outgoing.id(),
        #[schemars(extend("enum" = ["text", "picture", "file", "reaction"]))]
        r#type: &'static str = outgoing.kind(),
        #[schemars(extend("enum" = CALLBACK_STATES))]
        state: &'static str = callback.state,
        attempts: u32 = callback.attempts,
        next_attempt_at: Option<Seconds> = callback.next_attempt_at.map(Seconds),
        channel_id: &'d ChannelId = outgoing.scope().channel(),
        scope_id: &'d ScopeId = outgoing.scope(),
        conversation_id: ConversationId = delivery.conversation,
        /// Its place among the callbacks of its conversation.
        number: u64 = outgoing.number().0,
        /// The customer whom it is for.
        customer: Option<&'d Name> = outgoing.customer().map(|customer| &customer.name),
        written_at: Seconds = outgoing.written_at().into(),
        replays: u32 = delivery.record.replays,
        #[serde(flatten)]
        reason: ReasonFields = Reason::fields(callback.reason.as_ref()),
    }

    /// A callback, and its last attempt.
    pub(super) struct DeliverySummary<'d>(delivery: &'d deliveries::Delivery) {
        #[serde(flatten)]
        delivery: Delivery<'d> = Delivery::new(delivery),
        last_attempt: Option<DeliveryAttempt<'d>> = delivery.record.last_attempt().map(DeliveryAttempt::new),
    }

    /// A callback, and its attempts.
    pub(super) struct DeliveryLog<'d>(delivery: &'d deliveries::Delivery) [let record = &delivery.record;] {
        #[serde(flatten)]
        delivery: Delivery<'d> = Delivery::new(delivery),
        /// The number of attempts that count towards giving up.
        charged_attempts: u32 = record.tally.charged,
        /// The first and the last ten attempts.
        log: Vec<DeliveryAttempt<'d>> = log(record).map(DeliveryAttempt::new).collect(),
        /// The number of attempts that are not in the log.
        log_omitted: u32 = omitted(record),
    }

    pub(in crate::admin) struct DeliveryAttempt<'d>(attempt: &'d record::LoggedAttempt) [let trace = &attempt.trace;] {
        #[schemars(range(min = 1))]
        number: u32 = attempt.number,
        at: Seconds = trace.began.into(),
        /// The network address that was connected to.
        address: Option<String> = trace.address.map(|address| address.to_string()),
        #[schemars(range(min = 100, max = 999))]
        status: Option<u16> = attempt.status,
        failure: Option<AttemptFailure> = attempt.failure,
        class: Class = attempt.class,
        charged: bool = attempt.charged,
        /// Until the head of the answer was there, in milliseconds. Over a new connection this holds the look-up of
        /// the name, connecting and the TLS handshake; null without an answer.
        answered_ms: Option<u32> = trace.answered_ms,
        /// The whole attempt, in milliseconds.
        took_ms: u32 = trace.took_ms,
        excerpt: &'d str = &trace.excerpt,
        next_attempt_at: Option<Seconds> = attempt.next.map(Seconds::from),
    }
}

/// The attempts that are kept: the first and the last ten.
pub(in crate::admin) fn log(
    record: &DeliveryRecord,
) -> impl Iterator<Item = &record::LoggedAttempt> {
    record.first.iter().chain(&record.last)
}

fn omitted(record: &DeliveryRecord) -> u32 {
    match log(record).count() {
        kept if kept < 2 * LOG_HALF => 0,
        kept => (record.tally.made).saturating_sub(u32::try_from(kept).unwrap_or(u32::MAX)),
    }
}
