//! Disturbances that no client causes: receivers fail, clocks jump, the disk fills up or refuses.

use std::sync::{Mutex, PoisonError};

use switchboard_engine::testkit::Dice;

use crate::receiver::ReceiverBehaviour;
use crate::simulation::Simulation;

/// A disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The receiver behaves so from now on.
    Receiver(ReceiverBehaviour),
    /// The wall clock jumped by so many milliseconds, ahead or back.
    ClockJumped(i64),
    /// One of the next writes fails.
    WriteFails,
    /// The disk is full.
    DiskFull,
    /// The disk has space again, if it was full.
    DiskFreed,
}

impl Simulation {
    /// Something goes wrong, or something is well again; what it is, is left to chance. A test with receivers of its own
    /// makes them behave as it says.
    pub fn disturb(&self) -> Disturbance {
        let disturbance = self.choose();
        match disturbance {
            Disturbance::Receiver(behaviour) => self.set_receiver(behaviour),
            Disturbance::ClockJumped(millis) => {
                self.clock.jump(millis);
                self.print(|| format!("clock jumps by {millis}"));
                self.coverage.count(if millis < 0 {
                    "clock jumps back"
                } else {
                    "clock jumps ahead"
                });
            }
            Disturbance::WriteFails => {
                let nth = self.dice.borrow_mut().next() % 3;
                self.disk().fail_write(nth.saturating_add(1));
                self.coverage.count("disk refuses a write");
            }
            Disturbance::DiskFull => {
                self.disk().set_quota(Some(0));
                self.coverage.count("disk full");
            }
            Disturbance::DiskFreed => self.disk().set_quota(None),
        }
        disturbance
    }

    /// Ends the disturbances.
    pub fn heal(&self) {
        self.set_receiver(ReceiverBehaviour::Well);
        self.disk().set_quota(None);
        self.disk().fail_write(0);
    }

    fn choose(&self) -> Disturbance {
        let mut dice = self.dice.borrow_mut();
        match dice.below(10) {
            0..=5 => {
                let index = dice.below(ReceiverBehaviour::ALL.len());
                let behaviour = ReceiverBehaviour::ALL.get(index);
                Disturbance::Receiver(behaviour.copied().unwrap_or(ReceiverBehaviour::Well))
            }
            6 => {
                let jumps = [60_000, 5_000_000, 90_000_000];
                let millis: i64 = jumps.get(dice.below(3)).copied().unwrap_or_default();
                Disturbance::ClockJumped(if dice.one_in(2) { -millis } else { millis })
            }
            7 => Disturbance::WriteFails,
            8 => Disturbance::DiskFull,
            _ => Disturbance::DiskFreed,
        }
    }

    fn set_receiver(&self, behaviour: ReceiverBehaviour) {
        let dice = Mutex::new(Dice::new(self.dice.borrow_mut().next()));
        self.receiver.answer_with(move |_| {
            let mut dice = dice.lock().unwrap_or_else(PoisonError::into_inner);
            Some(behaviour.meets(&mut dice))
        });
    }
}
