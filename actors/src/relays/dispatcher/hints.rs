//! Hints after each commit: the queues with new hooks, for the dispatcher. Their number is bounded: queues beyond it are found in
//! the store.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use actix::Addr;

use crate::domain::notice::Notice;
use crate::domain::relays::RelayQueueId;
use crate::relays::dispatcher::RelayDispatcher;
use switchboard_engine::store::index::config::Listener;
use switchboard_runtime::shared::dispatch_shell::Wake;

/// The maximum number of queues that are remembered by name.
const QUEUES_MAX: usize = 100_000;

/// The hints.
#[derive(Default)]
pub(in crate::relays) struct RelayHints {
    pending: Mutex<Pending>,
    dispatcher: OnceLock<Addr<RelayDispatcher>>,
    /// True when a wake-up is on its way.
    is_waking: AtomicBool,
}

#[derive(Debug, Default)]
struct Pending {
    queues: BTreeSet<RelayQueueId>,
    replays: BTreeSet<RelayQueueId>,
    has_overflowed: bool,
    /// True when an operator turned a switch.
    has_turned: bool,
}

/// The changes that notices named.
#[derive(Debug, Default)]
pub(super) struct NamedQueues {
    /// Queues with new hooks.
    pub(super) queues: Vec<RelayQueueId>,
    /// Queues in which a hook that was final is queued again.
    pub(super) replays: BTreeSet<RelayQueueId>,
    /// True when others found no room.
    pub(super) has_overflowed: bool,
    /// True when an operator turned a switch.
    pub(super) has_turned: bool,
}

impl RelayHints {
    /// Wakes this dispatcher from now on.
    pub(in crate::relays) fn attach(&self, dispatcher: Addr<RelayDispatcher>) {
        // There is one dispatcher of relays per system.
        drop(self.dispatcher.set(dispatcher));
        self.wake();
    }

    /// The wake-up has arrived: what is heard from now on needs another.
    pub(super) fn woken(&self) {
        self.is_waking.store(false, Ordering::SeqCst);
    }

    /// The changes that were named since the last time, with at most so many queues with new hooks.
    pub(super) fn take(&self, most: usize) -> NamedQueues {
        let mut pending = self.pending();
        NamedQueues {
            queues: std::iter::from_fn(|| pending.queues.pop_first())
                .take(most)
                .collect(),
            replays: std::mem::take(&mut pending.replays),
            has_overflowed: std::mem::take(&mut pending.has_overflowed),
            has_turned: std::mem::take(&mut pending.has_turned),
        }
    }

    pub(super) fn has_queues(&self) -> bool {
        !self.pending().queues.is_empty()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        if self.is_waking.swap(true, Ordering::SeqCst) {
            return;
        }
        let is_sent = |dispatcher: &Addr<RelayDispatcher>| dispatcher.try_send(Wake).is_ok();
        if !self.dispatcher.get().is_some_and(is_sent) {
            // A full mailbox is being worked on, and what was heard stays: the next commit wakes again.
            self.woken();
        }
    }

    /// Takes in a notice; true when it is one of relays.
    fn hear(&self, notice: &Notice) -> bool {
        match notice {
            Notice::RelayQueued(queue) => {
                let mut pending = self.pending();
                if pending.queues.len() < QUEUES_MAX {
                    pending.queues.insert(*queue);
                } else {
                    pending.has_overflowed = true;
                }
                true
            }
            Notice::RelayReplayed(queue) => {
                self.pending().replays.insert(*queue);
                true
            }
            Notice::RelaySwitched => {
                self.pending().has_turned = true;
                true
            }
            Notice::Queued { .. }
            | Notice::ReplayBegun
            | Notice::ErasureOrdered
            | Notice::HookQueued(_)
            | Notice::HookReplayed(_)
            | Notice::WebhooksChanged(_)
            | Notice::Replayed(_)
            | Notice::Connected { .. }
            | Notice::ChannelChanged
            | Notice::Disconnected { .. } => false,
        }
    }
}

impl Listener<Notice> for RelayHints {
    fn committed(&self, notices: &[Notice]) {
        let heard = notices.iter().filter(|notice| self.hear(notice)).count();
        if heard > 0 {
            self.wake();
        }
    }
}
