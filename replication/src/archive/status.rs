//! How far the archive is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use switchboard_engine::time::UnixMillis;
use tokio::sync::watch;

use super::repair::Repaired;

/// How far the archive is, at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveStatus {
    /// Where it is.
    pub to: String,
    /// Which claim is in force; 0 before the first.
    pub epoch: u64,
    /// The newest entry.
    pub position: u64,
    /// The last record that it has.
    pub last: u64,
    /// Files that it has.
    pub files: u64,
    /// When it had everything the last time.
    pub current_at: Option<UnixMillis>,
    /// The same by the monotonic clock; the start of the service before.
    pub current_since: Instant,
    /// Why it cannot go on; it is tried again.
    pub trouble: Option<String>,
    /// Why it must not go on: the service ends.
    pub refused: Option<String>,
    /// How many times everything was looked through.
    pub rounds: u64,
    /// The last repair that was ordered.
    pub repair: Option<Arc<RepairStatus>>,
}

/// How a repair is.
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
            refused: None,
            rounds: 0,
            repair: None,
        }
    }

    /// How old the archive is: it may lack what was stored in this time.
    pub fn age(&self) -> Duration {
        self.current_since.elapsed()
    }
}

/// The status, as the thread of the archive writes it.
pub(super) type StatusSender = watch::Sender<ArchiveStatus>;
