//! Keys of hooks, and the orders of their rows.

use crate::hooks::hook::{HookNumber, HookObject, WebhookId};
use crate::hooks::routing::HookQueueId;
use crate::id::{AccountId, SubscriptionId};
use switchboard_engine::entries::Key;

/// A hook, by its number.
#[must_use]
pub fn hook(number: HookNumber) -> Key {
    Key::new("hook", &number.0)
}

/// The newest state of a hook's delivery to a webhook.
#[must_use]
pub fn delivery(webhook: WebhookId, number: HookNumber) -> Key {
    Key::new(
        "hook delivery",
        &(webhook.account, webhook.number.0, number.0),
    )
}

/// The prefix of the rows of a webhook.
#[must_use]
pub fn webhook_prefix(webhook: WebhookId) -> Vec<u8> {
    let mut key = webhook.account.bytes().to_vec();
    key.extend(webhook.number.0.to_be_bytes());
    key
}

/// The place of a hook among those of its webhook, oldest first.
#[must_use]
pub fn webhook_row(webhook: WebhookId, number: HookNumber) -> Vec<u8> {
    let mut key = webhook_prefix(webhook);
    key.extend(number.0.to_be_bytes());
    key
}

/// The prefix of the rows of a queue.
#[must_use]
pub fn queue_prefix(queue: HookQueueId) -> Vec<u8> {
    let mut key = webhook_prefix(queue.webhook);
    key.extend(queue.object.bytes());
    key
}

/// The place of a hook in its queue.
#[must_use]
pub fn queue_row(queue: HookQueueId, number: HookNumber) -> Vec<u8> {
    let mut key = queue_prefix(queue);
    key.extend(number.0.to_be_bytes());
    key
}

/// The object and the number in a [`queue_row`] of this webhook.
#[must_use]
pub fn parse_queue_row(webhook: WebhookId, key: &[u8]) -> Option<(HookObject, HookNumber)> {
    let behind = key.strip_prefix(webhook_prefix(webhook).as_slice())?;
    let (object, behind) = behind.split_first_chunk::<17>()?;
    let bytes = <[u8; 8]>::try_from(behind).ok()?;
    let number = HookNumber(u64::from_be_bytes(bytes));
    Some((HookObject::from_bytes(object)?, number))
}

/// The number in a [`webhook_row`] of this webhook.
#[must_use]
pub fn parse_webhook_row(webhook: WebhookId, key: &[u8]) -> Option<HookNumber> {
    let behind = key.strip_prefix(webhook_prefix(webhook).as_slice())?;
    let number = <[u8; 8]>::try_from(behind).ok()?;
    Some(HookNumber(u64::from_be_bytes(number)))
}

/// The webhook of any row that begins with it.
#[must_use]
pub fn parse_webhook(key: &[u8]) -> Option<WebhookId> {
    let (account, behind) = key.split_first_chunk::<16>()?;
    let (number, _) = behind.split_first_chunk::<8>()?;
    Some(WebhookId {
        account: AccountId::from_bytes(*account),
        number: SubscriptionId(u64::from_be_bytes(*number)),
    })
}

/// A row behind all rows of a webhook.
#[must_use]
pub fn last_row(webhook: WebhookId) -> Vec<u8> {
    let mut key = webhook_prefix(webhook);
    key.extend([u8::MAX; 26]);
    key
}

/// The creation of a webhook.
#[must_use]
pub fn webhook(webhook: WebhookId) -> Key {
    Key::new("webhook", &(webhook.account, webhook.number.0))
}
