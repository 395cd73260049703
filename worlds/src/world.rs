//! A world: a whole system in memory, with people, a receiver of callbacks, and a clock that moves when the test says so.
//!
//! A world has no socket, no file and no thread of its own. Nothing happens in it between two calls. Each call takes a
//! millisecond of the world's time, in which the actors come to rest; [`advance`](World::advance) and
//! [`wait`](World::wait) let more time pass, without waiting for it: every timer on the way fires at its moment.
//!
//! The same calls in a world with the same [seed](WorldConfig::seed) give the same ids and times.

mod failing;
mod faults;
mod habits;
mod hooks;
mod oauth;
mod own_ids;
mod people;
mod running;
mod secrets;
mod snapshot;
mod until;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::config::{SystemConfig, Threads};
use switchboard_actors::domain::crm::Lead;
use switchboard_actors::domain::id::{AccountId, ConversationId, MessageId, ScopeId};
use switchboard_actors::domain::installation::channels::Channel;
use switchboard_actors::domain::salesbots::Run;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::port::CallbackSender;
use switchboard_actors::system::System;
use switchboard_actors::system::inbox::MessageView;
use switchboard_actors::system::metrics::Metrics;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::store::disk::faulty::FaultyDisk;
use switchboard_engine::testkit::Dice;
use switchboard_engine::testkit::simulation::{Machine, SimClock, Trace};

use crate::journal::WorldJournal;
use crate::receiver::{Callback, Hook, Receiver};
use crate::text::text_of;
use faults::Faults;
use habits::{Follower, Habits, KeptHabits};
use running::Running;
use switchboard_actors::system::whole::Whole;

pub use faults::LostAnswer;
pub use habits::{Habit, HabitAct, Person};
pub(crate) use hooks::hook_in_words;
pub use own_ids::{OwnIds, OwnSalesbot};
pub use people::{Customer, PersonError, Said, User};
pub use secrets::Secrets;
pub use snapshot::Snapshot;
pub use until::Until;

/// The configuration of a world.
#[derive(Clone)]
pub struct WorldConfig {
    /// Selects the ids, the jitter of retries, and what a power cut leaves.
    pub seed: u64,
    /// The longest time of the world that [`World::wait`] lets pass; an hour, unless it is changed.
    pub patience: Duration,
    /// The limits of the system. Its actors live on the thread of the test, whatever this says of threads.
    pub system: SystemConfig,
    /// The time at which the world begins; `None`: the same in every run, in January 2027.
    pub begins: Option<UnixMillis>,
    /// The facts that strangers must not know: those of the fixtures, unless they are changed.
    pub secrets: Secrets,
    /// Ids that the world has instead of the usual ones.
    pub ids: OwnIds,
    /// The address at which programs reach the world, for the links in hooks and questions.
    pub public_url: Option<Arc<str>>,
    /// The sender of callbacks instead of the [receiver](World::receiver), which then gets none.
    pub sender: Option<Arc<dyn CallbackSender>>,
}

impl Default for WorldConfig {
    fn default() -> Self {
        Self {
            seed: 1,
            patience: Duration::from_secs(3_600),
            system: SystemConfig::default(),
            begins: None,
            secrets: Secrets::default(),
            ids: OwnIds::default(),
            public_url: None,
            sender: None,
        }
    }
}

impl fmt::Debug for WorldConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorldConfig")
            .field("seed", &self.seed)
            .field("patience", &self.patience)
            .field("system", &self.system)
            .field("begins", &self.begins)
            .finish_non_exhaustive()
    }
}

/// A whole system in memory: an account with the administrator `ada`, a channel, the scope that connects both, and a
/// receiver for the callbacks.
///
/// When a test fails while it has a world, the journal of the world is printed. A world stays on the thread that made
/// it; make one for each test.
pub struct World {
    machine: Machine,
    clock: SimClock,
    entropy: Arc<Generator>,
    receiver: Receiver,
    journal: WorldJournal,
    config: WorldConfig,
    patience: Cell<Duration>,
    dice: RefCell<Dice>,
    faults: Faults,
    habits: Habits,
    memory: Rc<RefCell<Memory>>,
    /// The disk of the present process.
    disk: RefCell<FaultyDisk>,
    running: RefCell<Option<Running>>,
    /// The number of processes that were started.
    starts: Cell<u64>,
    /// True once the journal was printed.
    printed: Cell<bool>,
}

/// The memory of the people of a world.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The number of messages that customers have written; it is part of the `msgid`.
    letters: u64,
    /// Users that were declared.
    users: BTreeSet<String>,
    /// The conversations, by the name of the customer.
    conversations: BTreeMap<String, ConversationId>,
    /// The conversation in which a customer wrote last.
    last: Option<ConversationId>,
    /// The replies of users, each with its text.
    replies: Vec<(MessageId, String)>,
}

impl World {
    /// A world in which everything is declared and connected and nothing was said.
    ///
    /// # Panics
    /// When it is called inside of another event loop, such as in a test that is `async`.
    #[must_use]
    #[track_caller]
    pub fn start() -> Self {
        Self::with(WorldConfig::default())
    }

    /// A world with other limits, another seed or more patience.
    ///
    /// # Panics
    /// As [`World::start`], and when nothing can be stored with these limits.
    #[must_use]
    #[track_caller]
    pub fn with(config: WorldConfig) -> Self {
        let world = Self::on(config, Machine::new(Trace::new(false)));
        world.boot();
        let declared = world.run(async |system| {
            let WorldConfig { secrets, ids, .. } = &world.config;
            let furniture = ids.furniture(secrets).map_err(|error| error.to_string())?;
            let declared = furniture.declare(system).await;
            declared.map_err(|error| error.to_string())?;
            let defined = ids.define(system, &secrets.token("ada")).await;
            defined.map_err(|error| error.to_string())
        });
        if let Err(error) = declared {
            world.fail(&format!("the world cannot be furnished: {error}"));
        }
        let users = world.config.ids.users.keys().cloned();
        world.memory.borrow_mut().users.extend(users);
        world.note("world", &format!("starts with seed {}", world.config.seed));
        world
    }

    /// A world that is not running yet.
    fn on(mut config: WorldConfig, machine: Machine) -> Self {
        config.system.threads = Threads::Stepped;
        config.secrets = config.secrets.with_channel(config.ids.channel.as_ref());
        let mut dice = Dice::new(config.seed);
        let journal = WorldJournal::default();
        let receiver = Receiver::default().of_world(machine.clone(), journal.clone());
        let clock = SimClock::default();
        if let Some(begins) = config.begins {
            clock.show(begins);
        }
        Self {
            machine,
            clock,
            entropy: Arc::new(config.secrets.generator(dice.next())),
            receiver,
            journal,
            patience: Cell::new(config.patience),
            config,
            dice: RefCell::new(dice),
            faults: Faults::default(),
            habits: Habits::default(),
            memory: Rc::default(),
            disk: RefCell::default(),
            running: RefCell::new(None),
            starts: Cell::new(0),
            printed: Cell::new(false),
        }
    }

    /// The customer with this name, who has a conversation of their own.
    #[must_use]
    pub fn customer<'w>(&'w self, name: &'w str) -> Customer<'w> {
        Customer::new(self, name)
    }

    /// The account user with this name. `ada` is there from the beginning; any other is declared as an administrator
    /// when they act for the first time.
    #[must_use]
    pub fn user<'w>(&'w self, name: &'w str) -> User<'w> {
        User::new(self, name)
    }

    /// The receiver of callbacks, to look at what arrived and to order how it behaves.
    #[must_use]
    pub fn receiver(&self) -> &Receiver {
        &self.receiver
    }

    /// The callbacks that arrived, in their order.
    #[must_use]
    pub fn callbacks(&self) -> Vec<Callback> {
        self.receiver.arrived()
    }

    /// The hooks that arrived, in their order.
    #[must_use]
    pub fn hooks(&self) -> Vec<Hook> {
        self.receiver.hooks().arrived()
    }

    /// The journal of this world.
    #[must_use]
    pub fn journal(&self) -> &WorldJournal {
        &self.journal
    }

    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.config.secrets.account()
    }

    /// The scope.
    #[must_use]
    pub fn scope(&self) -> ScopeId {
        self.config.secrets.scope()
    }

    /// The channel, as it is at the beginning.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.config.secrets.channel()
    }

    /// Now, by the clock of the world.
    #[must_use]
    #[track_caller]
    pub fn now(&self) -> UnixMillis {
        self.run(async |system| system.now())
    }

    /// Lets so much of the world's time pass, and a millisecond more in which the actors come to rest. Every timer on the
    /// way fires at its moment, and what it causes happens then.
    #[track_caller]
    pub fn advance(&self, by: Duration) {
        self.note("test", &format!("advances the clock by {by:?}"));
        self.pass(by);
        self.rest();
    }

    /// Sets the patience of [`World::wait`], in the world's time.
    pub fn set_patience(&self, patience: Duration) {
        self.patience.set(patience);
    }

    /// Returns whether no callback, hook or question is left to be sent, and no habit is due: only another request or order
    /// would change that.
    #[must_use]
    #[track_caller]
    pub fn is_quiet(&self) -> bool {
        let Metrics {
            queued, in_flight, ..
        } = self.metrics();
        let is_empty = queued == 0 && in_flight == 0 && self.open_questions().is_empty();
        is_empty && self.habits.is_quiet() && self.has_no_hooks_left()
    }

    /// The runs of salesbots whose question no program has taken yet.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    #[track_caller]
    pub fn open_questions(&self) -> Vec<Run> {
        let runs = self.run(async |system| system.open_questions(self.account()).await);
        self.expect("the questions of salesbots can be read", runs)
    }

    /// Returns the counts of the system.
    ///
    /// # Panics
    /// When the system does not answer.
    #[must_use]
    #[track_caller]
    pub fn metrics(&self) -> Metrics {
        let metrics = self.run(async |system| system.metrics().await);
        self.expect("the metrics can be read", metrics)
    }

    /// The conversation of this customer; `None`: they wrote nothing yet.
    #[must_use]
    pub fn conversation(&self, customer: &str) -> Option<ConversationId> {
        self.memory.borrow().conversations.get(customer).copied()
    }

    /// The conversation in which a customer wrote last.
    #[must_use]
    pub fn last_conversation(&self) -> Option<ConversationId> {
        self.memory.borrow().last
    }

    /// The messages of the customer's conversation, oldest first; none when they wrote nothing yet.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    #[track_caller]
    pub fn messages(&self, customer: &str) -> Vec<MessageView> {
        let conversation = self.conversation(customer);
        conversation.map_or_else(Vec::new, |id| self.messages_in(id))
    }

    /// The messages of a conversation, oldest first.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    #[track_caller]
    pub fn messages_in(&self, id: ConversationId) -> Vec<MessageView> {
        let messages =
            self.run(async |system| Whole::new(system, self.account()).messages(id).await);
        self.expect("the messages can be read", messages)
    }

    /// Returns the texts in the customer's conversation, oldest first.
    ///
    /// # Panics
    /// When it cannot be read.
    #[must_use]
    #[track_caller]
    pub fn texts(&self, customer: &str) -> Vec<String> {
        self.messages(customer).iter().map(text_of).collect()
    }

    /// All leads of the account, oldest first.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    #[track_caller]
    pub fn leads(&self) -> Vec<Lead> {
        let leads = self.run(async |system| Whole::new(system, self.account()).leads().await);
        self.expect("the leads can be read", leads)
    }

    /// Does anything that a [`System`] can do.
    ///
    /// # Panics
    /// When the power goes meanwhile, which only [`World::cut_power_within`] does.
    #[track_caller]
    pub fn run<T>(&self, task: impl AsyncFnOnce(&System) -> T) -> T {
        match self.try_run(task) {
            Some(end) => end,
            None => self.fail("the power went meanwhile"),
        }
    }

    /// Returns the number of starts of the system: a [`System`] of an earlier start is dead.
    #[must_use]
    pub fn starts(&self) -> u64 {
        self.starts.get()
    }

    #[track_caller]
    fn note(&self, who: &str, what: &str) {
        self.journal.note(self.now(), who, what);
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("seed", &self.config.seed)
            .finish_non_exhaustive()
    }
}
