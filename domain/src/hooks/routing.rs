//! The names by which the dispatch machine carries hooks: a webhook is an endpoint, and has a queue for each object.

use serde::{Deserialize, Serialize};

use crate::dispatch::routing::Routing;
use crate::hooks::hook::{HookObject, WebhookId};
use crate::id::ConversationId;

/// Hooks of webhooks: a queue for each object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hooks;

/// The hooks of one object for one webhook, which leave one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HookQueueId {
    /// The webhook.
    pub webhook: WebhookId,
    /// The object.
    pub object: HookObject,
}

impl Routing for Hooks {
    type Endpoint = WebhookId;
    type Group = WebhookId;
    type Queue = HookQueueId;
    type Key = HookObject;
    type Share = ();

    fn key(queue: &HookQueueId) -> HookObject {
        queue.object
    }

    fn queue(endpoint: &WebhookId, key: HookObject) -> HookQueueId {
        HookQueueId {
            webhook: *endpoint,
            object: key,
        }
    }

    fn share(_key: HookObject) {}

    fn group(queue: &HookQueueId) -> WebhookId {
        queue.webhook
    }

    fn endpoints(group: &WebhookId) -> Vec<WebhookId> {
        vec![*group]
    }

    fn is_of(_key: HookObject, _group: &WebhookId) -> bool {
        true
    }

    fn other(_endpoint: &WebhookId) -> Option<WebhookId> {
        None
    }

    fn conversation(key: HookObject) -> Option<ConversationId> {
        match key {
            HookObject::Chat(conversation) => Some(conversation),
            HookObject::Lead(_)
            | HookObject::Contact(_)
            | HookObject::Task(_)
            | HookObject::Template(_) => None,
        }
    }
}
