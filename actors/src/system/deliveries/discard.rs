//! The operator, or an account user, takes a message out of the queue.

use crate::dispatcher::Discard;
use crate::domain::audit::By;
use crate::domain::dispatch::record::CancelReason;
use crate::domain::id::MessageId;
use crate::system::System;
use crate::system::deliveries::{Delivery, queue_of};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// The rejection of a discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiscardRejection {
    /// No account user wrote a message with this id.
    #[error("there is no such delivery")]
    Unknown,
    /// It was delivered, given up or cancelled before.
    #[error("this delivery has already ended")]
    Final,
}

impl System {
    /// Takes a message out of the queue for an operator: it is not sent any more, unless an attempt that is in progress
    /// succeeds.
    ///
    /// # Errors
    /// Why it is not discarded, or that nothing can be stored now.
    pub async fn discard_delivery(
        &self,
        by: By,
        id: MessageId,
    ) -> Result<Delivery, CommandError<DiscardRejection>> {
        self.cancel_delivery(by, id, CancelReason::Discarded).await
    }

    /// As [`Self::discard_delivery`], with this reason.
    pub(in crate::system) async fn cancel_delivery(
        &self,
        by: By,
        id: MessageId,
        why: CancelReason,
    ) -> Result<Delivery, CommandError<DiscardRejection>> {
        let _accepted = self.kernel().gate.enter()?;
        let reject = |why| Err(CommandError::Rejected(why));
        self.kernel().caught_up().await;
        let Some((conversation, outgoing)) = self.written(id)? else {
            return reject(DiscardRejection::Unknown);
        };
        let number = outgoing.number();
        if self.delivery_record(conversation, number)?.state.is_final() {
            return reject(DiscardRejection::Final);
        }
        self.note_delivery(by, "delivery.discard", &outgoing)
            .await?;
        let queue = queue_of(conversation, &outgoing);
        let discard = Discard { queue, number, why };
        let answer = self.running.dispatcher.send(discard).await;
        let submitted = answer.map_err(|_ended| UnavailableError::Stopping)??;
        let Some(submitted) = submitted else {
            return reject(DiscardRejection::Final);
        };
        self.on_disk(submitted).await?;
        let delivery = self.delivery(id).await?;
        delivery.ok_or(CommandError::Rejected(DiscardRejection::Unknown))
    }
}
