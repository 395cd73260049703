//! The stored side of deliveries: what became of each hook for each target.

use serde::{Deserialize, Serialize};

use crate::facts::HookKind;
use crate::hooks::row_value;
use switchboard_domain::dispatch::delivery_queue::OutNumber;
use switchboard_domain::dispatch::record::{DeliveryRecord, DeliveryState};
use switchboard_domain::keys;
use switchboard_domain::kinds;
use switchboard_domain::notice::Notice;
use switchboard_domain::relays::{RelayChat, RelayQueueId};
use switchboard_domain::tables;
use switchboard_domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The deliveries of the hooks of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayDeliveries {
    /// The conversation.
    pub chat: RelayChat,
}

/// The delivery of a hook to one target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayDelivery {
    /// The queue.
    pub queue: RelayQueueId,
    /// The hook.
    pub number: OutNumber,
    /// Its whole record.
    pub record: DeliveryRecord,
}

/// An event of deliveries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RelayDeliveryEvent {
    /// Something changed that is not the end.
    Changed(Box<RelayDelivery>),
    /// The hook is final for this target: it leaves the queue.
    Settled(Box<RelayDelivery>),
    /// A hook that was final is queued again.
    Replayed {
        /// The delivery after it.
        delivery: Box<RelayDelivery>,
        /// The time of the event.
        at: UnixMillis,
    },
}

impl RelayDeliveryEvent {
    /// The delivery, whatever its change.
    #[must_use]
    pub fn delivery(&self) -> &RelayDelivery {
        match self {
            Self::Changed(delivery) | Self::Settled(delivery) | Self::Replayed { delivery, .. } => {
                delivery
            }
        }
    }
}

impl From<RelayDelivery> for RelayDeliveryEvent {
    fn from(delivery: RelayDelivery) -> Self {
        if delivery.record.state.is_final() {
            Self::Settled(Box::new(delivery))
        } else {
            Self::Changed(Box::new(delivery))
        }
    }
}

impl State for RelayDeliveries {
    type Id = RelayChat;
    type Event = RelayDeliveryEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::RELAY_DELIVERIES;

    fn initial(id: &RelayChat) -> Self {
        Self { chat: *id }
    }

    fn apply(&mut self, _event: &RelayDeliveryEvent) {}

    fn index(&self, event: &RelayDeliveryEvent, entries: &mut IndexEntries) {
        let delivery = event.delivery();
        entries.key(keys::relays::delivery(delivery.queue, delivery.number));
        let row = keys::relays::queue_row(delivery.queue, delivery.number);
        match event {
            RelayDeliveryEvent::Changed(_) => {}
            RelayDeliveryEvent::Settled(_) => {
                if let DeliveryState::Dead { at, .. } = delivery.record.state {
                    let since = at.get().to_be_bytes().to_vec();
                    entries.put(tables::RELAYS_DEAD, row.clone(), since);
                }
                entries.delete(tables::RELAYS_QUEUED, row);
            }
            RelayDeliveryEvent::Replayed { at, .. } => {
                entries.delete(tables::RELAYS_DEAD, row.clone());
                // Who asks for a replay wants it delivered, whatever its age.
                let value = row_value(*at, HookKind::Other);
                entries.put(tables::RELAYS_QUEUED, row, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use switchboard_domain::dispatch::outcome::Class;
    use switchboard_domain::dispatch::record::DeathReason;
    use switchboard_domain::relays::{ChatMark, RelayId, RelayTarget};

    fn rows(event: &RelayDeliveryEvent) -> Vec<(u8, bool)> {
        let state = RelayDeliveries::initial(&event.delivery().queue.of_relay());
        let mut entries = IndexEntries::default();
        state.index(event, &mut entries);
        let changes = entries.rows.iter();
        changes
            .map(|row| (row.table.code(), row.value.is_some()))
            .collect()
    }

    #[test]
    fn a_dead_hook_leaves_its_queue_and_a_replay_brings_it_back() {
        let relay = RelayId::from_channel(&"shop".parse().unwrap());
        let mut delivery = RelayDelivery {
            queue: RelayQueueId {
                target: RelayTarget { relay, place: 0 },
                chat: ChatMark::new("s", "c"),
            },
            number: OutNumber(1),
            record: DeliveryRecord::default(),
        };
        assert_eq!(rows(&delivery.clone().into()), []);
        let at = UnixMillis::from_secs(4);
        let (queued, dead) = (tables::RELAYS_QUEUED.code(), tables::RELAYS_DEAD.code());
        delivery.record.state = DeliveryState::Delivered { at };
        assert_eq!(rows(&delivery.clone().into()), [(queued, false)]);
        let why = DeathReason::Attempts {
            last: Class::Failing,
        };
        delivery.record.state = DeliveryState::Dead { at, why };
        assert_eq!(
            rows(&delivery.clone().into()),
            [(dead, true), (queued, false)]
        );
        assert!(delivery.record.replay(false));
        let delivery = Box::new(delivery);
        let event = RelayDeliveryEvent::Replayed { delivery, at };
        assert_eq!(rows(&event), [(dead, false), (queued, true)]);
    }
}
