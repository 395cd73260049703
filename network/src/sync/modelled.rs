//! Wake-ups in the form that their libraries promise, over locks of the model checker. The libraries test their own.

use std::task::Waker;

use loom::sync::Mutex;

pub(crate) mod oneshot;

/// Wakes the task that was registered last.
#[derive(Debug, Default)]
pub(crate) struct AtomicWaker(Mutex<Option<Waker>>);

impl AtomicWaker {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn register(&self, waker: &Waker) {
        let old = self.0.lock().unwrap().replace(waker.clone());
        drop(old);
    }

    pub(crate) fn wake(&self) {
        let waker = self.0.lock().unwrap().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
