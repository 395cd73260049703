//! The wake-up of a dispatcher: one for all that is heard until it is there.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use actix::{Actor, Addr, Context, Handler};

use crate::shared::dispatch_shell::Wake;

/// Wakes a dispatcher.
pub struct Waker<A: Actor> {
    dispatcher: OnceLock<Addr<A>>,
    /// True when a wake-up is on its way.
    is_waking: AtomicBool,
}

impl<A: Actor<Context = Context<A>> + Handler<Wake>> Waker<A> {
    /// Wakes this dispatcher from now on.
    pub fn attach(&self, dispatcher: Addr<A>) {
        // There is one dispatcher of a kind per system.
        drop(self.dispatcher.set(dispatcher));
        self.wake();
    }

    /// Notes that the wake-up has arrived: what is heard from now on needs another.
    pub fn woken(&self) {
        self.is_waking.store(false, Ordering::SeqCst);
    }

    /// Wakes the dispatcher, unless a wake-up is on its way.
    pub fn wake(&self) {
        if self.is_waking.swap(true, Ordering::SeqCst) {
            return;
        }
        let is_sent = |dispatcher: &Addr<A>| dispatcher.try_send(Wake).is_ok();
        if !self.dispatcher.get().is_some_and(is_sent) {
            // A full mailbox is being worked on, and what was heard stays: the next commit wakes again.
            self.woken();
        }
    }
}

impl<A: Actor> Default for Waker<A> {
    fn default() -> Self {
        Self {
            dispatcher: OnceLock::new(),
            is_waking: AtomicBool::new(false),
        }
    }
}

impl<A: Actor> fmt::Debug for Waker<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waker").finish_non_exhaustive()
    }
}
