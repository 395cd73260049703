//! The waiters of one thread.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::task::Waker;

use crate::store::{Epoch, Seq};
use crate::sync::{Mutex, lock};

/// Distinguishes waiters for the same number.
pub(super) type Ticket = (Seq, u64);

/// The progress of the journal, as far as it matters to waiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JournalProgress {
    pub(super) durable: Seq,
    pub(super) epoch: Epoch,
    pub(super) ended: bool,
}

/// A wake-up: the effect once a record is on disk, or lost.
pub(super) enum Wakeup {
    /// A task wakes and checks the journal again.
    Task(Waker),
    /// A function runs on the thread.
    Continuation(Continuation),
}

/// A function that runs once.
pub(super) type Continuation = Box<dyn FnOnce() + Send>;

impl Wakeup {
    pub(super) fn go(self) {
        match self {
            Self::Task(waker) => waker.wake(),
            Self::Continuation(continuation) => continuation(),
        }
    }
}

impl fmt::Debug for Wakeup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Task(_) => "Task",
            Self::Continuation(_) => "Continuation",
        })
    }
}

/// The waiters of one thread, with the waker of its relay; or those of all threads without one.
///
/// A wake-up is only a hint: a task that wakes checks the journal's state again.
#[derive(Debug, Default)]
pub(super) struct ThreadWaiters {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiters: BTreeMap<Ticket, Wakeup>,
    next: u64,
    relay: Option<Waker>,
    /// The epoch in which all waiters were registered.
    epoch: Epoch,
    closed: bool,
    /// The number of groups that the thread has submitted without calling the committer.
    gathered: usize,
}

/// The result of a registration.
#[derive(Debug)]
pub(super) enum Registered {
    /// The list will wake the waiter.
    Waiting(Ticket),
    /// The record was reached, or lost, in the meantime.
    Decided(Wakeup),
    /// The list's relay is gone.
    Closed(Wakeup),
}

impl ThreadWaiters {
    /// Puts a waiter into the list unless `decided` holds. That is checked under the list's lock: the thread that
    /// advances the journal sweeps the list afterwards, so either it sees the waiter or `decided` holds.
    pub(super) fn register(
        &self,
        seq: Seq,
        waiting: Wakeup,
        decided: impl FnOnce() -> bool,
    ) -> Registered {
        let mut state = lock(&self.state);
        if state.closed {
            return Registered::Closed(waiting);
        }
        if decided() {
            return Registered::Decided(waiting);
        }
        let ticket = (seq, state.next);
        state.next = state.next.wrapping_add(1);
        state.waiters.insert(ticket, waiting);
        Registered::Waiting(ticket)
    }

    /// Renews the waker of a waiter that is polled again. False: it is not in the list any more.
    pub(super) fn renew(&self, ticket: Ticket, waker: &Waker) -> bool {
        match lock(&self.state).waiters.get_mut(&ticket) {
            Some(Wakeup::Task(old)) => {
                old.clone_from(waker);
                true
            }
            Some(Wakeup::Continuation(_)) | None => false,
        }
    }

    /// Takes a waiter out that does not wait any more.
    pub(super) fn forget(&self, ticket: Ticket) {
        let waiting = lock(&self.state).waiters.remove(&ticket);
        // Dropped here, behind the lock: a waker may run code of its executor.
        drop(waiting);
    }

    /// The relay was polled, and is to be woken through `waker`. Moves all waiters that are due into `due`.
    pub(super) fn relay_polled(
        &self,
        waker: &Waker,
        reached: JournalProgress,
        due: &mut Vec<Wakeup>,
    ) {
        let mut state = lock(&self.state);
        match &mut state.relay {
            Some(old) => old.clone_from(waker),
            None => state.relay = Some(waker.clone()),
        }
        state.take_due(reached, due);
    }

    /// The journal moved on: wakes the relay if there is something to do for it; without a relay, moves all waiters
    /// that are due into `due`.
    pub(super) fn moved(&self, reached: JournalProgress, due: &mut Vec<Wakeup>) {
        let mut state = lock(&self.state);
        if state.relay.is_none() {
            state.take_due(reached, due);
        } else if state.is_due(reached)
            && let Some(relay) = &state.relay
        {
            due.push(Wakeup::Task(relay.clone()));
        }
    }

    /// The list's thread has submitted a group: its relay is to call the committer when the turn is over.
    pub(super) fn gather(&self) {
        let mut state = lock(&self.state);
        state.gathered = state.gathered.saturating_add(1);
        let relay = (state.gathered == 1).then(|| state.relay.clone()).flatten();
        drop(state);
        if let Some(relay) = relay {
            relay.wake();
        }
    }

    /// Returns the number of groups submitted since [`Self::call_made`].
    pub(super) fn gathered(&self) -> usize {
        lock(&self.state).gathered
    }

    /// The committer is about to be called for all that was submitted.
    pub(super) fn call_made(&self) {
        lock(&self.state).gathered = 0;
    }

    /// The relay is gone: no waiter registers here any more, and those in the list look for another one.
    pub(super) fn close(&self, due: &mut Vec<Wakeup>) {
        let mut state = lock(&self.state);
        state.closed = true;
        state.relay = None;
        due.extend(mem::take(&mut state.waiters).into_values());
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        lock(&self.state).waiters.len()
    }
}

impl State {
    fn is_due(&self, reached: JournalProgress) -> bool {
        let everybody = reached.ended || reached.epoch != self.epoch;
        let first = self.waiters.first_key_value();
        everybody || first.is_some_and(|((seq, _), _)| *seq <= reached.durable)
    }

    fn take_due(&mut self, reached: JournalProgress, due: &mut Vec<Wakeup>) {
        let everybody = reached.ended || reached.epoch != self.epoch;
        self.epoch = reached.epoch;
        while let Some(first) = self.waiters.first_entry() {
            if !everybody && first.key().0 > reached.durable {
                break;
            }
            due.push(first.remove());
        }
    }
}
