//! How far the archive is.

use std::time::Instant;

use switchboard_actors::domain::time::UnixMillis;
use tokio::sync::watch;

/// How far the archive is, at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArchiveStatus {
    /// Where it is.
    pub(crate) to: String,
    /// Which claim is in force; 0 before the first.
    pub(crate) epoch: u64,
    /// The newest entry.
    pub(crate) place: u64,
    /// The last record that it has.
    pub(crate) last: u64,
    /// Files that it has.
    pub(crate) files: u64,
    /// When it had everything the last time.
    pub(crate) current_at: Option<UnixMillis>,
    /// The same by the monotonic clock; the start of the service before.
    pub(crate) current_since: Instant,
    /// Why it cannot go on; it is tried again.
    pub(crate) trouble: Option<String>,
    /// Why it must not go on: the service ends.
    pub(crate) refused: Option<String>,
    /// How many times everything was looked through.
    pub(crate) rounds: u64,
}

impl ArchiveStatus {
    /// The state before the first answer of the archive.
    pub(crate) fn starting(to: String) -> Self {
        Self {
            to,
            epoch: 0,
            place: 0,
            last: 0,
            files: 0,
            current_at: None,
            current_since: Instant::now(),
            trouble: None,
            refused: None,
            rounds: 0,
        }
    }

    /// How old the archive is: for so long it may lack records, in seconds.
    pub(crate) fn age_seconds(&self) -> u64 {
        self.current_since.elapsed().as_secs()
    }

    /// How it is, in a word of [`STATES`].
    pub(crate) fn state(&self) -> &'static str {
        let [current, behind, failing, stopped] = STATES;
        match (&self.refused, &self.trouble, self.current_at) {
            (Some(_), ..) => stopped,
            (None, Some(_), _) => failing,
            (None, None, None) => behind,
            (None, None, Some(_)) => current,
        }
    }
}

/// How an archive may be.
pub(crate) const STATES: [&str; 4] = ["current", "starting", "failing", "stopped"];

/// The status, as the thread of the archive writes it.
pub(crate) type StatusSender = watch::Sender<ArchiveStatus>;
