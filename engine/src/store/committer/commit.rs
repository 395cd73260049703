//! One turn of the committer: the waiting groups go to disk, then readers, waiters and the sink hear of them in this
//! order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::store::committer::config::{Durability, JournalConfig};
use crate::store::committer::draft::Draft;
use crate::store::committer::outcome::FatalError;
use crate::store::committer::queue::{Queue, Taken};
use crate::store::committer::waiters::Waiters;
use crate::store::committer::writer::{BatchStart, WriteError, Writer};
use crate::store::frontier::Frontier;
use crate::store::log_owner::{LogOwner, OwnerError};
use crate::store::{CommitSink, Notice};

/// Writes the groups of the queue to disk and reports their outcome.
pub(super) struct Committer<N: Notice> {
    writer: Writer,
    queue: Arc<Queue<N>>,
    waiters: Arc<Waiters>,
    frontier: Frontier,
    sink: Arc<dyn CommitSink<N>>,
    durability: Durability,
    mark_after: Duration,
    on_fatal: Arc<dyn Fn(&FatalError) + Send + Sync>,
    synced_at: Instant,
    over: bool,
    batch: Draft<N>,
    /// Stores each batch in a shared log; `None`: this machine is alone.
    owner: Option<Box<dyn LogOwner>>,
    /// True when the shared log is not released at the end.
    keeps_log: Arc<AtomicBool>,
}

/// The reason for which a batch is not in the shared log.
enum ReplicationError {
    /// It never will be.
    Refused(String),
    /// This process may store nothing more.
    Fatal(FatalError),
}

/// The decision whether there is a next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// There is.
    Turn,
    /// There is not: the journal has ended.
    End,
}

impl<N: Notice> Committer<N> {
    pub(super) fn new(
        writer: Writer,
        queue: Arc<Queue<N>>,
        waiters: Arc<Waiters>,
        frontier: Frontier,
        sink: Arc<dyn CommitSink<N>>,
        config: JournalConfig,
    ) -> Self {
        Self {
            writer,
            queue,
            waiters,
            frontier,
            sink,
            durability: config.durability,
            mark_after: config.mark_after,
            on_fatal: config.on_fatal,
            synced_at: Instant::now(),
            over: false,
            batch: Draft::default(),
            owner: None,
            keeps_log: Arc::default(),
        }
    }

    /// This one stores each batch in its shared log.
    pub(super) fn owned_by(self, owner: Option<Box<dyn LogOwner>>) -> Self {
        Self { owner, ..self }
    }

    /// Set, the shared log is not released at the end.
    pub(super) fn keeps_log(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.keeps_log)
    }

    /// Puts on disk what waits, without waiting for more.
    pub(super) fn turn(&mut self) {
        self.take_now();
    }

    /// As [`Self::turn`]; when no group waits, does the work of an idle journal. Returns whether a group waited.
    pub(super) fn step(&mut self) -> bool {
        match self.take_now() {
            Taken::Groups => true,
            Taken::Nothing => {
                self.idle();
                false
            }
            Taken::Closed => false,
        }
    }

    fn take_now(&mut self) -> Taken {
        if self.over {
            return Taken::Closed;
        }
        let mut batch = std::mem::take(&mut self.batch);
        let work = self.queue.take(&mut batch, Some(Duration::ZERO));
        if work == Taken::Groups {
            self.commit(&mut batch);
        }
        batch.clear();
        self.batch = batch;
        work
    }

    /// Waits for work and does it.
    pub(super) fn wait_and_turn(&mut self) -> Next {
        let mut batch = std::mem::take(&mut self.batch);
        let work = self.queue.take(&mut batch, self.patience());
        match work {
            Taken::Groups => self.commit(&mut batch),
            Taken::Nothing => self.idle(),
            Taken::Closed => self.finish(),
        }
        batch.clear();
        self.batch = batch;
        if self.over { Next::End } else { Next::Turn }
    }

    /// Returns the time to wait for work before something else is due.
    fn patience(&self) -> Option<Duration> {
        let until_sync = match self.durability {
            Durability::Interval(interval) if self.writer.is_unsynced() => {
                Some(interval.saturating_sub(self.synced_at.elapsed()))
            }
            Durability::Interval(_) | Durability::EveryBatch => None,
        };
        let until_mark = self.writer.is_unmarked().then_some(self.mark_after);
        let until_heartbeat = self.owner.as_deref().map(LogOwner::heartbeat_in);
        let others = until_mark.into_iter().chain(until_heartbeat);
        until_sync.into_iter().chain(others).min()
    }

    fn commit(&mut self, batch: &mut Draft<N>) {
        let start = self.writer.start();
        match self.share(batch) {
            Ok(()) => {}
            Err(ReplicationError::Refused(reason)) => {
                tracing::warn!(
                    reason,
                    "the shared log refused a batch, which is taken back"
                );
                return self.take_back(start);
            }
            Err(ReplicationError::Fatal(error)) => return self.die(&error),
        }
        match self.writer.append(batch.parts()) {
            Ok(()) => {}
            // The log has it, so it cannot be taken back; the next start reads it from there.
            Err(WriteError::Refused { file, error }) if self.owner.is_some() => {
                let reason = error.to_string();
                return self.die(&FatalError::Behind { file, reason });
            }
            Err(WriteError::Refused { file, error }) => {
                tracing::warn!(file, %error, "journal write refused, batch taken back");
                return self.take_back(start);
            }
            Err(WriteError::Fatal(error)) => return self.die(&error),
        }
        if self.is_sync_due()
            && let Err(error) = self.sync()
        {
            return self.die(&error);
        }
        self.publish(batch);
    }

    /// Stores a batch in the shared log, where there is one, before anything else happens to it.
    fn share(&mut self, batch: &Draft<N>) -> Result<(), ReplicationError> {
        let Some(owner) = &mut self.owner else {
            return Ok(());
        };
        let groups = batch
            .portable()
            .map_err(|defect| ReplicationError::Refused(defect.to_string()))?;
        owner
            .append(batch.last(), groups)
            .map_err(|error| match error {
                OwnerError::Refused(reason) => ReplicationError::Refused(reason),
                OwnerError::Deposed { .. } | OwnerError::Unknown(_) => {
                    ReplicationError::Fatal(FatalError::Owner(error))
                }
            })
    }

    /// Stores a sign of life of the owner, when that is due.
    fn heartbeat(&mut self) {
        if let Some(owner) = &mut self.owner
            && owner.heartbeat_in().is_zero()
            && let Err(error) = owner.heartbeat()
            && !matches!(error, OwnerError::Refused(_))
        {
            self.die(&FatalError::Owner(error));
        }
    }

    fn is_sync_due(&self) -> bool {
        match self.durability {
            Durability::EveryBatch => true,
            Durability::Interval(interval) => self.synced_at.elapsed() >= interval,
        }
    }

    fn sync(&mut self) -> Result<(), FatalError> {
        self.writer.sync()?;
        self.synced_at = Instant::now();
        if let Some(owner) = &self.owner
            && let Err(error) = owner.note(self.writer.disk())
        {
            // The next start compares a little more.
            tracing::warn!(%error, "the position in the shared log cannot be noted");
        }
        Ok(())
    }

    /// Readers may read the batch, then waiters wake, then the sink hears of it. So an answered record can be read,
    /// and no listener hears of a record before its waiters wake.
    fn publish(&mut self, batch: &mut Draft<N>) {
        self.frontier.advance(self.writer.end());
        self.waiters.advance(self.writer.last());
        self.waiters.wake();
        self.sink.committed(batch.take_batch());
    }

    /// The batch failed. It is removed from the disk before any waiter learns that it is lost, together with every
    /// group that was submitted on top of it.
    fn take_back(&mut self, start: BatchStart) {
        if let Err(error) = self.writer.rewind(start) {
            return self.die(&error);
        }
        let waiters = &self.waiters;
        self.queue
            .rewind(self.writer.last(), |epoch| waiters.rewind(epoch));
        self.waiters.wake();
    }

    fn idle(&mut self) {
        self.heartbeat();
        if self.over {
            return;
        }
        if self.writer.is_unsynced()
            && let Err(error) = self.sync()
        {
            return self.die(&error);
        }
        self.mark();
    }

    fn mark(&mut self) {
        if self.writer.is_unmarked()
            && let Err(WriteError::Fatal(error)) = self.writer.mark()
        {
            self.die(&error);
        }
    }

    /// Takes nothing more, puts what waits on disk and marks the end, synced.
    pub(super) fn finish(&mut self) {
        self.turn();
        if self.over {
            return;
        }
        self.idle();
        if let Err(WriteError::Refused { file, error }) = self.writer.trim() {
            // The next start does it.
            tracing::warn!(file, %error, "the end of the journal was not cut to its length");
        }
        if !self.over
            && let Err(error) = self.sync()
        {
            return self.die(&error);
        }
        if let Some(mut owner) = self.owner.take()
            && !self.keeps_log.load(Ordering::Acquire)
            && let Err(error) = owner.release()
        {
            // The others find out by waiting.
            tracing::warn!(%error, "the shared log was not released");
        }
        self.end();
    }

    /// The content of the disk is unknown: the journal promises nothing any more.
    pub(super) fn die(&mut self, error: &FatalError) {
        if self.over {
            return;
        }
        self.over = true;
        self.queue.abandon();
        // First of all: by default the process ends here, before any waiter learns of it.
        (self.on_fatal)(error);
        self.end();
    }

    fn end(&mut self) {
        self.over = true;
        self.waiters.end();
        self.waiters.wake();
    }
}
