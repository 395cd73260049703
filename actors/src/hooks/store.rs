//! The durable queues of hooks: rows of the table `HooksQueued`, and records of deliveries.

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::hooks::hook::{HookNumber, WebhookId};
use crate::domain::hooks::queue::{HookDeliveries, HookDelivery, HookDeliveryEvent};
use crate::domain::hooks::routing::{HookQueueId, Hooks};
use crate::domain::id::AccountId;
use crate::domain::keys;
use crate::domain::notice::Notice;
use crate::domain::tables;
use crate::domain::time::UnixMillis;
use crate::stored_queues::{Change, Delivery, QueueRows, StoredQueues};
use switchboard_engine::entries::Key;
use switchboard_engine::store::Seq;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::table::Table;
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// The queues of hooks.
pub(super) type HookStore = StoredQueues<HookRows>;

/// The rows of hooks.
pub(super) struct HookRows;

impl QueueRows for HookRows {
    type Endpoint = WebhookId;
    type Queue = HookQueueId;
    type Names = Hooks;
    type Deliveries = HookDeliveries;

    const OWNER: &'static str = "hooks";
    const QUEUED: Table = tables::HOOKS_QUEUED;

    fn endpoint(queue: HookQueueId) -> WebhookId {
        queue.webhook
    }

    fn stream(queue: HookQueueId) -> AccountId {
        queue.webhook.account
    }

    fn endpoint_prefix(endpoint: WebhookId) -> Vec<u8> {
        keys::hooks::webhook_prefix(endpoint)
    }

    fn queue_prefix(queue: HookQueueId) -> Vec<u8> {
        keys::hooks::queue_prefix(queue)
    }

    fn row(queue: HookQueueId, number: OutNumber) -> Vec<u8> {
        keys::hooks::queue_row(queue, HookNumber(number.0))
    }

    fn parse_row(webhook: WebhookId, row: &[u8]) -> Option<(HookQueueId, OutNumber)> {
        let (object, number) = keys::hooks::parse_queue_row(webhook, row)?;
        Some((HookQueueId { webhook, object }, OutNumber(number.0)))
    }

    fn delivery_key(queue: HookQueueId, number: OutNumber) -> Key {
        keys::hooks::delivery(queue.webhook, HookNumber(number.0))
    }

    fn event(delivery: Delivery<Self>) -> HookDeliveryEvent {
        record_of(delivery).into()
    }

    fn replay_event(delivery: Delivery<Self>, at: UnixMillis) -> HookDeliveryEvent {
        HookDeliveryEvent::Replayed {
            delivery: Box::new(record_of(delivery)),
            at,
        }
    }

    fn delivery(event: &HookDeliveryEvent) -> (Delivery<Self>, Change) {
        let change = match event {
            HookDeliveryEvent::Changed(_) => Change::Open,
            HookDeliveryEvent::Settled(_) => Change::Final,
            HookDeliveryEvent::Replayed { .. } => Change::Replay,
        };
        let of_hook = event.delivery();
        let delivery = Delivery {
            queue: of_hook.queue,
            number: OutNumber(of_hook.number.0),
            record: of_hook.record.clone(),
        };
        (delivery, change)
    }

    fn replay_notice(queue: HookQueueId) -> Notice {
        Notice::HookReplayed(queue)
    }

    fn is_inherited(
        _kernel: &Kernel,
        upto: Seq,
        _queue: HookQueueId,
        number: OutNumber,
    ) -> Result<bool, UnavailableError> {
        Ok(HookNumber(number.0).record() <= upto)
    }
}

fn record_of(delivery: Delivery<HookRows>) -> HookDelivery {
    HookDelivery {
        queue: delivery.queue,
        number: HookNumber(delivery.number.0),
        record: delivery.record,
    }
}

/// Returns the webhooks of which hooks are queued, each once.
pub(super) fn queued_webhooks(kernel: &Kernel) -> Result<Vec<WebhookId>, UnavailableError> {
    let mut webhooks = Vec::new();
    let mut range = KeyRange::prefix(&[]);
    loop {
        let index = &kernel.index;
        let rows = index.scan(tables::HOOKS_QUEUED, &range, ScanOrder::Ascending, 1)?;
        let first = rows.first();
        let Some(webhook) = first.and_then(|(key, _)| keys::hooks::parse_webhook(key)) else {
            return Ok(webhooks);
        };
        webhooks.push(webhook);
        range = range.behind(keys::hooks::last_row(webhook), ScanOrder::Ascending);
    }
}
