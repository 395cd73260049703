//! An owner's answer, handed over when it is true.
//!
//! Who asks could be handed a [`Pending`] at once and wait for the disk then; but each time a task of the HTTP side is
//! woken, it finds its way down through a dozen futures, and half of the owners live on other threads. So the answer
//! waits in the journal's list of waiters of the asker's own thread, and arrives together with the batch: one wake-up instead of
//! two. It is a `Pending` all the same, so nothing rests on this being so.

use std::rc::Rc;

use actix::dev::{MessageResponse, OneshotSender};
use actix::{Actor, Message};

use crate::runtime::pending::Pending;
use crate::store::Notice;
use crate::store::committer::waiters::ThreadHandle;
use crate::store::committer::{Journal, Submitted};

/// The result of a message, with what it waits for.
pub struct DurableAnswer<R, N: Notice = ()> {
    result: R,
    when: Option<When<N>>,
}

/// When and where the result is handed over.
struct When<N: Notice> {
    journal: Rc<Journal<N>>,
    decided: Submitted,
    asker: ThreadHandle,
}

/// What becomes true with a record.
pub trait Depends {
    /// The record, unless that is not known yet.
    fn depends_on(&self) -> Option<Submitted>;
}

impl<R> Depends for Pending<R> {
    fn depends_on(&self) -> Option<Submitted> {
        Some(Pending::depends_on(self))
    }
}

impl<T: Depends, E, N: Notice> DurableAnswer<Result<T, E>, N> {
    /// To an asker on that thread, who has nothing to do before the records are on disk; or at once, to somebody who
    /// has (`None`).
    pub fn new(
        result: Result<T, E>,
        asker: Option<ThreadHandle>,
        journal: &Rc<Journal<N>>,
    ) -> Self {
        let decided = result.as_ref().ok().and_then(Depends::depends_on);
        let when = decided.zip(asker).map(|(decided, asker)| When {
            journal: Rc::clone(journal),
            decided,
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
        // An asker who has gone away needs no answer.
        let hand_over = move || drop(asker.send(result));
        match self.when {
            Some(When {
                journal,
                decided,
                asker,
            }) => journal.once_decided(decided, &asker, hand_over),
            None => hand_over(),
        }
    }
}
