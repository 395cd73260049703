//! What became of the callback of a message, for people and programs.

pub use crate::views::callback::CallbackView;

use crate::dispatcher::{GetQueues, QueueStatus};
use crate::domain::delivery_queue::QueueEvent;
use crate::domain::dispatch::HeadStatus;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::dispatch::endpoint::EndpointState;
use crate::domain::dispatch::reason::{Reason, ReasonCode};
use crate::domain::dispatch::record::{DeliveryRecord, DeliveryState, HoldReason};
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::domain::time::UnixMillis;
use crate::error::Unavailable;
use crate::system::System;

/// Where a message stands that is not final: what is stored of it, and what the dispatcher sees of its queue.
pub(crate) fn standing(
    conversation: ConversationId,
    record: &DeliveryRecord,
    number: OutNumber,
    seen: &QueueStatus,
) -> CallbackView {
    let stored = CallbackView::of(conversation, record);
    if record.state.is_final() {
        return stored;
    }
    let is_head = seen.head == Some(number);
    let held = seen.health.and_then(|health| hold_of(health, conversation));
    let plain = |code| Some(Reason::plain(code));
    let (state, reason, next) = match (seen.head_status, held) {
        (Some(HeadStatus::Sending { attempt }), _) if is_head => {
            ("sending", Some(Reason::in_flight(attempt)), None)
        }
        (Some(HeadStatus::Waiting { until, why }), None) if is_head => {
            let reason = why.map(|why| Reason::of_outcome(why, None, None));
            ("waiting", stored.reason.or(reason), Some(until))
        }
        (_, Some((why, next))) => {
            let reason = Reason::of_hold(why, conversation);
            ("held", Some(reason), next)
        }
        _ if seen.head.is_some_and(|head| head < number) => {
            ("queued", plain(ReasonCode::BehindEarlier), None)
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
            | DeliveryState::Cancelled { .. } => ("queued", plain(ReasonCode::WaitsForTurn), None),
        },
    };
    CallbackView {
        state,
        reason,
        attempts: stored.attempts,
        next_attempt_at: next.map(UnixMillis::secs),
    }
}

/// Why an endpoint takes no messages of this conversation now, and when it will be tried; `None` when it takes them.
fn hold_of(
    health: EndpointState,
    conversation: ConversationId,
) -> Option<(HoldReason, Option<UnixMillis>)> {
    match health {
        EndpointState::Healthy | EndpointState::SlowStart { .. } => None,
        EndpointState::Failing {
            conversation: held,
            next_probe,
        } => (held == Some(conversation)).then_some((HoldReason::Conversation, next_probe)),
        EndpointState::Open { next_probe, .. } => Some((HoldReason::Failing, Some(next_probe))),
        EndpointState::Paused { until } => Some((HoldReason::PauseAsked, Some(until))),
        EndpointState::Disabled { why } => Some((why, None)),
        EndpointState::ChannelPaused => Some((HoldReason::Paused, None)),
        EndpointState::NoAddress => Some((HoldReason::NoAddress, None)),
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
            .kernel()
            .record::<QueueEvent>(keys::dispatch(conversation, number.0))?;
        Ok(found
            .map(|recorded| recorded.event.change().record.clone())
            .unwrap_or_default())
    }

    /// What the dispatcher sees of these queues, in their order.
    pub(crate) async fn seen(&self, queues: Vec<QueueId>) -> Result<Vec<QueueStatus>, Unavailable> {
        let look = self.running.dispatcher.send(GetQueues(queues));
        match tokio::time::timeout(self.kernel().shared.config.ask_deadline, look).await {
            Ok(Ok(seen)) => Ok(seen),
            Ok(Err(_ended)) => Err(Unavailable::Stopping),
            Err(_elapsed) => Err(Unavailable::Busy),
        }
    }

    /// Where the callbacks of these messages of one conversation stand, in their order.
    pub(crate) async fn callbacks(
        &self,
        queue: QueueId,
        numbers: &[OutNumber],
    ) -> Result<Vec<CallbackView>, Unavailable> {
        let mut records = Vec::with_capacity(numbers.len());
        for number in numbers {
            records.push(self.delivery_record(queue.conversation, *number)?);
        }
        // What is final is the same whatever the dispatcher does.
        let conversation = queue.conversation;
        let of = |record| CallbackView::of(conversation, record);
        if records.iter().all(|record| record.state.is_final()) {
            return Ok(records.iter().map(of).collect());
        }
        let seen = self.seen(vec![queue]).await?;
        let seen = seen.first().copied().unwrap_or_default();
        let views = records.iter().zip(numbers);
        Ok(views
            .map(|(record, number)| standing(conversation, record, *number, &seen))
            .collect())
    }
}
