//! An owner's answer, delivered once it is true.
//!
//! The owner could return a [`Pending`] at once, and the caller could wait for the disk. But each wake-up of an HTTP
//! task polls down through a dozen nested futures, and half of the owners live on other threads. So the answer waits
//! in the journal's list of waiters of the caller's own thread, and arrives together with the batch: one wake-up
//! instead of two. The answer is still a `Pending`, so nothing depends on this optimisation.

use std::rc::Rc;

use actix::dev::{MessageResponse, OneshotSender};
use actix::{Actor, Message};

use crate::runtime::pending::Pending;
use crate::store::Notice;
use crate::store::committer::waiters::ThreadHandle;
use crate::store::committer::{Journal, Submitted};

/// The result of a message, with the record that it waits for.
pub struct DurableAnswer<R, N: Notice = ()> {
    result: R,
    when: Option<When<N>>,
}

/// The place and time at which the result is handed over.
struct When<N: Notice> {
    journal: Rc<Journal<N>>,
    change: Submitted,
    asker: ThreadHandle,
}

/// A result that becomes true once a record is on disk.
pub trait Depends {
    /// The record; `None` while it is not known yet.
    fn depends_on(&self) -> Option<Submitted>;
}

impl<R> Depends for Pending<R> {
    fn depends_on(&self) -> Option<Submitted> {
        Some(Pending::depends_on(self))
    }
}

impl<T: Depends, E, N: Notice> DurableAnswer<Result<T, E>, N> {
    /// With an `asker`, the answer goes to that thread once the records are on disk: for a caller that has nothing to
    /// do before. With `None` it goes at once.
    pub fn new(
        result: Result<T, E>,
        asker: Option<ThreadHandle>,
        journal: &Rc<Journal<N>>,
    ) -> Self {
        let change = result.as_ref().ok().and_then(Depends::depends_on);
        let when = change.zip(asker).map(|(change, asker)| When {
            journal: Rc::clone(journal),
            change,
            asker,
        });
        Self { result, when }
    }
}

impl<A, M, N: Notice> MessageResponse<A, M> for DurableAnswer<M::Result, N>
where
    A: Actor,
    M: Message,
    M::Result: Send,
{
    fn handle(self, _: &mut A::Context, asker: Option<OneshotSender<M::Result>>) {
        let Some(asker) = asker else { return };
        let result = self.result;
        // A caller that has gone away needs no answer.
        let hand_over = move || drop(asker.send(result));
        match self.when {
            Some(When {
                journal,
                change,
                asker,
            }) => journal.once_decided(change, &asker, hand_over),
            None => hand_over(),
        }
    }
}
