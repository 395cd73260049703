//! Everything outside of the process: the machine, the time, the network, and what people remember.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::domain::dispatch::DispatchLimits;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::error::{Refused, Unavailable};
use switchboard_actors::{Durability, Ports, SystemConfig, Threads};
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::testkit::Dice;
use switchboard_engine::testkit::simulation::{
    Coverage, DiskContent, Machine, SimClock, SimDisk, Trace,
};

use crate::ledger::{Fate, Ledger, scopes};
use crate::network::Network;
use crate::plants::Plant;

/// So many tasks work on the service.
pub(crate) const CLIENTS: usize = 8;

/// Everything outside of the process.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) plant: Option<Plant>,
    pub(crate) machine: Machine,
    pub(crate) clock: SimClock,
    pub(crate) network: Network,
    pub(crate) coverage: Coverage,
    pub(crate) entropy: Arc<Generator>,
    pub(crate) scopes: Vec<ScopeId>,
    pub(crate) ledger: RefCell<Ledger>,
    pub(crate) dice: RefCell<Dice>,
    /// How much each client still wants to do.
    pub(crate) wishes: RefCell<[usize; CLIENTS]>,
    pub(crate) disk: RefCell<DiskContent>,
    /// Whether the present process has come up.
    pub(crate) is_up: Cell<bool>,
    /// Whether the disturbances have ended, and only waiting work remains.
    pub(crate) is_healing: Cell<bool>,
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
        let network = Network::new(dice.next(), plant, machine.clone(), coverage.clone());
        let scopes = scopes();
        if plant == Some(Plant::LyingDisk) {
            machine.lie();
        }
        let wishes = std::array::from_fn(|_| 2 + dice.below(6));
        Rc::new(Self {
            seed,
            plant,
            clock: SimClock::default(),
            network,
            coverage: coverage.clone(),
            entropy: Arc::new(Generator::from_seed(dice.next())),
            ledger: RefCell::new(Ledger::new(scopes.len())),
            scopes,
            wishes: RefCell::new(wishes),
            dice: RefCell::new(dice),
            disk: RefCell::default(),
            is_up: Cell::new(false),
            is_healing: Cell::new(false),
            machine,
            wrong: RefCell::default(),
        })
    }

    pub(crate) fn config(&self) -> SystemConfig {
        let mut dice = Dice::new(self.seed ^ 0xc0_4f19);
        SystemConfig {
            threads: Threads::Stepped,
            mailbox: 1 + dice.below(3),
            // What waits longer in a mailbox is refused: hardly anything, often something, or nothing.
            ask_deadline: match dice.below(8) {
                0 => Duration::from_millis(30),
                1 => Duration::from_millis(8),
                2 | 3 => Duration::from_millis(3),
                _ => Duration::from_secs(5),
            },
            idle_after: Duration::from_secs(20),
            durability: match self.plant {
                Some(Plant::AnswersBeforeTheDisk) => {
                    Durability::Interval(Duration::from_secs(86_400))
                }
                _ => Durability::Always,
            },
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

    pub(crate) fn ports(&self, stored: &DiskContent) -> Ports {
        Ports {
            disk: Arc::new(SimDisk {
                disk: stored.disk.clone(),
                machine: self.machine.clone(),
            }),
            tables: Arc::new(stored.tables.clone()),
            clock: Arc::new(self.clock.clone()),
            entropy: Arc::<Generator>::clone(&self.entropy),
            sender: Arc::new(self.network.clone()),
        }
    }

    pub(crate) fn draw(&self, bound: usize) -> usize {
        self.dice.borrow_mut().below(bound)
    }

    /// Something that must never be so.
    pub(crate) fn fail(&self, what: String) {
        if self.machine.is_dead() {
            // No client saw it.
            return;
        }
        self.wrong.borrow_mut().get_or_insert(what);
    }

    /// The first thing that was wrong.
    pub(crate) fn wrong(&self) -> Option<String> {
        self.wrong.borrow().clone().or_else(|| self.network.wrong())
    }

    /// Whether an answer reaches its caller. One that does not may have been true.
    pub(crate) fn hears(&self, what: &str) -> bool {
        self.machine.step(what, 0)
    }

    /// What the answer «not now» says of the thing that was asked for.
    pub(crate) fn not_now(&self, unavailable: &Unavailable) -> Fate {
        match unavailable {
            Unavailable::Busy => {
                self.coverage.count("refused: mailbox or queue full");
                Fate::Refused
            }
            Unavailable::DiskFull => {
                self.coverage.count("refused: disk full");
                Fate::Refused
            }
            Unavailable::Interrupted => {
                self.coverage.count("interrupted");
                Fate::Unknown
            }
            Unavailable::Stopping => Fate::Refused,
            Unavailable::Unfit(_) | Unavailable::Damaged(_) | Unavailable::IndexDamaged(_) => {
                self.fail(format!("the service says: {unavailable}"));
                Fate::Unknown
            }
        }
    }

    /// The fate of a request according to its answer; [`Self::not_now`] judges an unavailable service.
    pub(crate) fn fate<T, R: std::error::Error>(&self, answer: &Result<T, Refused<R>>) -> Fate {
        match answer {
            Ok(_) => Fate::Accepted,
            Err(Refused::Unavailable(unavailable)) => self.not_now(unavailable),
            Err(Refused::Rejected(_)) => Fate::Refused,
        }
    }
}
