//! The stored state of a message's callback, as people and programs see it.

use serde::Serialize;

use switchboard_domain::dispatch::reason::Reason;
use switchboard_domain::dispatch::record::{DeliveryRecord, DeliveryState};
use switchboard_domain::id::ConversationId;
use switchboard_domain::time::UnixMillis;

/// The state of the callback of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallbackView {
    /// `queued`, `sending`, `waiting`, `held`, `delivered`, `dead` or `cancelled`.
    pub state: &'static str,
    /// The reason why it is not delivered; `None` when there is nothing to say. Written as
    /// [`ReasonFields`](switchboard_domain::dispatch::reason::ReasonFields).
    #[serde(flatten, serialize_with = "Reason::in_fields")]
    pub reason: Option<Reason>,
    /// The number of attempts that were made.
    pub attempts: u32,
    /// The time of the next attempt, in seconds; `None` when that is not known or there is none.
    pub next_attempt_at: Option<u64>,
}

impl CallbackView {
    /// The callback of a message that was just written.
    #[must_use]
    pub fn queued() -> Self {
        Self {
            state: "queued",
            reason: None,
            attempts: 0,
            next_attempt_at: None,
        }
    }

    /// Returns whether the integration has the message.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.state == "delivered"
    }

    /// Returns whether nothing more happens to it by itself.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self.state, "delivered" | "dead" | "cancelled")
    }

    /// The state of the callback of a message of this conversation, by its record.
    pub fn new(conversation: ConversationId, record: &DeliveryRecord) -> Self {
        let last = record.last_attempt().map(Reason::of_attempt);
        let (state, reason, next) = match record.state {
            DeliveryState::Queued => ("queued", None, None),
            DeliveryState::Waiting { until, .. } => ("waiting", last, Some(until)),
            DeliveryState::Held { why } => ("held", Some(Reason::of_hold(why, conversation)), None),
            DeliveryState::Delivered { .. } => ("delivered", None, None),
            DeliveryState::Dead { why, .. } => ("dead", Some(Reason::of_death(why, last)), None),
            DeliveryState::Cancelled { why, .. } => {
                ("cancelled", Some(Reason::of_cancel(why)), None)
            }
        };
        Self {
            state,
            reason,
            attempts: record.tally.made,
            next_attempt_at: next.map(UnixMillis::secs),
        }
    }
}
