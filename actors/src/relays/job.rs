//! An attempt of relays, and its result.

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::outcome::Outcome;
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::relays::RelayQueueId;

/// An attempt to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelayJob {
    pub(super) queue: RelayQueueId,
    pub(super) number: OutNumber,
    pub(super) attempt: u32,
    /// True when an operator asked for it.
    pub(super) is_replay: bool,
}

/// The result of a job.
#[derive(Debug)]
pub(super) struct AttemptResult {
    pub(super) outcome: Outcome,
    pub(super) trace: AttemptTrace,
    /// True when the hook is too old to be of use, and nothing was sent.
    pub(super) is_stale: bool,
}
