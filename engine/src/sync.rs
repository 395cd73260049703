//! Locks and atomics of the parts whose interleavings are tested: those of the standard library. Built with
//! `--cfg interleavings`, the unit tests have those of a model checker, which decides at each of them which thread goes on.

#[cfg(not(all(test, interleavings)))]
mod primitives {
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64};
    pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread_local as thread_value;

    pub(crate) use crate::store::lock::lock;
}

#[cfg(all(test, interleavings))]
mod primitives {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64};
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};

    /// Takes the initial value in the form that the standard library has for constants.
    macro_rules! thread_value {
        ($(#[$attribute:meta])* static $name:ident: $type:ty = const $value:block;) => {
            loom::thread_local! { $(#[$attribute])* static $name: $type = $value; }
        };
    }
    pub(crate) use thread_value;

    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap()
    }
}

pub(crate) use primitives::{
    AtomicBool, AtomicU64, Condvar, Mutex, MutexGuard, lock, thread_value,
};
