//! The life of one process in a simulation.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::config::SystemConfig;
use switchboard_actors::port::{CallbackSender, Ports};
use switchboard_actors::system::System;
use switchboard_engine::testkit::simulation::{Cut, process};

use crate::simulation::Simulation;
use crate::stepped;

/// So long a stop may take, in the time of the simulation.
const STOPS_WITHIN: Duration = Duration::from_secs(60);

impl Simulation {
    /// Lets a process live on what the machine has: its system starts, `life` uses it, and it stops in order. `None`: the
    /// process died before, which `cut` orders.
    ///
    /// # Panics
    /// When the operating system has no runtime to give, or it is called inside another one.
    pub fn live<T>(
        &self,
        cut: Option<Cut>,
        config: SystemConfig,
        life: impl AsyncFnOnce(&System) -> T,
    ) -> Option<T> {
        let sender = Arc::new(self.receiver.clone());
        self.live_with(sender, cut, config, life)
    }

    /// As [`Simulation::live`], with another sender of callbacks.
    ///
    /// # Panics
    /// As [`Simulation::live`].
    #[expect(
        clippy::expect_used,
        reason = "a test that has no runtime cannot go on"
    )]
    pub fn live_with<T>(
        &self,
        sender: Arc<dyn CallbackSender>,
        cut: Option<Cut>,
        config: SystemConfig,
        life: impl AsyncFnOnce(&System) -> T,
    ) -> Option<T> {
        let storage = self.machine.boot(cut);
        self.disk.replace(storage.disk.clone());
        // What was ordered of the disk before is over.
        self.disk().set_quota(None);
        self.disk().fail_write(0);
        self.is_up.set(false);
        let ports = stepped::ports(storage, &self.machine, &self.clock, &self.entropy, sender);
        let process = self.process(config, ports, life);
        let exit = process::run(&self.machine, &self.clock, process);
        let end = exit
            .expect("the operating system gives a runtime")
            .flatten();
        if self.machine.is_dead() {
            self.count_death();
        }
        end
    }

    async fn process<T>(
        &self,
        config: SystemConfig,
        ports: Ports,
        life: impl AsyncFnOnce(&System) -> T,
    ) -> Option<T> {
        let system = match stepped::start(config, ports, self.pauses()) {
            Ok(system) => system,
            Err(error) => {
                self.fail(format!("the system does not start: {error}"));
                return None;
            }
        };
        self.is_up.set(!self.machine.is_dead());
        self.machine.note("started at step", self.machine.steps());
        let end = life(&system).await;
        let report = system.shutdown(STOPS_WITHIN).await;
        // The last checkpoint is written by another thread: whether its end or that of the power is heard of first is
        // chance.
        if self.machine.is_dead() {
            return None;
        }
        self.machine.note("stopped after record", report.durable);
        Some(end)
    }

    /// Returns the pauses of the disk before each write: a few milliseconds, and sometimes seconds.
    fn pauses(&self) -> impl FnMut() -> Duration + use<> {
        let (dice, coverage) = (Rc::clone(&self.dice), self.coverage.clone());
        move || {
            let mut dice = dice.borrow_mut();
            if dice.one_in(400) {
                coverage.count("disk stalls");
                return Duration::from_secs(7);
            }
            Duration::from_millis((dice.next() % 20).saturating_add(1))
        }
    }

    fn count_death(&self) {
        let (is_up, lost) = (self.is_up.get(), self.machine.wrote_unsynced());
        self.coverage.count(match (is_up, lost) {
            (false, _) => "power cut during a start",
            (true, false) => "power cut",
            (true, true) => "power cut that loses a flush",
        });
    }
}
