//! Everything outside of the process: the machine, the time, the network, and what people remember.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;

use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::{Durability, SystemConfig};
use switchboard_worlds::simulation::{Coverage, Simulation};

use crate::ledger::{Fate, Ledger, scopes};
use crate::network::Network;
use crate::plants::Plant;

/// So many tasks work on the service.
pub(crate) const CLIENTS: usize = 8;

/// Everything outside of the process.
pub(crate) struct World {
    simulation: Simulation,
    pub(crate) plant: Option<Plant>,
    pub(crate) network: Network,
    pub(crate) scopes: Vec<ScopeId>,
    pub(crate) ledger: RefCell<Ledger>,
    /// The number of actions left to each client.
    pub(crate) wishes: RefCell<[usize; CLIENTS]>,
    /// True when the disturbances have ended, and only waiting work remains.
    pub(crate) is_healing: Cell<bool>,
    /// True when the subscriber answered so badly that its webhook was switched off.
    pub(crate) was_switched_off: Cell<bool>,
}

impl World {
    pub(crate) fn new(
        seed: u64,
        plant: Option<Plant>,
        told: bool,
        coverage: &Coverage,
    ) -> Rc<Self> {
        let simulation = Simulation::new(seed, told, coverage);
        let machine = simulation.machine.clone();
        if plant == Some(Plant::LyingDisk) {
            machine.lie();
        }
        let network_seed = simulation.dice.borrow_mut().next();
        let network = Network::new(network_seed, plant, machine, coverage.clone());
        let scopes = scopes();
        let wishes = std::array::from_fn(|_| 2 + simulation.draw(6));
        Rc::new(Self {
            simulation,
            plant,
            network,
            ledger: RefCell::new(Ledger::new(scopes.len())),
            scopes,
            wishes: RefCell::new(wishes),
            is_healing: Cell::new(false),
            was_switched_off: Cell::new(false),
        })
    }

    pub(crate) fn config(&self) -> SystemConfig {
        SystemConfig {
            durability: match self.plant {
                Some(Plant::AnswersBeforeTheDisk) => {
                    Durability::Interval(Duration::from_secs(86_400))
                }
                _ => Durability::Always,
            },
            ..self.simulation.config()
        }
    }

    /// The first thing that was wrong.
    pub(crate) fn wrong(&self) -> Option<String> {
        self.simulation.wrong().or_else(|| self.network.wrong())
    }

    /// Returns the fate of a request after the answer «not now».
    pub(crate) fn not_now(&self, unavailable: &UnavailableError) -> Fate {
        match unavailable {
            UnavailableError::Busy => {
                self.coverage.count("refused: mailbox or queue full");
                Fate::Refused
            }
            UnavailableError::DiskFull => {
                self.coverage.count("refused: disk full");
                Fate::Refused
            }
            UnavailableError::Interrupted => {
                self.coverage.count("interrupted");
                Fate::Unknown
            }
            UnavailableError::Stopping => Fate::Refused,
            UnavailableError::Unfit(_)
            | UnavailableError::Damaged(_)
            | UnavailableError::IndexDamaged(_) => {
                self.fail(format!("the service says: {unavailable}"));
                Fate::Unknown
            }
        }
    }

    /// The fate of a request according to its answer; [`Self::not_now`] judges an unavailable service.
    pub(crate) fn fate<T, R: std::error::Error>(
        &self,
        answer: &Result<T, CommandError<R>>,
    ) -> Fate {
        match answer {
            Ok(_) => Fate::Accepted,
            Err(CommandError::Unavailable(unavailable)) => self.not_now(unavailable),
            Err(CommandError::Rejected(_)) => Fate::Refused,
        }
    }
}

impl Deref for World {
    type Target = Simulation;
    fn deref(&self) -> &Simulation {
        &self.simulation
    }
}
