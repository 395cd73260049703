//! Locks and wake-ups of the limits, whose interleavings are tested: those of the standard library. Built with
//! `--cfg interleavings`, the unit tests have those of a model checker, which decides at each of them which thread goes on.

#[cfg(not(all(test, interleavings)))]
mod primitives {
    pub(crate) use std::sync::atomic::AtomicBool;
    pub(crate) use std::sync::{Mutex, MutexGuard};

    pub(crate) use futures_util::task::AtomicWaker;
    pub(crate) use tokio::sync::oneshot;
}

#[cfg(all(test, interleavings))]
mod modelled;
#[cfg(all(test, interleavings))]
mod primitives {
    pub(crate) use loom::sync::atomic::AtomicBool;
    pub(crate) use loom::sync::{Mutex, MutexGuard};

    pub(crate) use super::modelled::{AtomicWaker, oneshot};
}
#[cfg(all(test, interleavings))]
#[path = "../../tests/support/explore.rs"]
pub(crate) mod explore;

pub(crate) use primitives::{AtomicBool, AtomicWaker, Mutex, MutexGuard, oneshot};
