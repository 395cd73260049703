//! What became of the callback of a message, in words for people.

use serde::Serialize;

use crate::actor::dispatcher::{LookAtLanes, Seen};
use crate::domain::dispatch::Sight;
use crate::domain::dispatch::endpoint::Health;
use crate::domain::dispatch::lane::{LaneId, OutNumber};
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
    /// `queued`, `sending`, `waiting`, `held`, `delivered`, `dead` or `cancelled`.
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

    /// Whether nothing more happens to it by itself.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self.state, "delivered" | "dead" | "cancelled")
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

/// Why callbacks wait for their endpoint, in words for people.
#[must_use]
pub fn hold(why: HoldReason) -> &'static str {
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

/// Where a message stands that is not final: what is stored of it, and what the dispatcher sees of its lane.
pub(crate) fn standing(record: &DeliveryRecord, number: OutNumber, seen: &Seen) -> CallbackView {
    let stored = CallbackView::of(record);
    if record.state.is_final() {
        return stored;
    }
    let is_head = seen.head == Some(number);
    let held = seen.health.and_then(hold_of);
    let (state, reason, next) = match (seen.sight, held) {
        (Some(Sight::Sending { attempt }), _) if is_head => (
            "sending",
            Some(format!("attempt {attempt} is under way")),
            None,
        ),
        (Some(Sight::Waiting { until, why }), None) if is_head => {
            let reason = why.map(|why| class(why).to_owned());
            ("waiting", reason.or(stored.reason), Some(until))
        }
        (_, Some((why, next))) => ("held", Some(hold(why).to_owned()), next),
        _ if seen.head.is_some_and(|head| head < number) => {
            let reason = "it waits for an earlier message of its conversation";
            ("queued", Some(reason.to_owned()), None)
        }
        _ => match record.state {
            DeliveryState::Waiting { until, .. } if !is_head => {
                ("waiting", stored.reason, Some(until))
            }
            DeliveryState::Queued
            | DeliveryState::Waiting { .. }
            | DeliveryState::Held { .. }
            | DeliveryState::Delivered { .. }
            | DeliveryState::Dead { .. }
            | DeliveryState::Cancelled { .. } => {
                ("queued", Some("it waits for its turn".to_owned()), None)
            }
        },
    };
    CallbackView {
        state,
        reason,
        attempts: stored.attempts,
        next_attempt_at: next.map(UnixMillis::secs),
    }
}

/// Why an endpoint takes no messages now, and when it will be tried; `None` when it takes them.
fn hold_of(health: Health) -> Option<(HoldReason, Option<UnixMillis>)> {
    match health {
        Health::Healthy | Health::SlowStart { .. } => None,
        Health::Open { next_probe, .. } => Some((HoldReason::Failing, Some(next_probe))),
        Health::Paused { until } => Some((HoldReason::PauseAsked, Some(until))),
        Health::Disabled { why } => Some((why, None)),
        Health::SwitchedOff => Some((HoldReason::SwitchedOff, None)),
    }
}

impl System {
    /// What is stored of the callback of a message.
    pub(crate) fn delivery_record(
        &self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<DeliveryRecord, Unavailable> {
        let found = self
            .env()
            .record::<LaneEvent>(keys::dispatch(conversation, number.0))?;
        Ok(found
            .map(|recorded| recorded.event.change().record.clone())
            .unwrap_or_default())
    }

    /// What the dispatcher sees of these lanes, in their order.
    pub(crate) async fn seen(&self, lanes: Vec<LaneId>) -> Result<Vec<Seen>, Unavailable> {
        let look = self.running.dispatcher.send(LookAtLanes(lanes));
        match tokio::time::timeout(self.env().config.ask_deadline, look).await {
            Ok(Ok(seen)) => Ok(seen),
            Ok(Err(_ended)) => Err(Unavailable::Stopping),
            Err(_elapsed) => Err(Unavailable::Busy),
        }
    }

    /// Where the callbacks of these messages of one conversation stand, in their order.
    pub(crate) async fn callbacks(
        &self,
        lane: LaneId,
        numbers: &[OutNumber],
    ) -> Result<Vec<CallbackView>, Unavailable> {
        let mut records = Vec::with_capacity(numbers.len());
        for number in numbers {
            records.push(self.delivery_record(lane.conversation, *number)?);
        }
        // What is final is the same whatever the dispatcher does.
        if records.iter().all(|record| record.state.is_final()) {
            return Ok(records.iter().map(CallbackView::of).collect());
        }
        let seen = self.seen(vec![lane]).await?;
        let seen = seen.first().copied().unwrap_or_default();
        let views = records.iter().zip(numbers);
        Ok(views
            .map(|(record, number)| standing(record, *number, &seen))
            .collect())
    }
}
