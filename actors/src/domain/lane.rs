//! The stored side of a lane: what became of the callbacks of a conversation's outgoing messages.
//!
//! Every change is stored with the whole record of its message, under the message's own key, so what became of a message
//! is one look-up away whatever its age and the length of the conversation. The lane itself has nothing to remember.

use serde::{Deserialize, Serialize};

use crate::domain::State;
use crate::domain::dispatch::lane::OutNumber;
use crate::domain::dispatch::record::DeliveryRecord;
use crate::domain::id::{ConversationId, ScopeId};
use crate::domain::index::{IndexEntries, StreamKey, StreamKind, Table};
use crate::domain::keys;

/// The lane of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredLane {
    /// The conversation.
    pub conversation: ConversationId,
}

/// What can happen to a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LaneEvent {
    /// Something changed that is not the end.
    Changed(Box<Change>),
    /// The message is final: it leaves the queue.
    Settled(Box<Change>),
}

/// A change of a message's callback.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The scope, in whose queue the message is.
    pub scope: ScopeId,
    /// The message.
    pub number: OutNumber,
    /// Its whole record after the change.
    pub record: DeliveryRecord,
}

impl LaneEvent {
    /// The change, whatever its kind.
    #[must_use]
    pub fn change(&self) -> &Change {
        match self {
            Self::Changed(change) | Self::Settled(change) => change,
        }
    }
}

impl From<Change> for LaneEvent {
    fn from(change: Change) -> Self {
        if change.record.state.is_final() {
            Self::Settled(Box::new(change))
        } else {
            Self::Changed(Box::new(change))
        }
    }
}

impl State for StoredLane {
    type Id = ConversationId;
    type Event = LaneEvent;

    fn stream(id: &ConversationId) -> StreamKey {
        StreamKey::new(StreamKind::Lane, &id.bytes())
    }

    fn id_of(stream: &StreamKey) -> Option<ConversationId> {
        let bytes = <[u8; 16]>::try_from(stream.id.as_ref()).ok()?;
        (stream.kind == StreamKind::Lane).then(|| ConversationId::from_bytes(bytes))
    }

    fn blank(id: &ConversationId) -> Self {
        Self { conversation: *id }
    }

    fn apply(&mut self, _event: &LaneEvent) {}

    fn index(&self, event: &LaneEvent, entries: &mut IndexEntries) {
        entries.key(keys::dispatch(self.conversation, event.change().number.0));
        if let LaneEvent::Settled(change) = event {
            let row = keys::queue_row(&change.scope, self.conversation, change.number.0);
            entries.delete(Table::Queued, row);
        }
    }
}
