//! The process of a world: how it starts, how it is used, and how its time passes.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::system::System;
use switchboard_engine::testkit::simulation::Process;

use crate::stepped;
use crate::world::{Follower, World};

/// So long the actors have to come to rest. The time of a process passes only when nothing else can happen.
const REST: Duration = Duration::from_millis(1);

/// A process with the system that runs in it.
pub(super) struct Running {
    system: System,
    process: Process,
}

impl World {
    /// Starts a process on what the machine has.
    #[track_caller]
    pub(super) fn boot(&self) {
        if tokio::runtime::Handle::try_current().is_ok() {
            self.fail(
                "a world has an event loop of its own: use it in a plain #[test], not in an async one",
            );
        }
        let storage = self.machine.boot(None);
        *self.disk.borrow_mut() = storage.disk.clone();
        self.faults.disk_orders(&storage.disk);
        let sender = self
            .config
            .sender
            .clone()
            .unwrap_or_else(|| Arc::new(self.receiver.clone()));
        let ports = stepped::ports(storage, &self.machine, &self.clock, &self.entropy, sender);
        let process = self.expect(
            "the operating system gives a runtime",
            Process::start(&self.machine, &self.clock),
        );
        let (config, stall) = (self.config.system.clone(), self.faults.stall());
        let start = process.run(async { stepped::start(config, ports, move || stall.get()) });
        let Some(result) = start else {
            self.fail("the power went during the start");
        };
        let system = self.expect("the system starts", result);
        if let Some(url) = &self.config.public_url {
            system.set_public_url(url);
        }
        let follower = Follower {
            system: system.clone(),
            habits: self.habits.clone(),
            secrets: self.config.secrets.clone(),
            memory: Rc::clone(&self.memory),
            journal: self.journal.clone(),
            machine: self.machine.clone(),
        };
        // It ends with the process.
        process.run(async { drop(tokio::task::spawn_local(follower.follow())) });
        *self.running.borrow_mut() = Some(Running { system, process });
        self.starts.set(self.starts.get().saturating_add(1));
    }

    /// Ends the process, in whatever state it is.
    pub(super) fn end(&self) {
        let running = self.running.borrow_mut().take();
        drop(running);
    }

    /// Runs a task; `None`: the power went meanwhile. Another process runs then, on what was left.
    #[track_caller]
    pub(super) fn try_run<T>(&self, task: impl AsyncFnOnce(&System) -> T) -> Option<T> {
        let end = {
            let running = self.running.borrow();
            let Running { system, process } = running.as_ref()?;
            process.run(task(system))
        };
        if self.machine.is_dead() {
            self.end();
            self.boot();
            self.note("world", "the power went; the system starts again");
        }
        end
    }

    /// Lets so much time pass.
    #[track_caller]
    pub(super) fn pass(&self, by: Duration) {
        let due = self.now().plus(by);
        let mut time_left = by;
        // After a power cut, the rest of the time passes for the next process.
        while !time_left.is_zero() {
            self.try_run(async |_| tokio::time::sleep(time_left).await);
            time_left = due.since(self.now());
        }
    }

    /// Lets the actors come to rest.
    #[track_caller]
    pub(super) fn rest(&self) {
        self.pass(REST);
    }
}
