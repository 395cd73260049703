//! The feed of hooks: which records were read for hooks, and the hooks that they caused.

use serde::{Deserialize, Serialize};

use crate::hooks::hook::{StoredHook, WebhookId};
use crate::hooks::routing::HookQueueId;
use crate::keys;
use crate::kinds;
use crate::notice::Notice;
use crate::tables;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::store::Seq;
use switchboard_engine::stream::StreamKind;

/// The feed: one stream of the installation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookFeed {
    /// The last record that was read for hooks.
    pub upto: u64,
    /// A segment of the journal that is not behind it.
    pub segment: u32,
}

/// An event of the feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HookFeedEvent {
    /// A hook was made.
    Made(Box<StoredHook>),
    /// A hook was erased; this stands in its place.
    Erased,
    /// All records up to this one were read.
    Read(HookFeed),
}

impl HookFeed {
    /// The last record that was read for hooks.
    #[must_use]
    pub fn upto(&self) -> Seq {
        Seq(self.upto)
    }
}

impl StoredHook {
    /// The queues that the hook stands in.
    pub fn queues(&self) -> impl Iterator<Item = HookQueueId> + '_ {
        self.webhooks.iter().map(|number| HookQueueId {
            webhook: WebhookId {
                account: self.account,
                number: *number,
            },
            object: self.object,
        })
    }
}

impl State for HookFeed {
    type Id = ();
    type Event = HookFeedEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::HOOK_FEED;

    fn initial(_id: &()) -> Self {
        Self::default()
    }

    fn apply(&mut self, event: &HookFeedEvent) {
        match event {
            HookFeedEvent::Made(_) | HookFeedEvent::Erased => {}
            HookFeedEvent::Read(feed) => *self = *feed,
        }
    }

    fn index(&self, event: &HookFeedEvent, entries: &mut IndexEntries) {
        let HookFeedEvent::Made(hook) = event else {
            return;
        };
        entries.key(keys::hooks::hook(hook.number));
        for queue in hook.queues() {
            let since = hook.at.get().to_be_bytes().to_vec();
            let row = keys::hooks::queue_row(queue, hook.number);
            entries.put(tables::HOOKS_QUEUED, row, since);
            let row = keys::hooks::webhook_row(queue.webhook, hook.number);
            entries.put(tables::HOOKS_OF, row, Vec::new());
        }
    }
}
