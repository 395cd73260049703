//! Leftovers of a disconnection after the end of a process: callbacks that wait, and that no integration is to get any
//! more.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use serde::de::DeserializeOwned;
use switchboard_actors::domain::conversation::{Conversation, Replied};
use switchboard_actors::domain::delivery_queue::{DeliveryChange, QueueEvent, StoredQueue};
use switchboard_actors::domain::dispatch::delivery_queue::OutNumber;
use switchboard_actors::domain::dispatch::record::DeliveryRecord;
use switchboard_actors::domain::id::{ConversationId, ScopeId};
use switchboard_actors::domain::scope::{Scope, ScopeEvent};
use switchboard_engine::state::State;
use switchboard_engine::store::Record;
use switchboard_engine::testkit::simulation::history::Page;

/// A callback that waits, though its scope is disconnected.
pub(super) struct Leftover {
    conversation: ConversationId,
    change: DeliveryChange,
    /// The record that it was queued by.
    queued: Record,
}

impl Leftover {
    /// A record that takes it out of the queue without an end.
    pub(super) fn lose(&self) -> Page {
        let settled = QueueEvent::Settled(Box::new(self.change.clone()));
        Page {
            record: Record {
                stream: StoredQueue::stream(&self.conversation),
                blob: Bytes::new(),
                ..self.queued.clone()
            },
            event: serde_json::to_value(settled).unwrap(),
        }
    }
}

/// All of them.
pub(super) fn find(pages: &[Page]) -> Vec<Leftover> {
    let mut disconnected: BTreeSet<ScopeId> = BTreeSet::new();
    let mut waiting: BTreeMap<(ConversationId, OutNumber), Leftover> = BTreeMap::new();
    for page in pages {
        let stream = &page.record.stream;
        if let Some(scope) = Scope::id_of(stream) {
            match event(page) {
                ScopeEvent::Connected(_) => disconnected.remove(&scope),
                ScopeEvent::Disconnected => disconnected.insert(scope),
                ScopeEvent::ConversationBound { .. } | ScopeEvent::PersonBound { .. } => false,
            };
        } else if let Some(conversation) = Conversation::id_of(stream) {
            if let Some(replied) = page.event.get("Replied") {
                let replied: Replied = serde_json::from_value(replied.clone()).unwrap();
                let number = OutNumber(replied.out);
                let leftover = Leftover {
                    conversation,
                    change: DeliveryChange {
                        scope: replied.scope,
                        number,
                        record: DeliveryRecord::default(),
                    },
                    queued: page.record.clone(),
                };
                waiting.insert((conversation, number), leftover);
            }
        } else if let Some(conversation) = StoredQueue::id_of(stream) {
            let change = event::<QueueEvent>(page).into_change();
            if let Some(leftover) = waiting.get_mut(&(conversation, change.number)) {
                leftover.change = change;
            }
        }
    }
    let waiting = waiting
        .into_values()
        .filter(|it| disconnected.contains(&it.change.scope) && !it.change.record.state.is_final());
    waiting.collect()
}

fn event<T: DeserializeOwned>(page: &Page) -> T {
    serde_json::from_value(page.event.clone()).unwrap()
}
