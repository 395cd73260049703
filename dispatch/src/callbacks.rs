//! The names by which the machine carries callbacks of channels.

use crate::delivery_queue::QueueId;
use crate::endpoint::EndpointId;
use crate::routing::Routing;
use switchboard_values::hook_version::HookVersion;
use switchboard_values::id::{AccountId, ConversationId, ScopeId};

/// Callbacks of channels: a queue for each conversation, a share for each account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callbacks;

/// A queue within its endpoint, whose channel is that of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueueKey {
    /// The account of the queue's scope.
    pub account: AccountId,
    /// The conversation.
    pub conversation: ConversationId,
}

impl Routing for Callbacks {
    type Endpoint = EndpointId;
    type Group = ScopeId;
    type Queue = QueueId;
    type Key = QueueKey;
    type Share = AccountId;

    fn key(queue: &QueueId) -> QueueKey {
        QueueKey {
            account: queue.scope.account(),
            conversation: queue.conversation,
        }
    }

    fn queue(endpoint: &EndpointId, key: QueueKey) -> QueueId {
        QueueId {
            scope: ScopeId::new(endpoint.channel.clone(), key.account),
            conversation: key.conversation,
        }
    }

    fn share(key: QueueKey) -> AccountId {
        key.account
    }

    fn group(queue: &QueueId) -> ScopeId {
        queue.scope.clone()
    }

    fn endpoints(scope: &ScopeId) -> Vec<EndpointId> {
        let versions = HookVersion::ALL.into_iter();
        versions
            .map(|version| EndpointId::new(scope, version))
            .collect()
    }

    fn is_of(key: QueueKey, scope: &ScopeId) -> bool {
        key.account == scope.account()
    }

    fn other(endpoint: &EndpointId) -> Option<EndpointId> {
        Some(endpoint.other_version())
    }

    fn conversation(key: QueueKey) -> Option<ConversationId> {
        Some(key.conversation)
    }
}
