//! The durable queues of relays: rows of the table `RELAYS_QUEUED`, and records of deliveries.

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::keys;
use crate::domain::notice::Notice;
use crate::domain::relays::{RelayChat, RelayQueueId, RelayTarget, Relayed};
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::stored_queues::{Change, Delivery, QueueRows};
use switchboard_engine::entries::Key;
use switchboard_engine::store::Seq;
use switchboard_engine::table::Table;
use switchboard_relay::deliveries::{RelayDeliveries, RelayDelivery, RelayDeliveryEvent};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// The rows of relayed hooks.
pub(super) struct RelayRows;

impl QueueRows for RelayRows {
    type Endpoint = RelayTarget;
    type Queue = RelayQueueId;
    type Names = Relayed;
    type Deliveries = RelayDeliveries;

    const OWNER: &'static str = "a relay";
    const QUEUED: Table = tables::RELAYS_QUEUED;

    fn endpoint(queue: RelayQueueId) -> RelayTarget {
        queue.target
    }

    fn stream(queue: RelayQueueId) -> RelayChat {
        queue.of_relay()
    }

    fn endpoint_prefix(endpoint: RelayTarget) -> Vec<u8> {
        keys::relays::target_prefix(endpoint)
    }

    fn queue_prefix(queue: RelayQueueId) -> Vec<u8> {
        keys::relays::queue_prefix(queue)
    }

    fn row(queue: RelayQueueId, number: OutNumber) -> Vec<u8> {
        keys::relays::queue_row(queue, number)
    }

    fn parse_row(endpoint: RelayTarget, row: &[u8]) -> Option<(RelayQueueId, OutNumber)> {
        keys::relays::parse_queue_row(row).filter(|(queue, _)| queue.target == endpoint)
    }

    fn delivery_key(queue: RelayQueueId, number: OutNumber) -> Key {
        keys::relays::delivery(queue, number)
    }

    fn event(delivery: Delivery<Self>) -> RelayDeliveryEvent {
        record_of(delivery).into()
    }

    fn replay_event(delivery: Delivery<Self>, at: UnixMillis) -> RelayDeliveryEvent {
        RelayDeliveryEvent::Replayed {
            delivery: Box::new(record_of(delivery)),
            at,
        }
    }

    fn delivery(event: &RelayDeliveryEvent) -> (Delivery<Self>, Change) {
        let change = match event {
            RelayDeliveryEvent::Changed(_) => Change::Open,
            RelayDeliveryEvent::Settled(_) => Change::Final,
            RelayDeliveryEvent::Replayed { .. } => Change::Replay,
        };
        let of_hook = event.delivery();
        let delivery = Delivery {
            queue: of_hook.queue,
            number: of_hook.number,
            record: of_hook.record.clone(),
        };
        (delivery, change)
    }

    fn replay_notice(queue: RelayQueueId) -> Notice {
        Notice::RelayReplayed(queue)
    }

    fn is_inherited(
        kernel: &Kernel,
        _upto: Seq,
        queue: RelayQueueId,
        number: OutNumber,
    ) -> Result<bool, UnavailableError> {
        let key = keys::relays::hook(queue.of_relay(), number);
        let position = kernel.index.find(key)?;
        Ok(position.is_some_and(|position| position < kernel.opened_at))
    }
}

fn record_of(delivery: Delivery<RelayRows>) -> RelayDelivery {
    RelayDelivery {
        queue: delivery.queue,
        number: delivery.number,
        record: delivery.record,
    }
}
