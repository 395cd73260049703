//! Faults of a world, on order: its disk, its power, and the answers of its system.

use std::cell::Cell;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use switchboard_actors::error::CommandError;
use switchboard_actors::system::System;
use switchboard_engine::store::disk::faulty::FaultyDisk;
use switchboard_engine::testkit::simulation::{Cut, Death};

use crate::world::{PersonError, World};

/// So long a stop may take, in the world's time.
const STOPS_WITHIN: Duration = Duration::from_secs(60);

/// The answer that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostAnswer {
    /// The connection breaks before the request is carried out: nothing is stored.
    BeforeCommit,
    /// The connection breaks after the request is carried out and stored.
    AfterCommit,
}

/// The faults that are ordered.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    disk_is_full: Cell<bool>,
    stall: Stall,
    lost: Cell<Option<LostAnswer>>,
}

/// The time of the disk before each write. Clones are the same order; a snapshot may go to another thread with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Stall(Arc<AtomicU64>);

impl Stall {
    pub(super) fn get(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, each: Duration) {
        let nanos = u64::try_from(each.as_nanos()).unwrap_or(u64::MAX);
        self.0.store(nanos, Ordering::Relaxed);
    }

    fn copied(&self) -> Self {
        Self(Arc::new(AtomicU64::new(self.0.load(Ordering::Relaxed))))
    }
}

impl Faults {
    /// The same orders, for another world.
    pub(super) fn copied(&self) -> Self {
        Self {
            stall: self.stall.copied(),
            ..self.clone()
        }
    }

    /// Returns the time of the disk before each write.
    pub(super) fn stall(&self) -> Stall {
        self.stall.clone()
    }

    /// Gives the disk of a new process its orders.
    pub(super) fn disk_orders(&self, disk: &FaultyDisk) {
        disk.set_quota(self.disk_is_full.get().then_some(0));
        // What was ordered of single writes before is over.
        disk.fail_write(0);
    }
}

impl World {
    /// Stops the system in order and starts it again on what it left.
    ///
    /// # Panics
    /// When it does not start.
    #[track_caller]
    pub fn restart(&self) {
        self.note("test", "restarts the system");
        self.try_run(async |system| system.clone().shutdown(STOPS_WITHIN).await);
        self.end();
        self.boot();
        self.rest();
    }

    /// The power goes now, and the system starts again on what was synced and some of what was not.
    ///
    /// # Panics
    /// When it does not start.
    #[track_caller]
    pub fn cut_power(&self) {
        self.note("test", "cuts the power");
        let seed = self.dice.borrow_mut().next();
        self.machine.die(Death::PowerCut, seed);
        self.end();
        self.boot();
        self.rest();
    }

    /// The power goes before so many more steps are done: changes of the disk, requests to the receiver and answers. The
    /// request that meets it gets no answer, and the system starts again by itself. With 1, 2, 3 and so on, a test meets
    /// every step at which a request can be interrupted.
    #[track_caller]
    pub fn cut_power_within(&self, steps: u64) {
        self.note("test", &format!("cuts the power before step {steps}"));
        let seed = self.dice.borrow_mut().next();
        self.machine.cut(Cut {
            before: self.machine.steps().saturating_add(steps.max(1)),
            death: Death::PowerCut,
            seed,
        });
    }

    /// From now on the disk is full, until [`World::disk_freed`]; a restart does not change it.
    #[track_caller]
    pub fn disk_full(&self) {
        self.note("test", "fills the disk");
        self.faults.disk_is_full.set(true);
        self.disk.borrow().set_quota(Some(0));
    }

    /// The disk has space again.
    #[track_caller]
    pub fn disk_freed(&self) {
        self.note("test", "frees the disk");
        self.faults.disk_is_full.set(false);
        self.disk.borrow().set_quota(None);
    }

    /// The `nth` write from now on, counted from 1, fails after half of its bytes, and so does a second try right behind it.
    #[track_caller]
    pub fn fail_write(&self, nth: u64) {
        self.note("test", &format!("lets write {nth} fail"));
        self.disk.borrow().fail_write(nth);
    }

    /// From now on each write to the disk begins so late, in the world's time; zero ends it.
    #[track_caller]
    pub fn stall_disk(&self, each: Duration) {
        self.note("test", &format!("lets each write wait for {each:?}"));
        self.faults.stall.set(each);
    }

    /// The channel is not there any more, as only damage or a defect can make it; a restart brings it back.
    #[track_caller]
    pub fn lose_channel(&self) {
        self.note("test", "loses the channel");
        self.run(async |system| system.lose_channels());
    }

    /// The next request of a customer or a user gets no answer.
    #[track_caller]
    pub fn lose_answer(&self, which: LostAnswer) {
        self.note("test", &format!("loses the next answer: {which:?}"));
        self.faults.lost.set(Some(which));
    }

    /// A request from outside, made with the system; `None`: no answer came, since the power went meanwhile or the answer
    /// [was to be lost](World::lose_answer).
    #[track_caller]
    pub fn exchange<T>(&self, request: impl AsyncFnOnce(&System) -> T) -> Option<T> {
        let lost_answer = self.faults.lost.take();
        if lost_answer == Some(LostAnswer::BeforeCommit) {
            return None;
        }
        let machine = self.machine.clone();
        let answer = self.try_run(async |system| {
            let answer = request(system).await;
            machine.step("a request is answered", 0).then_some(answer)
        });
        self.rest();
        answer.flatten().filter(|_| lost_answer.is_none())
    }

    /// A request from outside, of `who` for `what`. The journal has the answer if it is a bad one: the
    /// good ones are the rule.
    #[track_caller]
    pub(super) fn request<T, R: Error>(
        &self,
        who: &str,
        what: &str,
        request: impl AsyncFnOnce(&System) -> Result<T, CommandError<R>>,
    ) -> Result<T, PersonError<R>> {
        self.note(who, what);
        let answer = match self.exchange(request) {
            Some(answer) => answer.map_err(PersonError::Refused),
            None => Err(PersonError::NoAnswer),
        };
        if let Err(error) = &answer {
            self.note(who, &format!("→ {error}"));
        }
        answer
    }
}
