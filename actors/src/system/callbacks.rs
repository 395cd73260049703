//! The state of a message's callback, for people and programs.

pub use switchboard_runtime::views::callback::CallbackView;

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
use crate::system::System;
use switchboard_runtime::error::UnavailableError;

/// Returns the standing of a message that is not final, from the dispatcher's view of its queue and what was stored of the
/// message then or later.
pub(crate) fn standing(
    conversation: ConversationId,
    record: &DeliveryRecord,
    number: OutNumber,
    seen: &QueueStatus,
) -> CallbackView {
    let view = CallbackView::new(conversation, record);
    if record.state.is_final() {
        return view;
    }
    let is_head = seen.head == Some(number);
    let hold = seen.health.and_then(|health| hold_of(health, conversation));
    let plain = |code| Some(Reason::plain(code));
    let (state, reason, next) = match (seen.head_status, hold) {
        // That attempt came back since.
        (Some(HeadStatus::Sending { attempt }), _) if is_head && attempt <= record.tally.made => {
            return view;
        }
        (Some(HeadStatus::Sending { attempt }), _) if is_head => {
            ("sending", Some(Reason::in_flight(attempt)), None)
        }
        (Some(HeadStatus::Waiting { until, why }), None) if is_head => {
            // The record may be older than the attempt that the dispatcher has seen.
            let reason = why.map(Reason::of_outcome);
            ("waiting", reason.or(view.reason), Some(until))
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
                ("waiting", view.reason, Some(until))
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
        attempts: view.attempts,
        next_attempt_at: next.map(UnixMillis::secs),
    }
}

/// The reason why an endpoint takes no messages of this conversation now, and the time of the next attempt; `None` when it
/// takes them.
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
    /// The stored record of a message's callback.
    pub(crate) fn delivery_record(
        &self,
        conversation: ConversationId,
        number: OutNumber,
    ) -> Result<DeliveryRecord, UnavailableError> {
        let stored_event = self
            .kernel()
            .record::<QueueEvent>(keys::dispatch(conversation, number.0))?;
        Ok(stored_event
            .map(|recorded| recorded.event.change().record.clone())
            .unwrap_or_default())
    }

    /// Returns the dispatcher's view of these queues, in their order. It is ahead of the disk, by the attempts that came back
    /// just now, so this waits until the records that it rests on can be read.
    pub(crate) async fn seen(
        &self,
        queues: Vec<QueueId>,
    ) -> Result<Vec<QueueStatus>, UnavailableError> {
        let look = async {
            let answer = self.running.dispatcher.send(GetQueues(queues)).await;
            let statuses = answer.map_err(|_ended| UnavailableError::Stopping)?;
            for change in statuses.iter().filter_map(|status| status.on_its_way) {
                self.on_disk(change).await?;
            }
            Ok(statuses)
        };
        let looked = tokio::time::timeout(self.kernel().shared.config.ask_deadline, look).await;
        looked.unwrap_or(Err(UnavailableError::Busy))
    }

    /// The states of the callbacks of these messages of one conversation, in their order.
    pub(crate) async fn callbacks(
        &self,
        queue: QueueId,
        numbers: &[OutNumber],
    ) -> Result<Vec<CallbackView>, UnavailableError> {
        let callbacks = self.callbacks_with_records(queue, numbers).await?;
        Ok(callbacks.into_iter().map(|(view, _)| view).collect())
    }

    /// The same, with what is stored of them.
    pub(crate) async fn callbacks_with_records(
        &self,
        queue: QueueId,
        numbers: &[OutNumber],
    ) -> Result<Vec<(CallbackView, DeliveryRecord)>, UnavailableError> {
        let records = self.delivery_records(queue.conversation, numbers)?;
        // What is final is the same whatever the dispatcher does.
        let conversation = queue.conversation;
        if records.iter().all(|record| record.state.is_final()) {
            let of = |record| (CallbackView::new(conversation, &record), record);
            return Ok(records.into_iter().map(of).collect());
        }
        let statuses = self.seen(vec![queue]).await?;
        let status = statuses.first().copied().unwrap_or_default();
        // What is seen rests on newer records.
        let records = self.delivery_records(conversation, numbers)?;
        let views = records.into_iter().zip(numbers);
        Ok(views
            .map(|(record, number)| (standing(conversation, &record, *number, &status), record))
            .collect())
    }

    fn delivery_records(
        &self,
        conversation: ConversationId,
        numbers: &[OutNumber],
    ) -> Result<Vec<DeliveryRecord>, UnavailableError> {
        let records = numbers
            .iter()
            .map(|number| self.delivery_record(conversation, *number));
        records.collect()
    }
}
