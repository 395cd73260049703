//! Waiting until a record is on disk, with one wake-up per thread and batch.
//!
//! Waking a task of another thread costs 10 to 20 µs, so the committer does it once per thread: it wakes the
//! thread's *relay*, and the relay wakes the waiters of its *list* where they are. Threads without a relay share
//! a list whose waiters the committer wakes itself.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

use crate::store::Notice;
use crate::store::committer::outcome::NotStoredError;
use crate::store::committer::queue::Queue;
use crate::store::committer::thread_waiters::{
    Continuation, JournalProgress, Registered, ThreadWaiters, Ticket, Wakeup,
};
use crate::store::committer::turns;
use crate::store::{Epoch, Seq};
use crate::sync::{AtomicBool, AtomicU64, Mutex, lock, thread_value};

/// The number of failed batches that are remembered, for waiters that still ask about a number from before them.
pub const REWINDS_KEPT: usize = 64;

thread_value! {
    /// The lists of this thread, one for each journal that has a relay here.
    static THREADS: RefCell<Vec<(*const Waiters, Arc<ThreadWaiters>)>> = const { RefCell::new(Vec::new()) };
}

/// The progress of the journal, and the waiters for more of it.
#[derive(Debug)]
pub(super) struct Waiters {
    durable: AtomicU64,
    epoch: AtomicU64,
    ended: AtomicBool,
    /// The durable end of each of the last epochs.
    rewinds: Mutex<VecDeque<(Epoch, Seq)>>,
    threads: Mutex<Vec<Arc<ThreadWaiters>>>,
    common: Arc<ThreadWaiters>,
}

impl Waiters {
    pub(super) fn new(durable: Seq) -> Self {
        Self {
            durable: AtomicU64::new(durable.0),
            epoch: AtomicU64::new(Epoch::default().0),
            ended: AtomicBool::new(false),
            rewinds: Mutex::default(),
            threads: Mutex::default(),
            common: Arc::default(),
        }
    }

    pub(super) fn durable_upto(&self) -> Seq {
        Seq(self.durable.load(Ordering::Acquire))
    }

    pub(super) fn epoch(&self) -> Epoch {
        Epoch(self.epoch.load(Ordering::Acquire))
    }

    /// Everything up to `durable` is on disk. [`Self::wake`] is to follow.
    pub(super) fn advance(&self, durable: Seq) {
        self.durable.store(durable.0, Ordering::Release);
    }

    /// Everything behind the durable end is lost; `next` begins. [`Self::wake`] is to follow.
    pub(super) fn rewind(&self, next: Epoch) {
        let mut rewinds = lock(&self.rewinds);
        if rewinds.len() >= REWINDS_KEPT {
            rewinds.pop_front();
        }
        rewinds.push_back((self.epoch(), self.durable_upto()));
        self.epoch.store(next.0, Ordering::Release);
    }

    /// Nothing more will be on disk than is now. [`Self::wake`] is to follow.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Wakes every relay that has something to do and all due waiters without a relay.
    pub(super) fn wake(&self) {
        let reached = self.reached();
        let mut due = Vec::new();
        for thread in lock(&self.threads).iter().chain([&self.common]) {
            thread.moved(reached, &mut due);
        }
        go_all(due);
    }

    fn reached(&self) -> JournalProgress {
        JournalProgress {
            durable: self.durable_upto(),
            epoch: self.epoch(),
            ended: self.ended.load(Ordering::Acquire),
        }
    }

    /// The outcome of a record; `None` while it is undecided.
    pub(super) fn outcome(&self, seq: Seq, epoch: Epoch) -> Option<Result<(), NotStoredError>> {
        // In this order. Once `ended` is seen, `durable` moves no more. A reader that sees a `durable` of a later
        // epoch sees that epoch too, since the epoch was stored first.
        let has_ended = self.ended.load(Ordering::Acquire);
        let durable = self.durable_upto();
        if self.epoch() != epoch {
            return Some(self.outcome_then(seq, epoch));
        }
        if seq <= durable {
            return Some(Ok(()));
        }
        has_ended.then_some(Err(NotStoredError))
    }

    fn outcome_then(&self, seq: Seq, epoch: Epoch) -> Result<(), NotStoredError> {
        let rewinds = lock(&self.rewinds);
        let then = rewinds.iter().find(|(ended, _)| *ended == epoch);
        match then {
            Some((_, durable)) if seq <= *durable => Ok(()),
            Some(_) | None => Err(NotStoredError),
        }
    }

    /// The list of the calling thread, if it has a relay.
    pub(super) fn own(&self) -> Option<Arc<ThreadWaiters>> {
        let here: *const Self = self;
        THREADS
            .try_with(|threads| {
                let threads = threads.borrow();
                let thread = threads.iter().find(|(journal, _)| *journal == here);
                thread.map(|(_, thread)| Arc::clone(thread))
            })
            .ok()
            .flatten()
    }

    fn own_or_common(&self) -> Arc<ThreadWaiters> {
        self.own().unwrap_or_else(|| Arc::clone(&self.common))
    }

    #[cfg(test)]
    pub(super) fn waiting_in_common(&self) -> usize {
        self.common.len()
    }

    #[cfg(test)]
    pub(super) fn threads(&self) -> usize {
        lock(&self.threads).len()
    }
}

fn go_all(due: Vec<Wakeup>) {
    for waiting in due {
        waiting.go();
    }
}

/// A thread, as far as waiting for the journal goes; made by [`Journal::thread_handle`](super::Journal::thread_handle).
#[derive(Clone, Debug)]
pub struct ThreadHandle(Arc<ThreadWaiters>);

impl ThreadHandle {
    pub(super) fn new(waiters: &Waiters) -> Self {
        Self(waiters.own_or_common())
    }
}

/// Does the continuation on the thread of `here` once the record is on disk, or lost; at once when that is decided.
pub(super) fn once_decided(
    waiters: &Waiters,
    seq: Seq,
    epoch: Epoch,
    thread: &ThreadHandle,
    continuation: Continuation,
) {
    let is_decided = || waiters.outcome(seq, epoch).is_some();
    let registered = match thread
        .0
        .register(seq, Wakeup::Continuation(continuation), is_decided)
    {
        Registered::Closed(waiting) => waiters.common.register(seq, waiting, is_decided),
        registered @ (Registered::Waiting(_) | Registered::Decided(_)) => registered,
    };
    match registered {
        Registered::Waiting(_) => {}
        Registered::Decided(waiting) | Registered::Closed(waiting) => waiting.go(),
    }
}

/// Waits until a record is on disk; made by [`Journal::durable`](super::Journal::durable).
#[derive(Debug)]
#[must_use = "a record is not on disk before this is ready"]
pub struct Durable(WaitState);

#[derive(Debug)]
enum WaitState {
    /// Decided when the future was made: it shares nothing with other threads then.
    Decided(Result<(), NotStoredError>),
    Open(Wait),
}

#[derive(Debug)]
struct Wait {
    waiters: Arc<Waiters>,
    seq: Seq,
    epoch: Epoch,
    place: Option<(Arc<ThreadWaiters>, Ticket)>,
}

impl Durable {
    pub(super) fn new(waiters: &Arc<Waiters>, seq: Seq, epoch: Epoch) -> Self {
        Self(match waiters.outcome(seq, epoch) {
            Some(outcome) => WaitState::Decided(outcome),
            None => WaitState::Open(Wait {
                waiters: Arc::clone(waiters),
                seq,
                epoch,
                place: None,
            }),
        })
    }
}

impl Wait {
    fn poll(&mut self, ctx: &Context<'_>) -> Poll<Result<(), NotStoredError>> {
        loop {
            if let Some(outcome) = self.waiters.outcome(self.seq, self.epoch) {
                self.leave();
                return Poll::Ready(outcome);
            }
            if self.enlist(ctx.waker()) {
                return Poll::Pending;
            }
        }
    }

    fn leave(&mut self) {
        if let Some((thread, ticket)) = self.place.take() {
            thread.forget(ticket);
        }
    }

    /// Has a list wake this waiter; false when it need not wait any more.
    fn enlist(&mut self, waker: &Waker) -> bool {
        if let Some((thread, ticket)) = &self.place {
            if thread.renew(*ticket, waker) {
                return true;
            }
            // Taken out to be woken, for what happened before this poll looked; or the list has ended.
            self.place = None;
        }
        let mut thread = self.waiters.own_or_common();
        loop {
            let is_decided = || self.waiters.outcome(self.seq, self.epoch).is_some();
            match thread.register(self.seq, Wakeup::Task(waker.clone()), is_decided) {
                Registered::Waiting(ticket) => {
                    self.place = Some((thread, ticket));
                    return true;
                }
                Registered::Decided(_) => return false,
                Registered::Closed(_) => thread = Arc::clone(&self.waiters.common),
            }
        }
    }
}

impl Future for Durable {
    type Output = Result<(), NotStoredError>;

    fn poll(mut self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            WaitState::Decided(outcome) => Poll::Ready(*outcome),
            WaitState::Open(wait) => wait.poll(ctx),
        }
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Wakes the waiters of one thread, and calls the committer when its turns are over; made by
/// [`Journal::wake_relay`](super::Journal::wake_relay). Ready when the journal has ended. Dropping it moves its
/// waiters to the common list.
#[must_use = "a pump does nothing unless it is spawned"]
pub struct WakeRelay<N: Notice = ()> {
    waiters: Arc<Waiters>,
    queue: Arc<Queue<N>>,
    thread: Option<Arc<ThreadWaiters>>,
    turns: Option<Pin<Box<dyn Future<Output = ()>>>>,
    due: Vec<Wakeup>,
    /// A list belongs to a thread, so its relay must not leave it.
    stays: PhantomData<Rc<()>>,
}

impl<N: Notice> WakeRelay<N> {
    pub(super) fn new(waiters: Arc<Waiters>, queue: Arc<Queue<N>>) -> Self {
        Self {
            waiters,
            queue,
            thread: None,
            turns: None,
            due: Vec::new(),
            stays: PhantomData,
        }
    }

    /// The relay's list, made when it is polled first. `None`: the thread has another relay for this journal,
    /// which is enough.
    fn thread(&mut self) -> Option<Arc<ThreadWaiters>> {
        if let Some(thread) = &self.thread {
            return Some(Arc::clone(thread));
        }
        let here = Arc::as_ptr(&self.waiters);
        let thread = Arc::<ThreadWaiters>::default();
        let registration = THREADS.try_with(|threads| {
            let mut threads = threads.borrow_mut();
            let first = threads.iter().all(|(journal, _)| *journal != here);
            if first {
                threads.push((here, Arc::clone(&thread)));
            }
            first
        });
        if !registration.is_ok_and(|first| first) {
            return None;
        }
        lock(&self.waiters.threads).push(Arc::clone(&thread));
        self.thread = Some(Arc::clone(&thread));
        let turns = turns::watch(Arc::clone(&thread), Arc::clone(&self.queue));
        self.turns = Some(Box::pin(turns));
        Some(thread)
    }
}

impl<N: Notice> Future for WakeRelay<N> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, ctx: &mut Context<'_>) -> Poll<()> {
        let Some(thread) = self.thread() else {
            return Poll::Ready(());
        };
        let reached = self.waiters.reached();
        let mut due = std::mem::take(&mut self.due);
        thread.relay_polled(ctx.waker(), reached, &mut due);
        for waiting in due.drain(..) {
            waiting.go();
        }
        self.due = due;
        if reached.ended {
            return Poll::Ready(());
        }
        match &mut self.turns {
            Some(turns) => turns.as_mut().poll(ctx),
            None => Poll::Pending,
        }
    }
}

impl<N: Notice> fmt::Debug for WakeRelay<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WakeRelay")
            .field("thread", &self.thread)
            .finish_non_exhaustive()
    }
}

impl<N: Notice> Drop for WakeRelay<N> {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        let here = Arc::as_ptr(&self.waiters);
        // A thread that is ending has dropped its lists already.
        THREADS
            .try_with(|threads| threads.borrow_mut().retain(|(journal, _)| *journal != here))
            .ok();
        lock(&self.waiters.threads).retain(|it| !Arc::ptr_eq(it, &thread));
        let mut due = Vec::new();
        thread.close(&mut due);
        go_all(due);
        // No relay sees the end of this thread's turns any more.
        self.queue.call();
    }
}
