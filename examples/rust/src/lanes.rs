//! The order of jobs: those of a lane one after the other, and those of several lanes at once.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::state::{Job, Kind, Lane};

/// The outcome of an attempt at a job.
pub(crate) enum Outcome {
    /// The job has left the store.
    Over,
    /// Its lane is tried again after this time.
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

impl Bridge {
    /// Begins with what was left at the last end.
    pub(crate) fn wake_all(self: &Rc<Self>) {
        let lanes: Vec<Lane> = self.store.state().lanes.keys().cloned().collect();
        for lane in lanes {
            self.wake(lane);
        }
    }

    /// Works off a lane, unless that is under way.
    pub(crate) fn wake(self: &Rc<Self>, lane: Lane) {
        if self.lanes.busy.borrow_mut().insert(lane.clone()) {
            let bridge = Rc::clone(self);
            tokio::task::spawn_local(async move {
                bridge.work_off(&lane).await;
                bridge.lanes.busy.borrow_mut().remove(&lane);
            });
        }
    }

    async fn work_off(self: &Rc<Self>, lane: &Lane) {
        let (mut last, mut tries) = (0, 0);
        while let Some(job) = self.first_job(lane) {
            if job.id != last {
                (last, tries) = (job.id, 0);
            }
            self.store.until_stored(job.id).await;
            let outcome = {
                // The semaphore is never closed.
                let _place = self.lanes.places(lane.kind).acquire().await;
                self.work(&job, tries).await
            };
            if let Outcome::Later(pause) = outcome {
                tries += 1;
                sleep(pause).await;
            }
        }
    }

    fn first_job(&self, lane: &Lane) -> Option<Job> {
        let state = self.store.state();
        let (_, id) = state.lanes.get(lane)?.first()?;
        state.jobs.get(id).cloned()
    }
}
