//! The stored side of a queue: what became of the callbacks of a conversation's outgoing messages.
//!
//! Every change is stored with the whole record of its message, under the message's own key, so what became of a message
//! is one look-up away whatever its age and the length of the conversation. The queue itself has nothing to remember.

use serde::{Deserialize, Serialize};

use crate::chat::delivery::Trouble;
use crate::dispatch::delivery_queue::OutNumber;
use crate::dispatch::record::DeliveryRecord;
use crate::fate::Fate;
use crate::id::{ConversationId, ScopeId};
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The queue of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredQueue {
    /// The conversation.
    pub conversation: ConversationId,
}

/// An event of a delivery queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum QueueEvent {
    /// Something changed that is not the end.
    Changed(Box<DeliveryChange>),
    /// The message is final: it leaves the queue.
    Settled(Box<DeliveryChange>),
    /// A message that was final is queued again.
    Replayed {
        /// The change.
        change: Box<DeliveryChange>,
        /// The time of the event, from which the callback is queued.
        at: UnixMillis,
    },
}

/// A change of a message's callback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeliveryChange {
    /// The scope, in whose queue the message is.
    pub scope: ScopeId,
    /// The message.
    pub number: OutNumber,
    /// Its whole record after the change.
    pub record: DeliveryRecord,
}

impl QueueEvent {
    /// The change, whatever its kind.
    #[must_use]
    pub fn change(&self) -> &DeliveryChange {
        match self {
            Self::Changed(change) | Self::Settled(change) | Self::Replayed { change, .. } => change,
        }
    }

    /// As [`Self::change`], when nothing else is wanted.
    #[must_use]
    pub fn into_change(self) -> DeliveryChange {
        match self {
            Self::Changed(change) | Self::Settled(change) | Self::Replayed { change, .. } => {
                *change
            }
        }
    }
}

impl From<DeliveryChange> for QueueEvent {
    fn from(change: DeliveryChange) -> Self {
        if change.record.state.is_final() {
            Self::Settled(Box::new(change))
        } else {
            Self::Changed(Box::new(change))
        }
    }
}

impl State for StoredQueue {
    type Id = ConversationId;
    type Event = QueueEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::QUEUE;

    fn initial(id: &ConversationId) -> Self {
        Self { conversation: *id }
    }

    fn apply(&mut self, _event: &QueueEvent) {}

    fn index(&self, event: &QueueEvent, entries: &mut IndexEntries) {
        let change = event.change();
        let (scope, number) = (&change.scope, change.number.0);
        entries.key(keys::dispatch(self.conversation, number));
        match event {
            QueueEvent::Changed(_) => {}
            QueueEvent::Settled(_) => {
                let row = keys::queue_row(scope, self.conversation, number);
                entries.delete(tables::QUEUED, row);
                if let Some((fate, at)) = Fate::from_state(&change.record.state) {
                    let row = keys::undelivered_row(fate, scope, self.conversation, number);
                    entries.put(tables::UNDELIVERED, row, at.get().to_be_bytes().to_vec());
                    // The user who withdraws a message knows that it is not sent.
                    if !change.record.state.is_withdrawn() {
                        let row = keys::failed_row(scope.account(), self.conversation, number);
                        entries.put(tables::FAILED, row, vec![Trouble::Undelivered.code()]);
                    }
                }
            }
            QueueEvent::Replayed { at, .. } => {
                let row = keys::queue_row(scope, self.conversation, number);
                entries.put(tables::QUEUED, row, at.get().to_be_bytes().to_vec());
                for fate in Fate::ALL {
                    let row = keys::undelivered_row(fate, scope, self.conversation, number);
                    entries.delete(tables::UNDELIVERED, row);
                }
                let row = keys::failed_row(scope.account(), self.conversation, number);
                entries.delete(tables::FAILED, row);
            }
        }
    }
}
