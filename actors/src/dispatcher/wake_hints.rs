//! Hints to the dispatcher after each commit: which queues have something new. Their number is bounded: if more queues
//! are named than fit, the dispatcher gets no hint for each, and finds them in the stored queue instead.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;
use tokio::sync::Notify;

use crate::dispatcher::Dispatcher;
use crate::domain::dispatch::delivery_queue::{OutNumber, QueueId};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::ScopeId;
use crate::domain::notice::Notice;
use crate::domain::time::UnixMillis;
use switchboard_engine::store::index::config::Listener;
use switchboard_runtime::caches::recent::Recent;
use switchboard_runtime::caches::unsent::Unsent;
use switchboard_runtime::shared::waker::Waker;

/// Messages that were added to a queue.
#[derive(Debug, Default)]
pub(crate) struct NewRows {
    /// The first of them, and since when each is queued, in the order of their numbers.
    pub(crate) rows: SmallVec<[(OutNumber, UnixMillis); 1]>,
    /// True when there are others behind them.
    pub(crate) more: bool,
}

/// The queues that were named.
#[derive(Debug)]
pub(crate) struct NamedQueues {
    /// True when others found no room.
    pub(crate) overflowed: bool,
    /// Some of them.
    pub(crate) queues: Vec<(QueueId, NewRows)>,
}

/// So many messages of a queue are named; those behind them are found in the stored queue.
const ROWS_MAX: usize = 16;
/// The most queues that are remembered by name. Queues beyond are paged in from the store when there is room.
const QUEUES_MAX: usize = 100_000;

/// The hints for the dispatcher.
#[derive(Debug)]
pub(crate) struct WakeHints {
    recent: Arc<Recent>,
    unsent: Arc<Unsent>,
    /// Wakes the worker that does the jobs.
    replay_begun: Arc<Notify>,
    /// Wakes who carries out erasures.
    erasure_ordered: Arc<Notify>,
    pending: Mutex<PendingHints>,
    /// Wakes the dispatcher.
    pub(crate) waker: Waker<Dispatcher>,
}

#[derive(Debug, Default)]
struct PendingHints {
    queues: BTreeMap<QueueId, NewRows>,
    /// True when queues were named that found no room.
    overflowed: bool,
    replayed: BTreeSet<QueueId>,
    connected: BTreeMap<ScopeId, HookVersion>,
    disconnected: BTreeMap<ScopeId, UnixMillis>,
}

impl NewRows {
    fn add(&mut self, number: OutNumber, since: UnixMillis) {
        if self.rows.len() < ROWS_MAX {
            self.rows.push((number, since));
        } else {
            self.more = true;
        }
    }
}

impl PendingHints {
    fn heard(&mut self, queue: &QueueId, number: OutNumber, since: UnixMillis) {
        let count = self.queues.len();
        if let Some(new) = self.queues.get_mut(queue) {
            new.add(number, since);
        } else if count < QUEUES_MAX {
            self.queues
                .entry(queue.clone())
                .or_default()
                .add(number, since);
        } else {
            self.overflowed = true;
        }
    }
}

impl WakeHints {
    /// Creates the hints. Each is remembered as recent and as unsent there; jobs that were begun and erasures that were
    /// ordered are announced there.
    pub(crate) fn new(
        recent: Arc<Recent>,
        unsent: Arc<Unsent>,
        replay_begun: Arc<Notify>,
        erasure_ordered: Arc<Notify>,
    ) -> Self {
        Self {
            recent,
            unsent,
            replay_begun,
            erasure_ordered,
            pending: Mutex::default(),
            waker: Waker::default(),
        }
    }

    /// Some of the queues that were named.
    pub(crate) fn take_queues(&self, most: usize) -> NamedQueues {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        NamedQueues {
            overflowed: std::mem::take(&mut pending.overflowed),
            queues: std::iter::from_fn(|| pending.queues.pop_first())
                .take(most)
                .collect(),
        }
    }

    pub(crate) fn has_queues(&self) -> bool {
        !self
            .pending
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .queues
            .is_empty()
    }

    /// The queues in which something was queued again. Replays are asked for in bounded groups, so these are few.
    pub(crate) fn take_replayed(&self) -> BTreeSet<QueueId> {
        std::mem::take(
            &mut self
                .pending
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .replayed,
        )
    }

    /// The scopes that were connected, with the version that each has chosen last.
    pub(crate) fn take_connected(&self) -> BTreeMap<ScopeId, HookVersion> {
        std::mem::take(
            &mut self
                .pending
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .connected,
        )
    }

    /// The scopes that were disconnected, and when.
    pub(crate) fn take_disconnected(&self) -> BTreeMap<ScopeId, UnixMillis> {
        std::mem::take(
            &mut self
                .pending
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .disconnected,
        )
    }
}

impl Listener<Notice> for WakeHints {
    fn committed(&self, notices: &[Notice]) {
        let callbacks = notices.iter().filter_map(|notice| match notice {
            Notice::Queued { queue, outgoing } => Some((queue.conversation, outgoing)),
            Notice::ReplayBegun
            | Notice::ErasureOrdered
            | Notice::HookQueued(_)
            | Notice::HookReplayed(_)
            | Notice::RelayQueued(_)
            | Notice::RelayReplayed(_)
            | Notice::RelaySwitched
            | Notice::WebhooksChanged(_)
            | Notice::Replayed(_)
            | Notice::Connected { .. }
            | Notice::ChannelChanged
            | Notice::Disconnected { .. } => None,
        });
        self.unsent.keep(callbacks);
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        for notice in notices {
            match notice {
                Notice::Queued { queue, outgoing } => {
                    let number = outgoing.number();
                    self.recent.keep(queue, number);
                    pending.heard(queue, number, outgoing.written_at());
                }
                Notice::Replayed(queue) => {
                    pending.replayed.insert(queue.clone());
                }
                Notice::ReplayBegun => self.replay_begun.notify_one(),
                Notice::ErasureOrdered => self.erasure_ordered.notify_one(),
                Notice::Connected { scope, version } => {
                    pending.connected.insert(scope.clone(), *version);
                }
                Notice::Disconnected { scope, at } => {
                    pending.disconnected.insert(scope.clone(), *at);
                }
                // It asks for all channels when it is awake. Hooks have a dispatcher of their own.
                Notice::ChannelChanged
                | Notice::HookQueued(_)
                | Notice::HookReplayed(_)
                | Notice::RelayQueued(_)
                | Notice::RelayReplayed(_)
                | Notice::RelaySwitched
                | Notice::WebhooksChanged(_) => {}
            }
        }
        drop(pending);
        self.waker.wake();
    }
}
