//! Snapshots: the whole world at a moment, to go on from it more than once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_actors::port::CallbackSender;
use switchboard_engine::testkit::simulation::{DiskContent, Machine, SimClock, Trace};

use crate::journal::WorldJournal;
use crate::receiver::Receiver;
use crate::world::faults::Faults;
use crate::world::{Habits, KeptHabits, Memory, Secrets, World, WorldConfig};

/// A world at a moment: its disk, its clock, what its people know and do out of habit, what its receiver has and was
/// ordered.
pub struct Snapshot {
    stored: DiskContent,
    clock: SimClock,
    receiver: Receiver,
    journal: WorldJournal,
    config: WorldConfig,
    patience: Duration,
    faults: Faults,
    habits: KeptHabits,
    memory: Memory,
}

impl Clone for Snapshot {
    /// The same moment, with nothing in common: it may go to another thread.
    fn clone(&self) -> Self {
        Self {
            stored: self.stored.copied(),
            clock: self.clock.copied(),
            receiver: self.receiver.clone(),
            journal: self.journal.copied(),
            config: self.config.clone(),
            patience: self.patience,
            faults: self.faults.copied(),
            habits: self.habits.clone(),
            memory: self.memory.clone(),
        }
    }
}

impl World {
    /// The world as it is now. It goes on as if nothing had been.
    #[must_use]
    #[track_caller]
    pub fn snapshot(&self) -> Snapshot {
        self.note("test", "takes a snapshot");
        let machine = Machine::new(Trace::new(false));
        let journal = self.journal.copied();
        // Ids that were drawn before the snapshot must not be drawn again.
        let seed = self.dice.borrow_mut().next();
        Snapshot {
            stored: self.machine.copied(),
            clock: self.run(async |_| self.clock.copied()),
            receiver: self.receiver.of_world(machine, journal.clone()),
            journal,
            config: WorldConfig {
                seed,
                ..self.config.clone()
            },
            patience: self.patience.get(),
            faults: self.faults.copied(),
            habits: self.habits.kept(),
            memory: self.memory.borrow().clone(),
        }
    }

    /// Goes back to a snapshot, of this world or of another one.
    ///
    /// # Panics
    /// As [`Snapshot::fork`].
    #[track_caller]
    pub fn restore(&mut self, snapshot: &Snapshot) {
        *self = snapshot.fork();
    }
}

impl Snapshot {
    /// The secrets of the world.
    #[must_use]
    pub fn secrets(&self) -> &Secrets {
        &self.config.secrets
    }

    /// Another world that goes on from here. All forks of a snapshot have the same seed, so the same calls have the same
    /// effects. The system starts on what was on the disk: a callback that was under way is sent again.
    ///
    /// # Panics
    /// When the system does not start.
    #[must_use]
    #[track_caller]
    pub fn fork(&self) -> World {
        self.fork_with(self.config.sender.clone())
    }

    /// As [`Snapshot::fork`], with another [sender](WorldConfig::sender) of callbacks.
    ///
    /// # Panics
    /// As [`Snapshot::fork`].
    #[must_use]
    #[track_caller]
    pub fn fork_with(&self, sender: Option<Arc<dyn CallbackSender>>) -> World {
        self.go_on(WorldConfig {
            sender,
            ..self.config.clone()
        })
    }

    /// As [`Snapshot::fork`], with another sender of callbacks and at another address.
    #[track_caller]
    pub(crate) fn fork_at(&self, public_url: Arc<str>, sender: Arc<dyn CallbackSender>) -> World {
        self.go_on(WorldConfig {
            public_url: Some(public_url),
            sender: Some(sender),
            ..self.config.clone()
        })
    }

    #[track_caller]
    fn go_on(&self, config: WorldConfig) -> World {
        let machine = Machine::with(self.stored.copied(), Trace::new(false));
        let journal = self.journal.copied();
        let mut world = World::on(config, machine.clone());
        world.receiver = self.receiver.of_world(machine, journal.clone());
        world.journal = journal;
        world.clock = self.clock.copied();
        world.patience = Cell::new(self.patience);
        world.faults = self.faults.copied();
        world.habits = Habits::from_snapshot(self.habits.clone());
        world.memory = Rc::new(RefCell::new(self.memory.clone()));
        world.boot();
        world.note("world", "goes on from a snapshot");
        world.rest();
        world
    }
}
