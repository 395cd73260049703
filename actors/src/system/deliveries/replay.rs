//! The operator has a message sent again.

use crate::dispatcher::{EndWait, Replay};
use crate::domain::audit::By;
use crate::domain::conversation::Outgoing;
use crate::domain::dispatch::delivery_queue::QueueId;
use crate::domain::dispatch::quota::QuotaRejection;
use crate::domain::dispatch::reason::Reason;
use crate::domain::dispatch::record::DeliveryState;
use crate::domain::id::MessageId;
use crate::system::System;
use crate::system::deliveries::{Delivery, queue_of};
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::admission::Admission;
use switchboard_runtime::shared::admission::queue_counts::QueueTarget;

/// The rejection of a replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayRejection {
    /// No account user wrote a message with this id.
    #[error("there is no such delivery")]
    Unknown,
    /// It is on its way.
    #[error("an attempt to deliver this message is in progress")]
    OnItsWay,
    /// It is queued, and its turn has not come; why, if that is known.
    #[error("this message is queued already{}", .0.map_or_else(String::new, |why| format!(": {why}")))]
    Queued(Option<Reason>),
    /// Nothing can leave through a disconnected scope.
    #[error(
        "the account is not connected to the channel of this message any more; connect it again, then repeat"
    )]
    NotConnected,
    /// Backpressure: too many callbacks are queued.
    #[error(transparent)]
    TooMuchQueued(Box<QuotaRejection>),
}

impl System {
    /// Sends a message again that was delivered, given up or cancelled, or at once if it waits for its next attempt. It goes
    /// out before what its conversation has queued, with a fresh budget and the same id.
    ///
    /// # Errors
    /// Why it is not sent again, or that nothing can be stored now.
    pub async fn replay_delivery(
        &self,
        by: By,
        id: MessageId,
    ) -> Result<Delivery, CommandError<ReplayRejection>> {
        let _accepted = self.kernel().gate.enter()?;
        let reject = |why| Err(CommandError::Rejected(why));
        self.kernel().caught_up().await;
        let Some((conversation, outgoing)) = self.written(id)? else {
            return reject(ReplayRejection::Unknown);
        };
        let queue = queue_of(conversation, &outgoing);
        let number = outgoing.number();
        match self.delivery_record(conversation, number)?.state {
            DeliveryState::Dead { .. }
            | DeliveryState::Cancelled { .. }
            | DeliveryState::Delivered { .. } => {}
            DeliveryState::Queued | DeliveryState::Waiting { .. } | DeliveryState::Held { .. } => {
                return self.replay_queued(by, queue, &outgoing).await;
            }
        }
        let scope = self.cached_scope(&queue.scope).await?;
        let Some(version) = scope.connection.as_ref().map(|it| it.version) else {
            return reject(ReplayRejection::NotConnected);
        };
        let place = QueueTarget {
            scope: &queue.scope,
            conversation,
            version,
        };
        let permit = Admission::enter(self.kernel(), &place)
            .await
            .map_err(|refused| refused.map(ReplayRejection::TooMuchQueued))?;
        self.note_delivery(by, "delivery.replay", &outgoing).await?;
        let command = Replay {
            messages: vec![(queue, number)],
            delivered: true,
        };
        let answer = self.running.dispatcher.send(command).await;
        let (_, submitted) = answer.map_err(|_ended| UnavailableError::Stopping)??;
        let Some(submitted) = submitted else {
            return reject(ReplayRejection::OnItsWay);
        };
        self.on_disk(submitted).await?;
        permit.keep();
        self.known_delivery(id).await
    }

    /// A message that is queued is sent now if it waits for its next attempt. It has its place in the queue already.
    async fn replay_queued(
        &self,
        by: By,
        queue: QueueId,
        outgoing: &Outgoing,
    ) -> Result<Delivery, CommandError<ReplayRejection>> {
        let callback = self.known_delivery(outgoing.id()).await?.callback;
        let rejection = match callback.state {
            "waiting" => None,
            "sending" => Some(ReplayRejection::OnItsWay),
            _ => Some(ReplayRejection::Queued(callback.reason)),
        };
        if let Some(rejection) = rejection {
            return Err(CommandError::Rejected(rejection));
        }
        self.note_delivery(by, "delivery.replay", outgoing).await?;
        let command = EndWait(queue, outgoing.number());
        let answer = self.running.dispatcher.send(command).await;
        let submitted = answer
            .map_err(|_ended| UnavailableError::Stopping)??
            .ok_or(CommandError::Rejected(ReplayRejection::OnItsWay))?;
        self.on_disk(submitted).await?;
        self.known_delivery(outgoing.id()).await
    }

    /// Finds the delivery of a message.
    async fn known_delivery(
        &self,
        id: MessageId,
    ) -> Result<Delivery, CommandError<ReplayRejection>> {
        let delivery = self.delivery(id).await?;
        delivery.ok_or(CommandError::Rejected(ReplayRejection::Unknown))
    }
}
