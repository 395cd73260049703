//! The progress of the archive.

use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard_engine::time::UnixMillis;
use tokio::sync::watch;

use super::repair::Repaired;

/// The progress of the archive at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveStatus {
    /// Its address.
    pub to: String,
    /// The number of the claim that is in force; 0 before the first.
    pub epoch: u64,
    /// The newest entry.
    pub position: u64,
    /// The last record that it has.
    pub last: u64,
    /// Files that it has.
    pub files: u64,
    /// The moment at which it had everything the last time.
    pub current_at: Option<UnixMillis>,
    /// The same by the monotonic clock; the start of the service before.
    pub current_since: Instant,
    /// The reason for which it cannot go on; it is tried again.
    pub trouble: Option<String>,
    /// The reason for which it must not go on: the service ends.
    pub refusal: Option<String>,
    /// The number of times that everything was looked through.
    pub rounds: u64,
    /// The last repair that was ordered.
    pub repair: Option<Arc<RepairStatus>>,
}

/// The state of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairStatus {
    /// It goes on.
    Running,
    /// It is done.
    Done(Repaired),
    /// Nothing, or not everything, was written.
    Failed(String),
}

impl ArchiveStatus {
    /// The state before the first answer of the archive.
    pub fn starting(to: String) -> Self {
        Self {
            to,
            epoch: 0,
            position: 0,
            last: 0,
            files: 0,
            current_at: None,
            current_since: Instant::now(),
            trouble: None,
            refusal: None,
            rounds: 0,
            repair: None,
        }
    }

    /// The age of the archive: it may lack what was stored in this time.
    pub fn age(&self) -> Duration {
        self.current_since.elapsed()
    }
}

/// The status, as the thread of the archive writes it.
pub(super) type StatusSender = watch::Sender<ArchiveStatus>;
