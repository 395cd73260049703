//! Everything outside of the process: the machine, the time, and what clients remember.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::error::UnavailableError;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::open::{Config, Ports};
use switchboard_engine::runtime::threads::Threads;
use switchboard_engine::store::committer::config::{Durability, JournalConfig};
use switchboard_engine::testkit::Dice;
use switchboard_engine::testkit::simulation::{
    Coverage, Cut, Death, DiskContent, Machine, SimClock, SimDisk, Trace,
};

use super::ledger::Ledger;
use super::plants::Plant;
use super::process::Plan;

/// So many tasks want something.
pub(crate) const CLIENTS: usize = 4;

/// Everything outside of the process.
pub(crate) struct World {
    seed: u64,
    plant: Option<Plant>,
    pub(crate) machine: Machine,
    pub(crate) clock: SimClock,
    pub(crate) coverage: Coverage,
    entropy: Arc<Generator>,
    dice: RefCell<Dice>,
    pub(crate) ledger: RefCell<Ledger>,
    /// The number of wishes that each client still has.
    pub(crate) wishes: RefCell<[u32; CLIENTS]>,
    pub(crate) disk: RefCell<DiskContent>,
    /// True when the present process has come up.
    pub(crate) is_up: Cell<bool>,
    wrong: RefCell<Option<String>>,
}

impl World {
    pub(crate) fn new(
        seed: u64,
        plant: Option<Plant>,
        told: bool,
        coverage: &Coverage,
    ) -> Rc<Self> {
        let mut dice = Dice::new(seed);
        let machine = Machine::new(Trace::new(told));
        if plant == Some(Plant::LyingDisk) {
            machine.lie();
        }
        let wishes = std::array::from_fn(|_| 3 + u32::try_from(dice.below(8)).unwrap());
        Rc::new(Self {
            seed,
            plant,
            machine,
            clock: SimClock::default(),
            coverage: coverage.clone(),
            entropy: Arc::new(Generator::from_seed(dice.next())),
            dice: RefCell::new(dice),
            ledger: RefCell::default(),
            wishes: RefCell::new(wishes),
            disk: RefCell::default(),
            is_up: Cell::new(false),
            wrong: RefCell::default(),
        })
    }

    pub(crate) fn config(&self) -> Config {
        let mut dice = Dice::new(self.seed ^ 0xc0_4f19);
        Config {
            threads: Threads::Stepped,
            // What waits longer in a mailbox is refused: often something, or nothing.
            ask_deadline: match dice.below(4) {
                0 => Duration::from_millis(4),
                _ => Duration::from_secs(5),
            },
            checkpoint_records: 4 << dice.below(5),
            journal: JournalConfig {
                segment_bytes: 2_000 << dice.below(4),
                low_water_bytes: 0,
                reserve_bytes: 0,
                durability: match self.plant {
                    Some(Plant::AnswersBeforeTheDisk) => {
                        Durability::Interval(Duration::from_secs(86_400))
                    }
                    _ => Durability::EveryBatch,
                },
                ..JournalConfig::default()
            },
            ..Config::default()
        }
    }

    /// Returns the limit of messages that wait for an owner.
    pub(crate) fn mailbox(&self) -> usize {
        1 + Dice::new(self.seed ^ 0x3a_11b0).below(4)
    }

    pub(crate) fn ports(&self) -> Ports {
        let content = self.disk.borrow();
        Ports {
            disk: Arc::new(SimDisk {
                disk: content.disk.clone(),
                machine: self.machine.clone(),
            }),
            tables: Arc::new(content.tables.clone()),
            clock: Arc::new(self.clock.clone()),
            entropy: Arc::<Generator>::clone(&self.entropy),
        }
    }

    /// Returns the planned end of the next process.
    pub(crate) fn plan(&self) -> Plan {
        let before = match self.draw(8) {
            0 => return Plan::Stop,
            1 => 1 + self.draw(30),
            _ => 10 + self.draw(150),
        };
        let death = match self.draw(3) {
            0 => Death::Kill,
            _ => Death::PowerCut,
        };
        Plan::Die(Cut {
            before: u64::try_from(before).unwrap(),
            death,
            seed: self.dice.borrow_mut().next(),
        })
    }

    pub(crate) fn draw(&self, bound: usize) -> usize {
        self.dice.borrow_mut().below(bound)
    }

    pub(crate) fn is_done(&self) -> bool {
        self.wishes.borrow().iter().all(|wishes| *wishes == 0)
    }

    /// Something that must never be so.
    pub(crate) fn fail(&self, what: String) {
        // No client sees what happens after the death of the machine.
        if !self.machine.is_dead() {
            self.wrong.borrow_mut().get_or_insert(what);
        }
    }

    /// The first thing that was wrong.
    pub(crate) fn wrong(&self) -> Option<String> {
        self.wrong.borrow().clone()
    }

    /// Returns whether something may have been carried out that was answered «not now».
    pub(crate) fn is_unknown(&self, unavailable: &UnavailableError) -> bool {
        match unavailable {
            UnavailableError::Busy | UnavailableError::DiskFull | UnavailableError::Stopping => {
                self.coverage.count("refused");
                false
            }
            UnavailableError::Interrupted => {
                self.coverage.count("interrupted");
                true
            }
            UnavailableError::Unfit(_)
            | UnavailableError::Damaged(_)
            | UnavailableError::IndexDamaged(_) => {
                self.fail(format!("the engine says: {unavailable}"));
                true
            }
        }
    }
}
