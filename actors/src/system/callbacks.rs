//! What became of the callback of a message, in words for people.

use serde::Serialize;

use crate::domain::conversation::Replied;
use crate::domain::dispatch::outcome::Class;
use crate::domain::dispatch::record::{
    CancelReason, DeathReason, DeliveryRecord, DeliveryState, HoldReason,
};
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::lane::LaneEvent;
use crate::domain::time::UnixMillis;
use crate::error::Unavailable;
use crate::system::System;

/// Where the callback of a message stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallbackView {
    /// `queued`, `waiting`, `held`, `delivered`, `dead` or `cancelled`.
    pub state: &'static str,
    /// Why it is not delivered; `None` when there is nothing to say.
    pub reason: Option<String>,
    /// How many attempts were made.
    pub attempts: u32,
    /// When the next one is due, in seconds; `None` when that is not known or there is none.
    pub next_attempt_at: Option<u64>,
}

impl CallbackView {
    /// The callback of a message that was just written.
    #[must_use]
    pub fn queued() -> Self {
        Self::of(&DeliveryRecord::default())
    }

    /// Whether the integration has the message.
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.state == "delivered"
    }

    pub(crate) fn of(record: &DeliveryRecord) -> Self {
        let (state, reason, next) = match record.state {
            DeliveryState::Queued => ("queued", None, None),
            DeliveryState::Waiting { until, why } => {
                ("waiting", Some(class(why).to_owned()), Some(until))
            }
            DeliveryState::Held { why } => ("held", Some(hold(why).to_owned()), None),
            DeliveryState::Delivered { .. } => ("delivered", None, None),
            DeliveryState::Dead { why, .. } => ("dead", Some(death(why)), None),
            DeliveryState::Cancelled { why, .. } => {
                ("cancelled", Some(cancel(why).to_owned()), None)
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

/// What came of an attempt, in words.
pub(crate) fn class(class: Class) -> &'static str {
    match class {
        Class::Delivered => "the integration has it",
        Class::Failing => "the integration does not answer, or answers with an error",
        Class::TooMany => "the integration asked for fewer requests",
        Class::Away => "the integration is away and said for how long",
        Class::Misconfigured => "the address, its certificate or its authorization is wrong",
        Class::Gone => "the integration says that it is gone for good",
        Class::Refused => "the integration does not take this message",
        Class::Aborted => "the integration does not take this message and wants no further attempt",
    }
}

fn hold(why: HoldReason) -> &'static str {
    match why {
        HoldReason::Failing => {
            "the integration failed too often; it is probed, and this goes out when it answers"
        }
        HoldReason::PauseAsked => "the integration asked for a pause",
        HoldReason::Gone => {
            "the integration says that it is gone for good; an operator must switch it on again"
        }
        HoldReason::GivenUp => {
            "the integration has not answered for days; an operator must switch it on again"
        }
        HoldReason::SwitchedOff => "an operator switched the address off, or there is none",
        HoldReason::Paused => "an operator paused the channel",
    }
}

fn death(why: DeathReason) -> String {
    match why {
        DeathReason::Attempts { last } => {
            format!("all attempts are used; the last one: {}", class(last))
        }
        DeathReason::Age { last } => format!(
            "it was tried for too long; the last attempt: {}",
            class(last)
        ),
        DeathReason::Aborted => class(Class::Aborted).to_owned(),
    }
}

fn cancel(why: CancelReason) -> &'static str {
    match why {
        CancelReason::Disconnected => "the account was disconnected from the channel",
        CancelReason::Discarded => "an operator discarded it",
    }
}

impl System {
    /// Where the callback of a message stands.
    pub(crate) fn callback(
        &self,
        conversation: ConversationId,
        replied: &Replied,
    ) -> Result<CallbackView, Unavailable> {
        let found = self
            .env()
            .record::<LaneEvent>(keys::dispatch(conversation, replied.out))?;
        let mut record = found
            .map(|recorded| recorded.event.change().record.clone())
            .unwrap_or_default();
        // A pause holds everything at once and writes nothing for each message.
        let channel = self.channel(replied.scope.channel());
        let paused = channel.is_some_and(|known| known.channel.paused_at.is_some());
        if paused && !record.state.is_final() {
            let why = HoldReason::Paused;
            record.state = DeliveryState::Held { why };
        }
        Ok(CallbackView::of(&record))
    }
}
