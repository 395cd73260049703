//! The stored side of hooks' deliveries: what became of each hook for each webhook.

use serde::{Deserialize, Serialize};

use crate::dispatch::record::DeliveryRecord;
use crate::hooks::hook::HookNumber;
use crate::hooks::routing::HookQueueId;
use crate::id::AccountId;
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The deliveries of an account's hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookDeliveries {
    /// The account.
    pub account: AccountId,
}

/// An event of deliveries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HookDeliveryEvent {
    /// Something changed that is not the end.
    Changed(Box<HookDelivery>),
    /// The hook is final for this webhook: it leaves the queue.
    Settled(Box<HookDelivery>),
    /// A hook that was final is queued again.
    Replayed {
        /// The delivery after it.
        delivery: Box<HookDelivery>,
        /// The time of the event.
        at: UnixMillis,
    },
}

/// A hook's delivery to one webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HookDelivery {
    /// The queue.
    pub queue: HookQueueId,
    /// The hook.
    pub number: HookNumber,
    /// Its whole record.
    pub record: DeliveryRecord,
}

impl From<HookDelivery> for HookDeliveryEvent {
    fn from(delivery: HookDelivery) -> Self {
        if delivery.record.state.is_final() {
            Self::Settled(Box::new(delivery))
        } else {
            Self::Changed(Box::new(delivery))
        }
    }
}

impl HookDeliveryEvent {
    /// The delivery, whatever its change.
    #[must_use]
    pub fn delivery(&self) -> &HookDelivery {
        match self {
            Self::Changed(delivery) | Self::Settled(delivery) | Self::Replayed { delivery, .. } => {
                delivery
            }
        }
    }
}

impl State for HookDeliveries {
    type Id = AccountId;
    type Event = HookDeliveryEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::HOOK_DELIVERIES;

    fn initial(id: &AccountId) -> Self {
        Self { account: *id }
    }

    fn apply(&mut self, _event: &HookDeliveryEvent) {}

    fn index(&self, event: &HookDeliveryEvent, entries: &mut IndexEntries) {
        let delivery = event.delivery();
        let (queue, number) = (delivery.queue, delivery.number);
        entries.key(keys::hooks::delivery(queue.webhook, number));
        let row = keys::hooks::queue_row(queue, number);
        match event {
            HookDeliveryEvent::Changed(_) => {}
            HookDeliveryEvent::Settled(_) => entries.delete(tables::HOOKS_QUEUED, row),
            HookDeliveryEvent::Replayed { at, .. } => {
                entries.put(tables::HOOKS_QUEUED, row, at.get().to_be_bytes().to_vec());
            }
        }
    }
}
