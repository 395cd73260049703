//! The thread that writes checkpoints.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::core::Core;
use super::throttle::BackgroundThrottle;
use crate::store::lock::lock;

/// A thread that writes a checkpoint whenever it is asked to.
pub(super) struct CheckpointWorker {
    core: Arc<Core>,
    request: Arc<Request>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Request {
    wanted: Mutex<Wanted>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wanted {
    #[default]
    Nothing,
    Checkpoint,
    Stop,
}

impl CheckpointWorker {
    pub(super) fn start(core: Arc<Core>) -> io::Result<Self> {
        let request = Arc::<Request>::default();
        let signal = Arc::clone(&request);
        let working = Arc::clone(&core);
        let thread = thread::Builder::new()
            .name("switchboard-index".to_owned())
            .spawn(move || {
                let at_leisure = || working.is_at_leisure();
                while signal.next() == Wanted::Checkpoint {
                    let mut throttle = BackgroundThrottle::at_leisure(&at_leisure);
                    // The core has reported the trouble; the next request tries again.
                    working.checkpoint(&mut throttle).unwrap_or_default();
                }
            })?;
        Ok(Self {
            core,
            request,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Asks for a checkpoint and goes on at once.
    pub(super) fn ask(&self) {
        self.request.want(Wanted::Checkpoint);
    }

    /// Lets the checkpoint that is being written finish and ends the thread.
    pub(super) fn stop(&self) {
        self.request.want(Wanted::Stop);
        self.core.hurry();
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread {
            // The panic hook has reported a panic in it, and there is nothing left to stop.
            thread.join().unwrap_or_default();
        }
    }
}

impl Drop for CheckpointWorker {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Request {
    fn want(&self, wanted: Wanted) {
        let mut now = lock(&self.wanted);
        if *now != Wanted::Stop {
            *now = wanted;
        }
        self.changed.notify_one();
    }

    fn next(&self) -> Wanted {
        let guard = lock(&self.wanted);
        let mut now = self
            .changed
            .wait_while(guard, |now| *now == Wanted::Nothing)
            .unwrap_or_else(PoisonError::into_inner);
        let order = *now;
        if order == Wanted::Checkpoint {
            *now = Wanted::Nothing;
        }
        order
    }
}
