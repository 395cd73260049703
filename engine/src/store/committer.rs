//! The writing side of the journal: takes groups from every thread, commits them together and wakes the waiters.
//!
//! ```text
//! submit ──► queue ──► committer: one write, one sync ──► durable_upto moves ──► threads wake their waiters
//!               ▲ call, when a turn is over                                   └──► sink hears of the batch
//! ```
//!
//! Once called, the committer takes every group that waits; it never delays for a time. An event loop calls it when
//! its turn is over (`turns`), every other submitter calls it with each group. A *write* that fails, fails its batch
//! and every later group; the batch is removed from the disk, and the journal takes no new group until there is
//! space. A *sync* that fails ends the journal permanently, since the content of the disk is unknown then.

mod commit;
pub mod config;
mod draft;
pub mod outcome;
mod queue;
mod thread;
mod thread_waiters;
mod turns;
pub mod waiters;
mod writer;

pub use outcome::{FatalError, NotStoredError, SubmitError, Submitted};

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::sync::Notify;

use crate::histogram::{Histogram, HistogramSnapshot};
use crate::store::committer::commit::Committer;
use crate::store::committer::config::{JournalConfig, Threading};
use crate::store::committer::queue::{Priority, Purpose, Queue};
use crate::store::committer::waiters::{Durable, ThreadHandle, Waiters, WakeRelay};
use crate::store::committer::writer::Writer;
use crate::store::disk::Disk;
use crate::store::frontier::Frontier;
use crate::store::lock::lock;
use crate::store::log_owner::LogOwner;
use crate::store::recovery::Tail;
use crate::store::recovery::error::JournalOpenError;
use crate::store::{CommitSink, Epoch, Notice, RecordGroup, Seq};

/// The journal, open for writing. Clones share it; dropping the last one closes it.
#[derive(Debug)]
pub struct Journal<N: Notice = ()> {
    inner: Arc<Inner<N>>,
}

impl<N: Notice> Clone for Journal<N> {
    fn clone(&self) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
        }
    }
}

impl<N: Notice> Journal<N> {
    /// Goes on writing where `tail` says that the journal ends, and moves `frontier` for the readers. `sink`
    /// hears of every batch.
    ///
    /// # Errors
    /// When the segment cannot be opened or made, or the thread cannot be started.
    pub fn open(
        disk: Arc<dyn Disk>,
        tail: &Tail,
        frontier: Frontier,
        config: JournalConfig,
        sink: Arc<dyn CommitSink<N>>,
    ) -> Result<Self, JournalOpenError> {
        Self::open_shared(disk, tail, frontier, config, sink, None)
    }

    /// As [`Self::open`]; with an owner, each batch is stored in its shared log before anything else happens to it.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn open_shared(
        disk: Arc<dyn Disk>,
        tail: &Tail,
        frontier: Frontier,
        config: JournalConfig,
        sink: Arc<dyn CommitSink<N>>,
        owner: Option<Box<dyn LogOwner>>,
    ) -> Result<Self, JournalOpenError> {
        let config = config.bounded(owner.as_deref().map(LogOwner::batch_bytes_max));
        let waiters = Arc::new(Waiters::new(tail.durable));
        let queue = Arc::new(Queue::new(Arc::clone(&disk), &config, tail.next_seq));
        let writer = Writer::open(disk, &config, tail)?;
        let sync_times = writer.sync_times();
        frontier.advance(writer.end());
        let threading = config.threading;
        let committer = Committer::new(
            writer,
            Arc::clone(&queue),
            Arc::clone(&waiters),
            frontier,
            sink,
            config,
        )
        .owned_by(owner);
        let keeps_log = committer.keeps_log();
        let engine = match threading {
            Threading::Inline => Engine::Inline(Mutex::new(Box::new(committer))),
            Threading::Stepped => Engine::Stepped(Mutex::new(Box::new(committer)), Notify::new()),
            Threading::Thread => match thread::start(committer) {
                Ok(handle) => Engine::Thread(Mutex::new(Some(handle))),
                Err(error) => return Err(JournalOpenError::thread(&error)),
            },
        };
        Ok(Self {
            inner: Arc::new(Inner {
                keeps_log,
                sync_times,
                queue,
                waiters,
                engine,
            }),
        })
    }

    /// Takes a group: numbers its records without gaps, in the order of the calls, and hands it on. `seen` is
    /// the epoch that the submitter's state was built in.
    ///
    /// Returns at once; wait with [`Journal::durable`] before anything is answered. With
    /// [`Threading::Inline`] it is on disk, or lost, when this returns, and the sink has heard of it: the
    /// sink must not submit then.
    ///
    /// # Errors
    /// Why the group was not taken.
    pub fn submit(&self, seen: Epoch, group: RecordGroup<N>) -> Result<Submitted, SubmitError> {
        self.submit_for(Purpose::Accept, seen, group)
    }

    /// As [`Self::submit`], for what must still be written when there is no space for anything new: what becomes of
    /// the work that was accepted before.
    ///
    /// # Errors
    /// Why the group was not taken.
    pub fn finish(&self, seen: Epoch, group: RecordGroup<N>) -> Result<Submitted, SubmitError> {
        self.submit_for(Purpose::Finish, seen, group)
    }

    fn submit_for(
        &self,
        purpose: Purpose,
        seen: Epoch,
        group: RecordGroup<N>,
    ) -> Result<Submitted, SubmitError> {
        let inner = &*self.inner;
        match &inner.engine {
            Engine::Stepped(_, waits) => {
                let submitted = inner.queue.push(seen, group, purpose, Priority::Now)?;
                waits.notify_one();
                Ok(submitted)
            }
            Engine::Thread(_) => match inner.waiters.own() {
                Some(thread) => {
                    let submitted = inner.queue.push(seen, group, purpose, Priority::TurnsEnd)?;
                    thread.gather();
                    Ok(submitted)
                }
                None => inner.queue.push(seen, group, purpose, Priority::Now),
            },
            Engine::Inline(committer) => {
                // Held throughout, so that the order of numbers is the order on disk.
                let mut committer = lock(committer);
                let submitted = inner.queue.push(seen, group, purpose, Priority::Now)?;
                thread::turn(&mut committer);
                Ok(submitted)
            }
        }
    }

    /// With [`Threading::Stepped`], puts the waiting groups on disk, and returns whether there were any; when there
    /// were none, writes down how far the journal is on disk. With other kinds of threading the journal does that by
    /// itself.
    pub fn step(&self) -> bool {
        match &self.inner.engine {
            Engine::Stepped(committer, _) => thread::step(&mut lock(committer)),
            Engine::Inline(_) | Engine::Thread(_) => false,
        }
    }

    /// With [`Threading::Stepped`], ends when a group was submitted since the last call ended: it is time to
    /// [`step`](Self::step). With other kinds of threading it does not end. One task at a time may wait.
    pub async fn submitted(&self) {
        match &self.inner.engine {
            Engine::Stepped(_, waits) => waits.notified().await,
            Engine::Inline(_) | Engine::Thread(_) => std::future::pending().await,
        }
    }

    /// Waits until `seq`, numbered in `epoch`, is on disk; ready at once when it is already. Dropping
    /// the future ends the waiting.
    ///
    /// It ends with [`NotStoredError`] when the record's batch failed or the journal ended before it, and also when more than
    /// [`waiters::REWINDS_KEPT`] batches failed since, so that the outcome is not known any more.
    pub fn durable(&self, seq: Seq, epoch: Epoch) -> Durable {
        Durable::new(&self.inner.waiters, seq, epoch)
    }

    /// Returns whether the group is on disk (`Ok`) or lost; `None` while that is undecided.
    #[must_use]
    pub fn decided(&self, submitted: Submitted) -> Option<Result<(), NotStoredError>> {
        let Submitted { last, epoch } = submitted;
        self.inner.waiters.outcome(last, epoch)
    }

    /// A handle of the calling thread, for another thread that answers it with [`Self::once_decided`].
    #[must_use]
    pub fn thread_handle(&self) -> ThreadHandle {
        ThreadHandle::new(&self.inner.waiters)
    }

    /// Runs the continuation on `thread` once it is decided whether a record is on disk: for an answer that is to
    /// arrive together with the record that it waits for. When that is decided already, it runs at once on the
    /// calling thread; when `thread` has no [relay](Self::wake_relay) any more, on any thread. It must not block.
    pub fn once_decided(
        &self,
        submitted: Submitted,
        thread: &ThreadHandle,
        continuation: impl FnOnce() + Send + 'static,
    ) {
        let Submitted { last, epoch } = submitted;
        let waiters = &self.inner.waiters;
        waiters::once_decided(waiters, last, epoch, thread, Box::new(continuation));
    }

    /// A relay with a list of waiters for the thread that polls it: the committer wakes that thread once per batch,
    /// not once per waiter, and the relay wakes the waiters there. The groups that the thread submits go to the
    /// committer together, at the end of a turn of its event loop. Spawn one relay per thread that runs an event
    /// loop, on that loop; the loop must not block on the groups that it submitted. The relay ends when the journal
    /// does.
    pub fn wake_relay(&self) -> WakeRelay<N> {
        WakeRelay::new(
            Arc::clone(&self.inner.waiters),
            Arc::clone(&self.inner.queue),
        )
    }

    /// The current epoch, in which states are built now.
    #[must_use]
    pub fn epoch(&self) -> Epoch {
        self.inner.waiters.epoch()
    }

    /// The highest number that is on disk.
    #[must_use]
    pub fn durable_upto(&self) -> Seq {
        self.inner.waiters.durable_upto()
    }

    /// The highest number that was given out; what lies between it and [`Self::durable_upto`] is on its way.
    #[must_use]
    pub fn submitted_upto(&self) -> Seq {
        self.inner.queue.submitted_upto()
    }

    /// Returns how long the syncs of the journal took since it was opened.
    #[must_use]
    pub fn sync_times(&self) -> HistogramSnapshot {
        self.inner.sync_times.snapshot()
    }

    /// Returns whether the journal would take a group now, as far as that is known without trying.
    ///
    /// # Errors
    /// Why it would not.
    pub fn writable(&self) -> Result<(), SubmitError> {
        self.inner.queue.writable()
    }

    /// Takes no more groups, puts the waiting ones on disk, marks the end, releases the shared log, and returns when all
    /// that is done. A second call is harmless.
    pub fn close(&self) {
        self.inner.close();
    }

    /// As [`Self::close`], but does not release the shared log: this process claims it again before another node does.
    pub fn close_for_now(&self) {
        self.inner.keeps_log.store(true, Ordering::Release);
        self.inner.close();
    }
}

struct Inner<N: Notice> {
    /// True when the shared log is not released at the end.
    keeps_log: Arc<AtomicBool>,
    sync_times: Arc<Histogram>,
    queue: Arc<Queue<N>>,
    waiters: Arc<Waiters>,
    engine: Engine<N>,
}

enum Engine<N: Notice> {
    Inline(Mutex<Box<Committer<N>>>),
    /// With a notice for the task that steps.
    Stepped(Mutex<Box<Committer<N>>>, Notify),
    Thread(Mutex<Option<JoinHandle<()>>>),
}

impl<N: Notice> Inner<N> {
    fn close(&self) {
        self.queue.close();
        match &self.engine {
            Engine::Inline(committer) | Engine::Stepped(committer, _) => {
                lock(committer).finish();
            }
            Engine::Thread(handle) => {
                // The lock is held while joining: the second caller returns no earlier than the first.
                if let Some(handle) = lock(handle).take() {
                    thread::join(handle);
                }
            }
        }
    }
}

impl<N: Notice> Drop for Inner<N> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<N: Notice> fmt::Debug for Inner<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("durable_upto", &self.waiters.durable_upto())
            .field("epoch", &self.waiters.epoch())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
