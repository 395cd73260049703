//! The hooks of one conversation that a relay took, each with its raw bytes beside its record.

pub use crate::envelope::HookEnvelope;

pub mod note_answer;
pub mod receive;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::facts::HookKind;
use crate::posts::RelayedPost;
use switchboard_domain::dispatch::delivery_queue::OutNumber;
use switchboard_domain::id::{MessageId, ScopeId};
use switchboard_domain::keys;
use switchboard_domain::kinds;
use switchboard_domain::notice::Notice;
use switchboard_domain::relays::{RelayChat, RelayQueueId, RelayTarget};
use switchboard_domain::tables;
use switchboard_domain::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The time for which repeats of a hook are recognised.
pub const SAME_FOR: Duration = Duration::from_secs(7 * 86_400);
/// The age from which on it is no use to deliver that a user is typing.
pub const TYPING_MAX: Duration = Duration::from_secs(10);
/// The bit of a row's value that says that the hook is about a user who is typing.
const IS_TYPING: u8 = 1;

/// The hooks of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayedHooks {
    chat: RelayChat,
    /// The number of the newest hook; 0 before the first.
    last: u64,
    /// The newest time of writing so far, in milliseconds of Unix time.
    #[serde(default)]
    written_ms: u64,
}

/// A hook as it is stored. Its bytes are kept beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayedHook {
    /// Its number in its conversation, from 1.
    pub number: OutNumber,
    /// The time at which it was taken.
    pub at: UnixMillis,
    /// The kind of the event.
    pub kind: HookKind,
    /// The headers.
    pub envelope: HookEnvelope,
    /// The scope that it came for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeId>,
    /// The counterpart's id of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What a repeat has in common with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same: Option<[u8; 16]>,
    /// The time of writing, in milliseconds of Unix time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_ms: Option<u64>,
    /// True when it was written before one that came earlier. The order stays that of arrival.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_late: bool,
    /// The places of the targets that it goes to.
    pub targets: Vec<u8>,
    /// The rest of its head, when it is a post of the bridge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<RelayedPost>,
}

/// An event of relayed hooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RelayedHooksEvent {
    /// A hook was taken.
    Received(Box<RelayedHook>),
    /// The counterpart took a post.
    Answered {
        /// The number of the post.
        number: OutNumber,
        /// The id of the message that the bridge knows.
        own: MessageId,
        /// The id that the counterpart gave it.
        real: String,
    },
    /// A hook was erased; this stands in its place.
    Erased {
        /// The number of the hook.
        number: OutNumber,
    },
}

impl RelayedHook {
    /// Returns the queues that the hook of this conversation stands in.
    pub fn queues(&self, chat: RelayChat) -> impl Iterator<Item = RelayQueueId> + '_ {
        self.targets.iter().map(move |place| RelayQueueId {
            target: RelayTarget {
                relay: chat.relay,
                place: *place,
            },
            chat: chat.chat,
        })
    }

    /// Returns whether the hook says that a user was typing too long ago to be of use.
    #[must_use]
    pub fn is_stale(&self, now: UnixMillis) -> bool {
        self.kind == HookKind::Typing && now.since(self.at) > TYPING_MAX
    }
}

/// Returns the value of the rows of a hook that was queued at this time.
#[must_use]
pub fn row_value(at: UnixMillis, kind: HookKind) -> Vec<u8> {
    let mut value = at.get().to_be_bytes().to_vec();
    value.push(if kind == HookKind::Typing {
        IS_TYPING
    } else {
        0
    });
    value
}

impl RelayedHooks {
    /// The number of the newest hook; 0 before the first.
    #[must_use]
    pub fn last(&self) -> OutNumber {
        OutNumber(self.last)
    }
}

impl State for RelayedHooks {
    type Id = RelayChat;
    type Event = RelayedHooksEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::RELAYED_HOOKS;

    fn initial(id: &RelayChat) -> Self {
        Self {
            chat: *id,
            last: 0,
            written_ms: 0,
        }
    }

    fn apply(&mut self, event: &RelayedHooksEvent) {
        match event {
            RelayedHooksEvent::Received(hook) => {
                self.last = self.last.max(hook.number.0);
                self.written_ms = self.written_ms.max(hook.written_ms.unwrap_or_default());
            }
            RelayedHooksEvent::Answered { .. } => {}
            RelayedHooksEvent::Erased { number } => self.last = self.last.max(number.0),
        }
    }

    fn index(&self, event: &RelayedHooksEvent, entries: &mut IndexEntries) {
        let hook = match event {
            RelayedHooksEvent::Received(hook) => hook,
            RelayedHooksEvent::Answered { number, real, .. } => {
                entries.key(keys::relays::answer(self.chat, *number));
                entries.key(keys::relays::real_id(self.chat.relay, real));
                return;
            }
            RelayedHooksEvent::Erased { .. } => return,
        };
        entries.key(keys::relays::hook(self.chat, hook.number));
        if let Some(same) = hook.same {
            entries.key(keys::relays::same(self.chat, same));
        }
        if let Some(message) = &hook.message {
            entries.key(keys::relays::message(self.chat.relay, message));
        }
        if let Some(post) = &hook.post {
            entries.key(keys::relays::message(self.chat.relay, &post.msgid));
            entries.key(keys::relays::own_id(self.chat.relay, post.own));
        }
        for queue in hook.queues(self.chat) {
            let row = keys::relays::queue_row(queue, hook.number);
            entries.insert(tables::RELAYS_QUEUED, row, row_value(hook.at, hook.kind));
        }
        let row = keys::relays::list_row(self.chat, hook.at, hook.number);
        entries.insert(tables::RELAYED, row, Vec::new());
    }
}
