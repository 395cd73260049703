//! Deliveries of callbacks, message by message, and the operator's changes of them.
//!
//! The newest ones of each channel are remembered, whatever became of them. Of the others, what is queued is found through
//! the queue itself, and what was given up or cancelled through a list of its own; so no list is longer than what it is
//! asked for, and what was delivered earlier is found by its id or in its conversation only.

mod discard;
mod edited_replay;
mod filter;
mod list;
mod replay;
mod request;

pub use discard::DiscardRejection;
pub use edited_replay::EditedReplay;
pub use filter::{DeliveryFilter, StateFilter, StateGroup};
pub use list::DeliveryCursor;
pub use replay::ReplayRejection;
pub use request::{CallbackRequest, RequestRejection};

use crate::domain::audit::By;
use crate::domain::conversation::{Conversation, ConversationEvent, Outgoing};
use crate::domain::dispatch::delivery_queue::QueueId;
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::id::{ConversationId, MessageId};
use crate::domain::keys;
use crate::domain::operator::note::Note;
use crate::system::System;
use crate::system::callbacks::CallbackView;
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::State;
use switchboard_engine::store::committer::Submitted;
use switchboard_runtime::error::UnavailableError;

/// Something on its way to an integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The outgoing part of the message, with the scope that it leaves through.
    pub outgoing: Outgoing,
    /// Its conversation.
    pub conversation: ConversationId,
    /// The state of its callback.
    pub callback: CallbackView,
    /// The stored record of the callback, with the log of its attempts.
    pub record: DeliveryRecord,
}

impl System {
    /// The delivery of a message; `None` when no account user wrote one with this id.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn delivery(&self, id: MessageId) -> Result<Option<Delivery>, UnavailableError> {
        self.kernel().caught_up().await;
        let Some((conversation, outgoing)) = self.written(id)? else {
            return Ok(None);
        };
        let number = outgoing.number();
        let queue = queue_of(conversation, &outgoing);
        let callbacks = self.callbacks_with_records(queue, &[number]).await?;
        let callback = callbacks.into_iter().next();
        let new_delivery = || (CallbackView::queued(), DeliveryRecord::default());
        let (callback, record) = callback.unwrap_or_else(new_delivery);
        Ok(Some(Delivery {
            callback,
            record,
            conversation,
            outgoing,
        }))
    }

    /// Waits until a group is on disk and found.
    pub(crate) async fn on_disk(&self, group: Submitted) -> Result<(), UnavailableError> {
        let kernel = self.kernel();
        let durable = kernel.journal.durable(group.last, group.epoch).await;
        durable.map_err(|_lost| UnavailableError::Interrupted)?;
        kernel.index.indexed(group.last).await;
        Ok(())
    }

    /// Finds the message or reaction of an account user with this id, and its conversation.
    fn written(
        &self,
        id: MessageId,
    ) -> Result<Option<(ConversationId, Outgoing)>, UnavailableError> {
        let Some(record) = self.kernel().index.record(keys::message(id))? else {
            return Ok(None);
        };
        let Some(conversation) = Conversation::id_of(&record.stream) else {
            return Ok(None);
        };
        let outgoing = decode::<ConversationEvent>(&record)?.into_outgoing();
        Ok(outgoing.map(|outgoing| (conversation, outgoing)))
    }

    async fn note_delivery(
        &self,
        by: By,
        action: &'static str,
        outgoing: &Outgoing,
    ) -> Result<(), UnavailableError> {
        self.note(Note {
            by,
            action,
            object: outgoing.id().to_string(),
            account: Some(outgoing.scope().account()),
            changes: Vec::new(),
        })
        .await
    }
}

fn queue_of(conversation: ConversationId, outgoing: &Outgoing) -> QueueId {
    QueueId {
        scope: outgoing.scope().clone(),
        conversation,
    }
}
