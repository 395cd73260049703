//! What became of callbacks, message by message, and what an operator may do about it.
//!
//! The newest ones of each channel are remembered, whatever became of them. Of the others, what is queued is found through
//! the queue itself, and what was given up or cancelled through a list of its own; so no list is longer than what it is
//! asked for, and what was delivered earlier is found by its id or in its conversation only.

mod edited_replay;
mod filter;
mod list;
mod request;

pub use edited_replay::EditedReplay;
pub use filter::{DeliveryFilter, StateFilter, StateGroup};
pub use list::DeliveryCursor;
pub use request::{CallbackRequest, RequestRejection};

use crate::actor::admission::Admission;
use crate::actor::dispatcher::{Discard, Replay};
use crate::domain::audit::By;
use crate::domain::conversation::{Conversation, ConversationEvent, Outgoing};
use crate::domain::dispatch::lane::LaneId;
use crate::domain::dispatch::quota::OverQuota;
use crate::domain::dispatch::record::{DeliveryRecord, DeliveryState};
use crate::domain::dispatch::stock::Place;
use crate::domain::id::{ConversationId, MessageId};
use crate::domain::keys;
use crate::domain::operator::note::Note;
use crate::error::{Refused, Unavailable};
use crate::system::System;
use crate::system::callbacks::CallbackView;
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::State;
use switchboard_engine::store::committer::Submitted;

/// Something on its way to an integration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// What it is, and through which scope it leaves.
    pub outgoing: Outgoing,
    /// Its conversation.
    pub conversation: ConversationId,
    /// Where its callback stands.
    pub callback: CallbackView,
    /// What is stored of that, with the log of its attempts.
    pub record: DeliveryRecord,
}

/// Why a message is not sent again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayRejection {
    /// No account user wrote a message with this id.
    #[error("there is no such delivery")]
    Unknown,
    /// It is on its way.
    #[error("an attempt to deliver this message is under way")]
    OnItsWay,
    /// Nothing can leave through a disconnected scope.
    #[error(
        "the account is not connected to the channel of this message any more; connect it again, then repeat"
    )]
    NotConnected,
    /// Backpressure: too many callbacks are queued.
    #[error(transparent)]
    TooMuchQueued(Box<OverQuota>),
}

/// Why a message is not discarded.
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
    /// The delivery of a message; `None` when no account user wrote one with this id.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn delivery(&self, id: MessageId) -> Result<Option<Delivery>, Unavailable> {
        self.env().caught_up().await;
        let Some((conversation, outgoing)) = self.written(id)? else {
            return Ok(None);
        };
        let number = outgoing.number();
        let lane = lane_of(conversation, &outgoing);
        let callbacks = self.callbacks(lane, &[number]).await?;
        let callback = callbacks.into_iter().next();
        Ok(Some(Delivery {
            callback: callback.unwrap_or_else(CallbackView::queued),
            record: self.delivery_record(conversation, number)?,
            conversation,
            outgoing,
        }))
    }

    /// Sends a message again that was delivered, given up or cancelled. It goes out before what its conversation has
    /// queued, with a fresh budget and the same id.
    ///
    /// # Errors
    /// Why it is not sent again, or that nothing can be stored now.
    pub async fn replay(
        &self,
        by: By,
        id: MessageId,
    ) -> Result<Delivery, Refused<ReplayRejection>> {
        let _accepted = self.env().gate.enter()?;
        let rejected = |why| Err(Refused::Rejected(why));
        self.env().caught_up().await;
        let Some((conversation, outgoing)) = self.written(id)? else {
            return rejected(ReplayRejection::Unknown);
        };
        let lane = lane_of(conversation, &outgoing);
        let number = outgoing.number();
        match self.delivery_record(conversation, number)?.state {
            DeliveryState::Dead { .. }
            | DeliveryState::Cancelled { .. }
            | DeliveryState::Delivered { .. } => {}
            DeliveryState::Queued | DeliveryState::Waiting { .. } | DeliveryState::Held { .. } => {
                return rejected(ReplayRejection::OnItsWay);
            }
        }
        let scope = self.scope_facts(&lane.scope).await?;
        let Some(version) = scope.connection.as_ref().map(|it| it.version) else {
            return rejected(ReplayRejection::NotConnected);
        };
        let place = Place {
            scope: &lane.scope,
            conversation,
            version,
        };
        let promise = Admission::enter(self.env(), &place).await;
        let promise = promise.map_err(|refused| refused.map(ReplayRejection::TooMuchQueued))?;
        self.note_delivery(by, "delivery.replay", &outgoing).await?;
        let asked = Replay {
            messages: vec![(lane, number)],
            delivered: true,
        };
        let answer = self.running.dispatcher.send(asked).await;
        let (_, submitted) = answer.map_err(|_ended| Unavailable::Stopping)??;
        let Some(submitted) = submitted else {
            return rejected(ReplayRejection::OnItsWay);
        };
        self.on_disk(submitted).await?;
        promise.keep();
        let delivery = self.delivery(id).await?;
        delivery.ok_or(Refused::Rejected(ReplayRejection::Unknown))
    }

    /// Takes a message out of the queue: it is not sent any more, unless an attempt that is under way succeeds.
    ///
    /// # Errors
    /// Why it is not discarded, or that nothing can be stored now.
    pub async fn discard(
        &self,
        by: By,
        id: MessageId,
    ) -> Result<Delivery, Refused<DiscardRejection>> {
        let _accepted = self.env().gate.enter()?;
        let rejected = |why| Err(Refused::Rejected(why));
        self.env().caught_up().await;
        let Some((conversation, outgoing)) = self.written(id)? else {
            return rejected(DiscardRejection::Unknown);
        };
        let number = outgoing.number();
        if self.delivery_record(conversation, number)?.state.is_final() {
            return rejected(DiscardRejection::Final);
        }
        self.note_delivery(by, "delivery.discard", &outgoing)
            .await?;
        let asked = Discard(lane_of(conversation, &outgoing), number);
        let answer = self.running.dispatcher.send(asked).await;
        let submitted = answer.map_err(|_ended| Unavailable::Stopping)??;
        let Some(submitted) = submitted else {
            return rejected(DiscardRejection::Final);
        };
        self.on_disk(submitted).await?;
        let delivery = self.delivery(id).await?;
        delivery.ok_or(Refused::Rejected(DiscardRejection::Unknown))
    }

    /// Waits until a group is on disk and found.
    pub(crate) async fn on_disk(&self, group: Submitted) -> Result<(), Unavailable> {
        let env = self.env();
        let durable = env.journal.durable(group.last, group.generation).await;
        durable.map_err(|_lost| Unavailable::Interrupted)?;
        env.index.indexed(group.last).await;
        Ok(())
    }

    /// What an account user wrote or did under this id, and its conversation.
    fn written(&self, id: MessageId) -> Result<Option<(ConversationId, Outgoing)>, Unavailable> {
        let Some(record) = self.env().index.record(keys::message(id))? else {
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
    ) -> Result<(), Unavailable> {
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

fn lane_of(conversation: ConversationId, outgoing: &Outgoing) -> LaneId {
    LaneId {
        scope: outgoing.scope().clone(),
        conversation,
    }
}
