//! The names of relays: what stands between the counterpart and a bridge, and passes on what either sends.
//!
//! A target of a relay is an endpoint, and has a queue for each conversation. The rules are in the crate `switchboard-relay`.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::dispatch::routing::Routing;
use crate::id::{ChannelId, ConversationId};
use switchboard_engine::stream::{StreamId, StreamIdBytes};

/// The place of the bridge among the targets of a relay. Copies have the next places.
pub const BRIDGE: u8 = 0;
/// The most copies of a relay.
pub const COPIES_MAX: u8 = 8;
/// The place of the program that gets the hooks of the account.
pub const ACCOUNT_HOOKS: u8 = 64;
/// The place of the counterpart, which gets the posts of the bridge that the relay stored first.
pub const COUNTERPART: u8 = 65;

/// A relay, by the channel whose hooks it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RelayId([u8; 16]);

impl RelayId {
    /// Returns the relay of a channel.
    #[must_use]
    pub fn from_channel(channel: &ChannelId) -> Self {
        Self(fingerprint("relay", &[channel.as_str().as_bytes()]))
    }

    /// The relay with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

/// A conversation of the counterpart, by the ids in its hooks. What names no conversation has a mark as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChatMark([u8; 16]);

impl ChatMark {
    /// Returns the mark of a conversation that is named so within a scope.
    #[must_use]
    pub fn new(scope: &str, conversation: &str) -> Self {
        let parts = [scope.as_bytes(), conversation.as_bytes()];
        Self(fingerprint("chat", &parts))
    }

    /// Returns the mark of the posts of a bridge to a conversation that it names so within a scope. The bridge has names of its own, so
    /// its posts and the hooks of the same conversation have two marks.
    #[must_use]
    pub fn for_posts(scope: &str, conversation: &str) -> Self {
        let parts = [scope.as_bytes(), conversation.as_bytes()];
        Self(fingerprint("posts", &parts))
    }

    /// The mark with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

/// The owner of a conversation whose body names an account that its scope has not; the scope may be empty.
#[must_use]
pub fn unscoped_owner(scope: &str, account: &str) -> String {
    format!("{scope} {account}")
}

/// Returns the first half of the SHA-256 of these parts, each with its length.
#[must_use]
pub fn fingerprint(family: &str, parts: &[&[u8]]) -> [u8; 16] {
    let mut hasher = Sha256::new();
    for part in std::iter::once(&family.as_bytes()).chain(parts) {
        hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        hasher.update(part);
    }
    let digest: [u8; 32] = hasher.finalize().into();
    let mut half = [0; 16];
    half.copy_from_slice(digest.split_at(16).0);
    half
}

/// A conversation whose hooks a relay takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RelayChat {
    /// The relay.
    pub relay: RelayId,
    /// The conversation.
    pub chat: ChatMark,
}

impl StreamId for RelayChat {
    fn to_stream_id(&self) -> StreamIdBytes {
        let mut bytes = StreamIdBytes::from_slice(&self.relay.bytes());
        bytes.extend_from_slice(&self.chat.bytes());
        bytes
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        let (relay, chat) = bytes.split_first_chunk::<16>()?;
        Some(Self {
            relay: RelayId::from_bytes(*relay),
            chat: ChatMark::from_bytes(chat.try_into().ok()?),
        })
    }
}

/// A target of a relay: the bridge, one that gets copies, the program that gets the hooks of the account, or the counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RelayTarget {
    /// The relay.
    pub relay: RelayId,
    /// The place among the targets of the relay.
    pub place: u8,
}

/// The hooks of one conversation for one target, which leave one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RelayQueueId {
    /// The target.
    pub target: RelayTarget,
    /// The conversation.
    pub chat: ChatMark,
}

impl RelayQueueId {
    /// Returns the conversation with its relay.
    #[must_use]
    pub fn of_relay(&self) -> RelayChat {
        RelayChat {
            relay: self.target.relay,
            chat: self.chat,
        }
    }
}

/// Hooks that relays took: a queue for each target and conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relayed;

impl Routing for Relayed {
    type Endpoint = RelayTarget;
    type Group = RelayTarget;
    type Queue = RelayQueueId;
    type Key = ChatMark;
    type Share = ();

    fn key(queue: &RelayQueueId) -> ChatMark {
        queue.chat
    }

    fn queue(endpoint: &RelayTarget, key: ChatMark) -> RelayQueueId {
        RelayQueueId {
            target: *endpoint,
            chat: key,
        }
    }

    fn share(_key: ChatMark) {}

    fn group(queue: &RelayQueueId) -> RelayTarget {
        queue.target
    }

    fn endpoints(group: &RelayTarget) -> Vec<RelayTarget> {
        vec![*group]
    }

    fn is_of(_key: ChatMark, _group: &RelayTarget) -> bool {
        true
    }

    fn other(_endpoint: &RelayTarget) -> Option<RelayTarget> {
        None
    }

    fn conversation(_key: ChatMark) -> Option<ConversationId> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relayed_conversation_is_read_back_from_its_name() {
        let chat = RelayChat {
            relay: RelayId::from_channel(&"shop".parse().unwrap()),
            chat: ChatMark::new("shop_1", "c-1"),
        };
        assert_eq!(RelayChat::from_stream_id(&chat.to_stream_id()), Some(chat));
        assert_eq!(RelayChat::from_stream_id(&[1; 31]), None);
        // Where one part ends and the next begins counts.
        assert_ne!(ChatMark::new("ab", "c"), ChatMark::new("a", "bc"));
    }
}
