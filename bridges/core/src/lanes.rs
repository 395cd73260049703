//! The order of jobs: those of a lane one after the other, and those of several lanes at once.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::log::log;
use crate::messenger::Messenger;
use crate::state::{Change, Kind, Lane};

/// The outcome of an attempt at a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The job has left the store.
    Over,
    /// Its lane is tried again after this time, which holds up no other lane.
    Later(Duration),
}

/// The lanes that are being worked on.
pub(crate) struct Lanes {
    busy: RefCell<BTreeSet<Lane>>,
    deliver: Semaphore,
    post: Semaphore,
    report: Semaphore,
    contact: Semaphore,
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            busy: RefCell::default(),
            deliver: Semaphore::new(32),
            post: Semaphore::new(7),
            report: Semaphore::new(4),
            contact: Semaphore::new(4),
        }
    }
}

impl Lanes {
    /// The places of a kind: so many of its jobs are done at once.
    fn places(&self, kind: Kind) -> &Semaphore {
        match kind {
            Kind::Deliver => &self.deliver,
            Kind::Post => &self.post,
            Kind::Report => &self.report,
            Kind::Contact => &self.contact,
        }
    }
}

/// A lane that is being worked on, until it is dropped: after a panic it can be woken again.
struct Busy<M: Messenger> {
    bridge: Rc<Bridge<M>>,
    lane: Lane,
}

impl<M: Messenger> Drop for Busy<M> {
    fn drop(&mut self) {
        self.bridge.lanes.busy.borrow_mut().remove(&self.lane);
    }
}

impl<M: Messenger> Bridge<M> {
    /// Begins with what was left at the last end.
    pub(crate) fn wake_all(self: &Rc<Self>) {
        for lane in self.store.lanes() {
            self.wake(lane);
        }
    }

    /// Works off a lane, unless that is under way.
    pub(crate) fn wake(self: &Rc<Self>, lane: Lane) {
        if !self.lanes.busy.borrow_mut().insert(lane.clone()) {
            return;
        }
        let busy = Busy {
            bridge: Rc::clone(self),
            lane,
        };
        tokio::task::spawn_local(async move { busy.work_off().await });
    }
}

impl<M: Messenger> Busy<M> {
    async fn work_off(&self) {
        let (bridge, stop) = (&self.bridge, &self.bridge.stop);
        let (mut last, mut tries) = (0, 0);
        while bridge.store.has_job(&self.lane) {
            // The semaphore is never closed.
            let place = tokio::select! {
                biased;
                () = stop.ordered() => return,
                place = bridge.lanes.places(self.lane.kind).acquire() => place,
            };
            // Bodies are read when there is a place: many lanes may wait.
            let Some(job) = bridge.store.first_job(&self.lane) else {
                return;
            };
            if job.id != last {
                (last, tries) = (job.id, 0);
            }
            let outcome = {
                let _task = bridge.task();
                bridge.work(&job, tries).await
            };
            drop(place);
            match outcome {
                Outcome::Over => self.check_end(job.id).await,
                Outcome::Later(pause) => {
                    tries = tries.saturating_add(1);
                    tokio::select! {
                        () = stop.ordered() => return,
                        () = sleep(pause) => {}
                    }
                }
            }
        }
    }

    /// Ends a job that is over and still there: the messenger has forgotten it, and would do it without an end.
    async fn check_end(&self, id: u64) {
        if self.bridge.store.is_waiting(id) {
            log(format!("job {id} of «{}» is over", self.lane.name));
            self.bridge.commit(vec![Change::End(id)]).await;
        }
    }
}
