//! Simulations: one seed selects what goes wrong and when, so the same seed is the same history.
//!
//! A test [plays](play) many seeds. In each it lets [processes live](Simulation::live) one after the other on the same
//! machine, remembers what it was answered, and checks that the system shows it. A failure names the seed, and
//! `SEED=n` repeats that history alone and prints it. `SEEDS=n` plays so many.
//!
//! ```
//! use switchboard_worlds::prelude::*;
//! use switchboard_worlds::simulation;
//! use switchboard_worlds::{Whole, fixtures, integration};
//!
//! // What was acknowledged survives every power cut, and is there once.
//! simulation::play(20, "cargo test survives", |simulation| {
//!     let mut acknowledged = Vec::new();
//!     for life in 0..4 {
//!         let cut = simulation.cut_before(1 + simulation.draw(200));
//!         let ended = simulation.live(Some(cut), simulation.config(), async |system| {
//!             // The disk may be slow: what is refused is tried again in the next life.
//!             if fixtures::declare(system).await.is_err() {
//!                 return;
//!             }
//!             let whole = Whole::new(system, fixtures::account_id());
//!             for (conversation, text) in &acknowledged {
//!                 let messages = whole.messages(*conversation).await.unwrap_or_default();
//!                 let found = messages.iter().filter(|it| text_of(it) == *text).count();
//!                 if found != 1 {
//!                     simulation.fail(format!("{text:?} is there {found} times"));
//!                 }
//!             }
//!             for number in 0..8 {
//!                 simulation.disturb();
//!                 let text = format!("message {number} of life {life}");
//!                 let message = TestMessage::from_customer("bo", &format!("m-{life}-{number}"), &text);
//!                 let answer = integration::post(system, &fixtures::scope_id(), &message).await;
//!                 if let (Ok(accepted), true) = (answer, simulation.hears("an answer")) {
//!                     acknowledged.push((accepted.conversation, text));
//!                 }
//!             }
//!         });
//!         simulation.print(|| format!("life {life} ended in order: {}", ended.is_some()));
//!     }
//! });
//! ```

mod disturbance;
mod life;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::config::{SystemConfig, Threads};
use switchboard_actors::domain::dispatch::DispatchLimits;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::store::disk::faulty::FaultyDisk;
use switchboard_engine::testkit::Dice;

use crate::journal::WorldJournal;
use crate::receiver::Receiver;

pub use disturbance::Disturbance;
pub use switchboard_engine::testkit::simulation::{
    Coverage, Cut, Death, DiskContent, Machine, Possible, SimClock, Trace, seeds,
};

/// A history with one seed: a machine with its disk and its clock, a receiver of callbacks, and all that is left to
/// chance.
pub struct Simulation {
    /// The seed.
    pub seed: u64,
    /// The machine, whose power can go before any step.
    pub machine: Machine,
    /// Its clock.
    pub clock: SimClock,
    /// The number of times that each fault and each outcome was met.
    pub coverage: Coverage,
    /// The source of all that is left to chance.
    pub dice: Rc<RefCell<Dice>>,
    entropy: Arc<Generator>,
    receiver: Receiver,
    disk: RefCell<FaultyDisk>,
    /// True once the present process has come up.
    is_up: Cell<bool>,
    wrong: RefCell<Option<String>>,
}

/// Plays so many seeds on two threads; `command` is what runs the test, for the line that repeats a failure.
///
/// # Panics
/// When something [was wrong](Simulation::fail) in a history.
pub fn play(seeds: u64, command: &str, history: impl Fn(&Simulation) + Sync) {
    let coverage = Coverage::default();
    seeds::keep_promises(seeds, u64::MAX, &coverage, &[], command, |seed, printed| {
        let simulation = Simulation::new(seed, printed, &coverage);
        history(&simulation);
        simulation.judged()
    });
}

impl Simulation {
    /// A history that has not begun. With `printed`, each step is printed.
    #[must_use]
    pub fn new(seed: u64, printed: bool, coverage: &Coverage) -> Self {
        let mut dice = Dice::new(seed);
        let machine = Machine::new(Trace::new(printed));
        let journal = WorldJournal::default();
        Self {
            seed,
            receiver: Receiver::default().of_world(machine.clone(), journal),
            machine,
            clock: SimClock::default(),
            coverage: coverage.clone(),
            entropy: Arc::new(Generator::from_seed(dice.next())),
            dice: Rc::new(RefCell::new(dice)),
            disk: RefCell::default(),
            is_up: Cell::new(false),
            wrong: RefCell::default(),
        }
    }

    /// Limits so small that a short history meets them; the seed selects them.
    #[must_use]
    pub fn config(&self) -> SystemConfig {
        let mut dice = Dice::new(self.seed ^ 0xc0_4f19);
        SystemConfig {
            threads: Threads::Stepped,
            mailbox: dice.below(3).saturating_add(1),
            // What waits longer in a mailbox is refused: hardly anything, often something, or nothing.
            ask_deadline: match dice.below(8) {
                0 => Duration::from_millis(30),
                1 => Duration::from_millis(8),
                2 | 3 => Duration::from_millis(3),
                _ => Duration::from_secs(5),
            },
            idle_after: Duration::from_secs(20),
            segment_bytes: 4_000 << dice.below(4),
            checkpoint_records: 8 << dice.below(5),
            low_water_bytes: 0,
            disk_reserve_bytes: 0,
            dispatch: DispatchLimits {
                slots: 6,
                slots_slow: 2,
                queues: 3,
                queues_per_endpoint: 2,
                page: 2,
                ..DispatchLimits::default()
            },
            ..SystemConfig::default()
        }
    }

    /// The receiver of the callbacks, unless a process has another sender.
    #[must_use]
    pub fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    /// The disk of the present process.
    #[must_use]
    pub fn disk(&self) -> FaultyDisk {
        self.disk.borrow().clone()
    }

    /// A number below `bound`; 0 when there is none.
    #[must_use]
    pub fn draw(&self, bound: usize) -> usize {
        self.dice.borrow_mut().below(bound)
    }

    /// A power cut before this step of a process, counted from 1; what it leaves is left to chance.
    #[must_use]
    pub fn cut_before(&self, step: usize) -> Cut {
        Cut {
            before: u64::try_from(step).unwrap_or(u64::MAX),
            death: Death::PowerCut,
            seed: self.dice.borrow_mut().next(),
        }
    }

    /// Something that must never be so. What a dead process shows does not count: no client sees it.
    pub fn fail(&self, what: String) {
        if !self.machine.is_dead() {
            self.wrong.borrow_mut().get_or_insert(what);
        }
    }

    /// The first thing that was wrong.
    #[must_use]
    pub fn wrong(&self) -> Option<String> {
        self.wrong.borrow().clone()
    }

    /// Returns whether an answer reaches its caller. One that does not may have been true.
    #[must_use]
    pub fn hears(&self, what: &str) -> bool {
        self.machine.step(what, 0)
    }

    /// Prints a line when this seed is repeated alone.
    pub fn print(&self, what: impl FnOnce() -> String) {
        self.machine.tell(what);
    }

    /// All that happened, as one number.
    ///
    /// # Errors
    /// What was wrong.
    pub fn judged(&self) -> Result<u64, String> {
        self.wrong().map_or_else(|| Ok(self.machine.digest()), Err)
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
