//! The queue: the messages of one conversation in one scope, which leave one after the other.
//!
//! Only the queue's head is in memory. What stands behind it is in the store and costs neither a timer nor a
//! byte here.

use serde::{Deserialize, Serialize};

use crate::clock::Steady;
use crate::outcome::OutcomeBrief;
use crate::record::{CancelReason, Tally};
use crate::schedule::SlotClass;
use switchboard_values::id::{ConversationId, ScopeId};
use switchboard_values::time::UnixMillis;

/// The number of an outgoing message within its conversation: 1, 2, 3 …
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OutNumber(pub u64);

/// Distinguishes the answers of the store. Unique in the life of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuestionId(pub u64);

/// The ordering key: within a queue, messages leave in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueId {
    /// The scope that the messages leave through.
    pub scope: ScopeId,
    /// The conversation they belong to.
    pub conversation: ConversationId,
}

/// The first message of a queue that is not final, as the store knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueHead {
    /// Its number.
    pub number: OutNumber,
    /// The time at which it was queued, for the order of probes and for the notice that it waits.
    pub since: UnixMillis,
    /// The tally of the attempts so far, according to the record.
    pub tally: Tally,
    /// True when it was final once and an operator sent it again: it uses the slow share of the slots.
    pub replay: bool,
    /// True when it was first queued before this process started. An attempt that was in flight at the end of the
    /// earlier process left no record, so such a head is never sent as attempt 1.
    pub inherited: bool,
}

impl QueueHead {
    /// The number of the next attempt, from 1.
    pub(super) fn next_attempt(&self) -> u32 {
        let next = self.tally.made.saturating_add(1);
        // Of a message that was final, an attempt may have been lost with its record.
        if self.inherited || self.replay {
            next.max(2)
        } else {
            next
        }
    }
}

/// The machine's state of a queue in memory.
#[derive(Clone, Debug)]
pub(super) struct DeliveryQueue {
    pub(super) head: QueueHead,
    pub(super) phase: Phase,
    /// The reason to cancel the head if the attempt in flight fails.
    pub(super) doom: Option<CancelReason>,
    /// True when the scope moved to another endpoint while the head was in flight.
    pub(super) leaving: bool,
    /// True when an earlier message was queued again while the head was in flight.
    pub(super) overtaken: bool,
    /// The number of times that the head was a probe.
    pub(super) probes: u32,
    /// The time to notify people that the head waits.
    pub(super) overdue_at: Option<Steady>,
}

/// The state of a queue's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waits for a slot, or for its endpoint.
    Ready,
    /// Waits for its own retry; why is not known of one that was paged in.
    Waiting {
        until: Steady,
        why: Option<OutcomeBrief>,
    },
    /// Is being sent.
    InFlight(Flight),
    /// Became final; the store was asked for the next one. Only the newest question counts: what was heard
    /// since an earlier one may not be in its answer.
    Asking(QuestionId),
}

/// An attempt that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    pub(super) attempt: u32,
    pub(super) slot: SlotClass,
    pub(super) probe: bool,
}
