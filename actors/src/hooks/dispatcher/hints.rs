//! Hints after each commit: the accounts whose webhooks changed, for the feed; the queues with new hooks, for the
//! dispatcher. Their number is bounded: queues beyond it are found in the store.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use actix::Addr;

use crate::domain::hooks::routing::HookQueueId;
use crate::domain::id::AccountId;
use crate::domain::notice::Notice;
use crate::hooks::dispatcher::HookDispatcher;
use switchboard_engine::store::index::config::Listener;
use switchboard_runtime::live::feed::Feed;
use switchboard_runtime::shared::dispatch_shell::Wake;

/// The maximum number of queues that are remembered by name.
const QUEUES_MAX: usize = 100_000;

/// The hints.
pub(crate) struct HookHints {
    feed: Arc<Feed>,
    pending: Mutex<Pending>,
    dispatcher: OnceLock<Addr<HookDispatcher>>,
    /// True when a wake-up is on its way.
    is_waking: AtomicBool,
}

#[derive(Debug, Default)]
struct Pending {
    accounts: BTreeSet<AccountId>,
    queues: BTreeSet<HookQueueId>,
    replays: BTreeSet<HookQueueId>,
    has_overflowed: bool,
}

/// The queues that notices named.
#[derive(Debug, Default)]
pub(super) struct NamedQueues {
    /// Queues with new hooks.
    pub(super) queues: Vec<HookQueueId>,
    /// Queues in which a hook that was final is queued again.
    pub(super) replays: BTreeSet<HookQueueId>,
    /// True when others found no room.
    pub(super) has_overflowed: bool,
}

impl HookHints {
    pub(crate) fn new(feed: Arc<Feed>) -> Self {
        Self {
            feed,
            pending: Mutex::default(),
            dispatcher: OnceLock::new(),
            is_waking: AtomicBool::new(false),
        }
    }

    /// Wakes this dispatcher from now on.
    pub(crate) fn attach(&self, dispatcher: Addr<HookDispatcher>) {
        // There is one dispatcher of hooks per system.
        drop(self.dispatcher.set(dispatcher));
        self.wake();
    }

    /// The wake-up has arrived: what is heard from now on needs another.
    pub(in crate::hooks) fn woken(&self) {
        self.is_waking.store(false, Ordering::SeqCst);
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
    pub(super) fn take_queues(&self, most: usize) -> NamedQueues {
        let mut pending = self.pending();
        NamedQueues {
            queues: std::iter::from_fn(|| pending.queues.pop_first())
                .take(most)
                .collect(),
            replays: std::mem::take(&mut pending.replays),
            has_overflowed: std::mem::take(&mut pending.has_overflowed),
        }
    }

    pub(in crate::hooks) fn has_queues(&self) -> bool {
        !self.pending().queues.is_empty()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        if self.is_waking.swap(true, Ordering::SeqCst) {
            return;
        }
        let is_sent = |dispatcher: &Addr<HookDispatcher>| dispatcher.try_send(Wake).is_ok();
        if !self.dispatcher.get().is_some_and(is_sent) {
            // A full mailbox is being worked on, and what was heard stays: the next commit wakes again.
            self.woken();
        }
    }
}

impl Listener<Notice> for HookHints {
    fn committed(&self, notices: &[Notice]) {
        let (mut has_queues, mut has_accounts) = (false, false);
        for notice in notices {
            match notice {
                Notice::HookQueued(queue) => {
                    let mut pending = self.pending();
                    if pending.queues.len() < QUEUES_MAX {
                        pending.queues.insert(*queue);
                    } else {
                        pending.has_overflowed = true;
                    }
                    has_queues = true;
                }
                Notice::HookReplayed(queue) => {
                    self.pending().replays.insert(*queue);
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
            self.wake();
        }
    }
}
