//! Hints after each commit: the accounts whose webhooks changed, for the feed; the queues with new hooks, for the dispatcher.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::domain::hooks::routing::HookQueueId;
use crate::domain::id::AccountId;
use crate::domain::notice::Notice;
use crate::hooks::dispatcher::HookDispatcher;
use crate::stored_queues::{NamedQueues, QueueNames};
use switchboard_engine::store::index::config::Listener;
use switchboard_runtime::live::feed::Feed;
use switchboard_runtime::shared::waker::Waker;

/// The hints.
pub(crate) struct HookHints {
    feed: Arc<Feed>,
    pending: Mutex<Pending>,
    /// Wakes the dispatcher.
    pub(in crate::hooks) waker: Waker<HookDispatcher>,
}

#[derive(Debug, Default)]
struct Pending {
    accounts: BTreeSet<AccountId>,
    queues: QueueNames<HookQueueId>,
}

impl HookHints {
    pub(crate) fn new(feed: Arc<Feed>) -> Self {
        Self {
            feed,
            pending: Mutex::default(),
            waker: Waker::default(),
        }
    }

    /// An account whose webhooks changed; it is forgotten here.
    pub(in crate::hooks) fn next_account(&self) -> Option<AccountId> {
        self.pending().accounts.pop_first()
    }

    /// Remembers an account whose webhooks could not be read.
    pub(in crate::hooks) fn remember_account(&self, account: AccountId) {
        self.pending().accounts.insert(account);
    }

    /// The queues that were named since the last time, at most so many of those with new hooks.
    pub(super) fn take_queues(&self, most: usize) -> NamedQueues<HookQueueId> {
        self.pending().queues.take(most)
    }

    pub(in crate::hooks) fn has_queues(&self) -> bool {
        !self.pending().queues.is_empty()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener<Notice> for HookHints {
    fn committed(&self, notices: &[Notice]) {
        let (mut has_queues, mut has_accounts) = (false, false);
        for notice in notices {
            match notice {
                Notice::HookQueued(queue) => {
                    self.pending().queues.add(*queue);
                    has_queues = true;
                }
                Notice::HookReplayed(queue) => {
                    self.pending().queues.add_replay(*queue);
                    has_queues = true;
                }
                Notice::WebhooksChanged(account) => {
                    self.pending().accounts.insert(*account);
                    has_accounts = true;
                }
                Notice::Queued { .. }
                | Notice::ReplayBegun
                | Notice::ErasureOrdered
                | Notice::Replayed(_)
                | Notice::RelayQueued(_)
                | Notice::RelayReplayed(_)
                | Notice::RelaySwitched
                | Notice::Connected { .. }
                | Notice::ChannelChanged
                | Notice::Disconnected { .. } => {}
            }
        }
        if has_accounts {
            self.feed.hooks.wake();
        }
        if has_queues {
            self.waker.wake();
        }
    }
}
