//! Work on lanes: their jobs, one after the other.

use std::rc::Rc;

use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::lanes::Outcome;
use crate::log::log;
use crate::messenger::Messenger;
use crate::state::{Change, Lane};

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
