//! A node that waits for its turn: it follows the log until the owner releases it or is silent for too long.

use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::runtime::clock::Clock;
use switchboard_engine::store::Seq;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::identity;
use switchboard_engine::store::index::Index;
use switchboard_engine::store::recovery::recover;
use switchboard_engine::time::UnixMillis;

use super::begin::{Beginning, beginning};
use super::follow_error::FollowError;
use super::follower::Follower;
use super::lease::Lease;
use super::log::SharedLog;
use super::owner::Owner;
use super::resolve_append::RetryPause;
use super::takeover::{OwnerClocks, Takeover, TakeoverError, take_over};
use crate::entry::Claimant;
use crate::log_end::LogEnd;

/// The settings of a standby.
#[derive(Clone, Debug)]
pub struct StandbyConfig {
    /// Its name, address and process, for its claims.
    pub claimant: Claimant,
    /// The time that the owner may be silent, by the clock of this node, before it claims the log.
    pub takeover_after: Duration,
    /// The size at which a segment of the local journal ends, in bytes: the next group goes to a new one.
    pub segment_bytes: u32,
}

/// A node that follows the log until it may own it.
pub struct Standby {
    follower: Follower,
    config: StandbyConfig,
    lease: Lease,
    /// The moment at which the newest entry was seen, by the clock of the lease.
    seen: Duration,
    /// The number of entries that were taken in since the last sync.
    unsynced: usize,
    /// The moment at which the log was doubted last.
    rechecked: Duration,
}

/// So many entries may be taken in between two syncs of the local journal.
const UNSYNCED_MAX: usize = 256;

/// The time between two questions to a silent log for its end. It may have a long list to go through for that.
const RECHECK_EVERY: Duration = Duration::from_secs(10);

impl Standby {
    /// Opens the journal on this disk, where no erasure is half done. An empty one gets the identity that the log has; `fresh` is the secret of a new
    /// installation.
    ///
    /// # Errors
    /// When the log cannot be read now, or the data directory cannot be used.
    pub fn open(
        disk: &Arc<dyn Disk>,
        log: &mut dyn SharedLog,
        fresh: [u8; 16],
        config: StandbyConfig,
        lease: Lease,
    ) -> Result<Self, FollowError> {
        let io_error = |reason: String| FollowError::Io {
            file: disk.describe(""),
            reason,
        };
        let of_log = match beginning(log)? {
            Beginning::Claimed { secret } => Some(secret),
            Beginning::Empty | Beginning::Ordered { .. } => None,
        };
        let secret = identity::open(disk, of_log.unwrap_or(fresh))?;
        let bounds = Index::known(disk.as_ref()).map_err(|error| io_error(error.to_string()))?;
        let tail = recover(disk.as_ref(), bounds)?;
        let (secret, tail) = match of_log {
            // Two nodes have begun at once, and the other one was the first.
            Some(of_log) if of_log != secret && tail.durable == Seq(0) => {
                identity::adopt(disk, of_log)?;
                (of_log, recover(disk.as_ref(), bounds)?)
            }
            Some(_) | None => (secret, tail),
        };
        let bytes = u64::from(config.segment_bytes);
        let follower = Follower::open(Arc::clone(disk), secret, &tail, bytes)?;
        Ok(Self {
            seen: lease.now(),
            rechecked: lease.now(),
            follower,
            config,
            lease,
            unsynced: 0,
        })
    }

    /// Takes in what the log has behind the end; how many entries these were. Waits up to `patience` for the first.
    ///
    /// # Errors
    /// When it cannot go on now, or for ever.
    pub fn follow(
        &mut self,
        log: &mut dyn SharedLog,
        patience: Duration,
    ) -> Result<usize, FollowError> {
        let now = self.lease.now();
        if now.saturating_sub(self.rechecked) >= RECHECK_EVERY {
            self.rechecked = now;
            self.follower.recheck_tail();
        }
        let count = match self.follower.follow(log, patience) {
            Ok(count) => count,
            Err(error) => {
                // Its owner may have written meanwhile: it counts as silent from now on.
                self.seen = self.lease.now();
                return Err(error);
            }
        };
        if count > 0 {
            self.seen = self.lease.now();
        }
        self.unsynced = self.unsynced.saturating_add(count);
        if self.unsynced > 0 && (count == 0 || self.unsynced >= UNSYNCED_MAX) {
            self.sync()?;
        }
        Ok(count)
    }

    /// Puts what was taken in on disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn sync(&mut self) -> Result<(), FollowError> {
        self.follower.sync()?;
        self.unsynced = 0;
        Ok(())
    }

    /// Returns whether this node may claim the log: the owner has released it, was silent for too long, or was this process. A log that no node has
    /// claimed is for the one that the order to begin it names.
    #[must_use]
    pub fn may_take_over(&self) -> bool {
        let claimant = &self.config.claimant;
        if self.follower.end().epoch == 0 {
            return self.follower.begins(&claimant.node);
        }
        let silent = self.lease.now().saturating_sub(self.seen);
        self.follower.is_released()
            || silent >= self.config.takeover_after
            || self.follower.end().owner.as_ref() == Some(claimant)
    }

    /// Claims the log. After [`TakeoverError::Taken`], and when the log cannot be read, the node goes on following.
    ///
    /// # Errors
    /// Why the node does not own the log.
    pub fn take_over(
        &mut self,
        log: &mut dyn SharedLog,
        waiting: &mut dyn RetryPause,
        clock: &Arc<dyn Clock>,
    ) -> Result<Takeover, TakeoverError> {
        // What could not be read before may show that the owner lives.
        while self.follow(log, Duration::ZERO)? > 0 {}
        if !self.may_take_over() {
            let by = self
                .end()
                .owner
                .as_ref()
                .map_or_else(|| "the owner".to_owned(), ToString::to_string);
            return Err(TakeoverError::Taken { by });
        }
        let clocks = self.clocks(Arc::clone(clock));
        let claimant = &self.config.claimant;
        let takeover = take_over(&mut self.follower, log, waiting, claimant, &clocks);
        if matches!(takeover, Err(TakeoverError::Taken { .. })) {
            self.seen = self.lease.now();
        }
        takeover
    }

    fn clocks(&self, clock: Arc<dyn Clock>) -> OwnerClocks {
        let lease = self.lease.clone();
        OwnerClocks { lease, clock }
    }

    /// The owner, from here on. What the log has lost of the local journal is stored first.
    ///
    /// # Errors
    /// When the log does not store it.
    pub fn own(
        self,
        takeover: Takeover,
        log: Box<dyn SharedLog>,
        waiting: Box<dyn RetryPause>,
        clock: Arc<dyn Clock>,
    ) -> Result<Owner, TakeoverError> {
        takeover.own(&self.follower, log, waiting, self.clocks(clock))
    }

    /// The end of the log, as far as it was followed.
    #[must_use]
    pub fn end(&self) -> &LogEnd {
        self.follower.end()
    }

    /// The time of the newest entry, by the clock of its maker; `None`: this process has taken in none.
    #[must_use]
    pub fn time(&self) -> Option<UnixMillis> {
        self.follower.time()
    }

    /// The secret of the installation.
    #[must_use]
    pub fn secret(&self) -> [u8; 16] {
        self.follower.secret().0
    }

    /// The last record of the local journal.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.follower.last()
    }

    /// The moment at which the newest entry was seen, by the clock of the lease.
    #[must_use]
    pub fn seen(&self) -> Duration {
        self.seen
    }

    /// The same node, opened again: the newest entry was seen then.
    #[must_use]
    pub fn seen_at(self, seen: Duration) -> Self {
        Self { seen, ..self }
    }

    /// The silence of the owner, by the clock of this node.
    #[must_use]
    pub fn silence(&self) -> Duration {
        self.lease.now().saturating_sub(self.seen)
    }
}

impl std::fmt::Debug for Standby {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Standby")
            .field("follower", &self.follower)
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
