//! Notices to the dispatcher, to the actor that runs replays, and to the service, about changes on disk. They are never stored, and
//! always derivable.
//!
//! Most events cause no notice: the readers of the journal find customers' messages there.

use crate::conversation::outgoing::Outgoing;
use crate::dispatch::delivery_queue::QueueId;
use crate::hook_version::HookVersion;
use crate::hooks::routing::HookQueueId;
use crate::id::{AccountId, ScopeId};
use crate::relays::RelayQueueId;
use crate::time::UnixMillis;

/// A change that is on disk now and causes further work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A callback waits at the end of its queue.
    Queued {
        /// Its queue.
        queue: QueueId,
        /// The message, so that its first attempt needs no read from the journal.
        outgoing: Outgoing,
    },
    /// A job that sends callbacks again was begun.
    ReplayBegun,
    /// An erasure was ordered.
    ErasureOrdered,
    /// A hook waits at the end of this queue.
    HookQueued(HookQueueId),
    /// A hook of this queue is to be sent again.
    HookReplayed(HookQueueId),
    /// A hook that a relay took waits at the end of this queue.
    RelayQueued(RelayQueueId),
    /// A hook of this queue of a relay is to be sent again.
    RelayReplayed(RelayQueueId),
    /// A relay was paused or resumed.
    RelaySwitched,
    /// The webhooks of an account are others now.
    WebhooksChanged(AccountId),
    /// A callback that was final waits in this queue again.
    Replayed(QueueId),
    /// An account was connected to a channel, or its connection changed.
    Connected {
        /// The scope.
        scope: ScopeId,
        /// The version of callbacks that it has chosen.
        version: HookVersion,
    },
    /// A channel is new, or its addresses or secrets changed.
    ChannelChanged,
    /// An account was disconnected from a channel: what is queued for it is cancelled.
    Disconnected {
        /// The scope.
        scope: ScopeId,
        /// The time of the move: callbacks queued later follow another connection.
        at: UnixMillis,
    },
}
