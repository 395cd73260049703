//! Hints after each commit: the queues with new hooks, and the turn of a switch.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::notice::Notice;
use crate::domain::relays::RelayQueueId;
use crate::relays::dispatcher::RelayDispatcher;
use crate::stored_queues::{NamedQueues, QueueNames};
use switchboard_engine::store::index::config::Listener;
use switchboard_runtime::shared::waker::Waker;

/// The hints.
#[derive(Default)]
pub(in crate::relays) struct RelayHints {
    pending: Mutex<Pending>,
    /// Wakes the dispatcher.
    pub(in crate::relays) waker: Waker<RelayDispatcher>,
}

#[derive(Debug, Default)]
struct Pending {
    queues: QueueNames<RelayQueueId>,
    /// True when an operator turned a switch.
    has_turned: bool,
}

impl RelayHints {
    /// The queues that were named since the last time, at most so many of those with new hooks.
    pub(super) fn take_queues(&self, most: usize) -> NamedQueues<RelayQueueId> {
        self.pending().queues.take(most)
    }

    /// Returns whether an operator turned a switch since the last time.
    pub(super) fn take_turn(&self) -> bool {
        std::mem::take(&mut self.pending().has_turned)
    }

    pub(super) fn has_queues(&self) -> bool {
        !self.pending().queues.is_empty()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a notice; true when it is one of relays.
    fn hear(&self, notice: &Notice) -> bool {
        match notice {
            Notice::RelayQueued(queue) => self.pending().queues.add(*queue),
            Notice::RelayReplayed(queue) => self.pending().queues.add_replay(*queue),
            Notice::RelaySwitched => self.pending().has_turned = true,
            Notice::Queued { .. }
            | Notice::ReplayBegun
            | Notice::ErasureOrdered
            | Notice::HookQueued(_)
            | Notice::HookReplayed(_)
            | Notice::WebhooksChanged(_)
            | Notice::Replayed(_)
            | Notice::Connected { .. }
            | Notice::ChannelChanged
            | Notice::Disconnected { .. } => return false,
        }
        true
    }
}

impl Listener<Notice> for RelayHints {
    fn committed(&self, notices: &[Notice]) {
        let count = notices.iter().filter(|notice| self.hear(notice)).count();
        if count > 0 {
            self.waker.wake();
        }
    }
}
