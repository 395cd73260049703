//! The settings of a journal.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::store::committer::outcome::FatalError;
use crate::store::log_owner::OwnerError;

/// The largest segment and the largest queue: offsets are stored in 32 bits, and a segment may be as long as
/// both together.
const BYTES_MAX: u32 = 1 << 30;

/// Settings of a journal. The defaults are right for a service on a disk.
#[derive(Clone)]
pub struct JournalConfig {
    /// The length in bytes from which on a segment takes no further group. 64 MiB; at most 1 GiB.
    pub segment_bytes: u32,
    /// So many zeros are written behind a batch that reaches the end of the file, for the next batches to overwrite:
    /// their syncs take half the time then. 512 KiB; 0 where a sync costs nothing.
    pub prepare_bytes: u32,
    /// The bytes that may wait, and so the longest group. 64 MiB; at most 1 GiB. The batch that is being written does
    /// not count any more, is copied once more when it makes the file longer, and memory grows by doubling: in total
    /// the queue may take five times as much.
    pub queue_bytes: u32,
    /// The limit of waiting groups. 65,536.
    pub queue_groups: usize,
    /// With less free space nothing is taken: what runs already must be able to finish. 16 MiB.
    pub low_water_bytes: u64,
    /// With less free space than this nothing new is accepted; what was accepted before may still be finished, down to
    /// `low_water_bytes`. 0: as `low_water_bytes`.
    pub reserve_bytes: u64,
    /// The time for which an answer about free space is believed. 200 ms.
    pub space_check_every: Duration,
    /// After how long without work the newest `durable_upto` is written down, see [`recovery`]. 50 ms; only
    /// with a thread.
    ///
    /// [`recovery`]: crate::store::recovery
    pub mark_after: Duration,
    /// The durability of records.
    pub durability: Durability,
    /// The thread that commits.
    pub threading: Threading,
    /// Called once when the journal ends by a [`FatalError`], before any waiter learns of it. The default logs it and
    /// aborts the process, or ends it with the code [`DEPOSED`] when another node owns the shared log.
    pub on_fatal: Arc<dyn Fn(&FatalError) + Send + Sync>,
}

/// The point at which records count as durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// On disk: every batch is synced before its waiters wake.
    EveryBatch,
    /// Written; synced once this much time has passed since the last time. **A power cut loses
    /// answered records.**
    Interval(Duration),
}

/// The thread that commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threading {
    /// A thread of the journal's own: batches gather while the disk works.
    Thread,
    /// The submitting thread: every group is a batch. Deterministic, for tests and for a disk in memory.
    Inline,
    /// The thread that calls [`Journal::step`]: all groups that wait then are a batch. Deterministic, for simulators.
    ///
    /// [`Journal::step`]: crate::store::committer::Journal::step
    Stepped,
}

impl JournalConfig {
    /// The settings with every bound inside what the format can hold, and a batch of a shared log.
    pub(super) fn bounded(mut self, batch_bytes_max: Option<usize>) -> Self {
        self.segment_bytes = self.segment_bytes.min(BYTES_MAX);
        let most = batch_bytes_max.and_then(|most| u32::try_from(most).ok());
        self.queue_bytes = self
            .queue_bytes
            .min(BYTES_MAX)
            .min(most.unwrap_or(u32::MAX));
        self
    }
}

impl Default for JournalConfig {
    fn default() -> Self {
        Self {
            segment_bytes: 64 << 20,
            prepare_bytes: 512 << 10,
            queue_bytes: 64 << 20,
            queue_groups: 1 << 16,
            low_water_bytes: 16 << 20,
            reserve_bytes: 0,
            space_check_every: Duration::from_millis(200),
            mark_after: Duration::from_millis(50),
            durability: Durability::EveryBatch,
            threading: Threading::Thread,
            on_fatal: Arc::new(abort),
        }
    }
}

impl fmt::Debug for JournalConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalConfig")
            .field("segment_bytes", &self.segment_bytes)
            .field("prepare_bytes", &self.prepare_bytes)
            .field("queue_bytes", &self.queue_bytes)
            .field("queue_groups", &self.queue_groups)
            .field("low_water_bytes", &self.low_water_bytes)
            .field("reserve_bytes", &self.reserve_bytes)
            .field("space_check_every", &self.space_check_every)
            .field("mark_after", &self.mark_after)
            .field("durability", &self.durability)
            .field("threading", &self.threading)
            .finish_non_exhaustive()
    }
}

/// The exit code of a process that does not own its shared log any more: it may start again at once, as a standby.
pub const DEPOSED: i32 = 75;

fn abort(error: &FatalError) {
    tracing::error!(%error, "journal ended");
    match error {
        FatalError::Owner(OwnerError::Deposed { .. }) => std::process::exit(DEPOSED),
        // The process ends in order, but for the last entry.
        FatalError::Owner(OwnerError::Unknown(_) | OwnerError::Refused(_)) => std::process::exit(1),
        FatalError::Sync { .. }
        | FatalError::Rewind { .. }
        | FatalError::Behind { .. }
        | FatalError::Panicked => std::process::abort(),
    }
}
