//! An attempt of relays, and its result.

use crate::domain::dispatch::delivery_queue::OutNumber;
use crate::domain::dispatch::outcome::{AttemptFailure, Outcome};
use crate::domain::dispatch::record::AttemptTrace;
use crate::domain::relays::RelayQueueId;
use crate::domain::time::UnixMillis;

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

impl AttemptResult {
    /// The result of an attempt for which nothing was sent.
    pub(super) fn unsent(began: UnixMillis, failure: AttemptFailure, why: &str) -> Self {
        Self {
            outcome: Outcome::Failed(failure),
            trace: AttemptTrace::unsent(began, why),
            is_stale: false,
        }
    }
}
