//! The stored side of a lane: which of a conversation's outgoing messages are final, and how far the first that is not
//! has come.
//!
//! The state holds one record at most: that of the head. A final change is stored with the whole record, under a key of
//! its own, so that what became of a message is found whatever its age.

use serde::{Deserialize, Serialize};

use crate::domain::State;
use crate::domain::dispatch::lane::OutNumber;
use crate::domain::dispatch::record::{DeliveryRecord, Entry};
use crate::domain::id::{ConversationId, ScopeId};
use crate::domain::index::{IndexEntries, StreamKey, StreamKind, Table};
use crate::domain::keys;

/// What is stored of a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredLane {
    /// The conversation.
    pub conversation: ConversationId,
    /// The message that attempts were made for and that is not final yet.
    pub current: Option<Current>,
}

/// A message that is not final, with its record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Current {
    /// The message.
    pub number: OutNumber,
    /// Its record.
    pub record: DeliveryRecord,
}

/// What can happen to a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LaneEvent {
    /// Something changed that is not the end.
    Changed(Changed),
    /// The message is final: it leaves the queue.
    Settled(Box<Settled>),
}

/// Something changed that is not the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// The message.
    pub number: OutNumber,
    /// The change.
    pub entry: Entry,
}

/// A message is final.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// The scope, whose queue the message leaves.
    pub scope: ScopeId,
    /// The message.
    pub number: OutNumber,
    /// Its whole record.
    pub record: DeliveryRecord,
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
        Self {
            conversation: *id,
            current: None,
        }
    }

    fn apply(&mut self, event: &LaneEvent) {
        match event {
            LaneEvent::Changed(changed) => {
                let mut record = self.record(changed.number);
                record.apply(&changed.entry);
                self.current = Some(Current {
                    number: changed.number,
                    record,
                });
            }
            LaneEvent::Settled(settled) => {
                if self
                    .current
                    .as_ref()
                    .is_some_and(|current| current.number == settled.number)
                {
                    self.current = None;
                }
            }
        }
    }

    fn index(&self, event: &LaneEvent, entries: &mut IndexEntries) {
        if let LaneEvent::Settled(settled) = event {
            entries.key(keys::dispatch(self.conversation, settled.number.0));
            let row = keys::queue_row(&settled.scope, self.conversation, settled.number.0);
            entries.delete(Table::Queued, row);
        }
    }
}

impl StoredLane {
    /// The record of a message that is not final; a fresh one when no attempt was made yet.
    #[must_use]
    pub fn record(&self, number: OutNumber) -> DeliveryRecord {
        match &self.current {
            Some(current) if current.number == number => current.record.clone(),
            Some(_) | None => DeliveryRecord::default(),
        }
    }
}
