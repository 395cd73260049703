//! The machine that the process runs on: it counts everything that can be noticed outside, and loses its power on
//! request.
//!
//! Every change of the disk is a step, and so is every effect that a test reports as visible to others, such as an
//! answer that leaves. Before a step the process may die. The disk and the tables are then recorded as the death
//! leaves them, and nothing that the process does afterwards counts, until it is removed.

use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use super::tables::SimTables;
use super::trace::Trace;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::lock::lock;

/// The durable content: the files and the tables.
#[derive(Clone, Debug, Default)]
pub struct DiskContent {
    /// The files.
    pub disk: FaultyDisk,
    /// The tables.
    pub tables: SimTables,
}

impl DiskContent {
    /// A copy of all of it, also of what was not synced yet.
    #[must_use]
    pub fn copied(&self) -> Self {
        self.after(Death::Kill, 0)
    }

    /// Returns the content that the end of a process leaves.
    fn after(&self, death: Death, seed: u64) -> Self {
        match death {
            Death::PowerCut => Self {
                disk: self.disk.crash(seed),
                tables: self.tables.crash(seed),
            },
            Death::Kill => Self {
                disk: self.disk.killed(),
                tables: self.tables.killed(),
            },
        }
    }
}

/// The way in which a process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// The power goes: what was not synced may be lost.
    PowerCut,
    /// It is killed: what it wrote is there, and may be lost yet.
    Kill,
}

/// The step and the way in which a process is to die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Before this step.
    pub before: u64,
    /// The way.
    pub death: Death,
    /// The seed of the remains.
    pub seed: u64,
}

/// The machine. Clones are the same machine.
#[derive(Clone, Debug)]
pub struct Machine(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    /// Notifies the runner of the process that it is dead.
    died: Notify,
}

#[derive(Debug)]
struct State {
    stored: DiskContent,
    /// The remains after the power cut; the process is dead then.
    remains: Option<DiskContent>,
    /// True when no process is running.
    off: bool,
    /// Steps of this process.
    steps: u64,
    cut: Option<Cut>,
    /// True when something was written since the last sync.
    unsynced: bool,
    /// True when the disk says that it has synced without having done so.
    lies: bool,
    trace: Trace,
}

impl State {
    fn die(&mut self, death: Death, seed: u64) {
        self.remains = Some(self.stored.after(death, seed));
        let how = match death {
            Death::PowerCut => "the power goes",
            Death::Kill => "the process is killed",
        };
        self.trace.note(how, self.steps);
    }
}

impl Machine {
    /// A machine with an empty disk, switched off.
    #[must_use]
    pub fn new(trace: Trace) -> Self {
        Self::with(DiskContent::default(), trace)
    }

    /// A machine with this on its disk, switched off.
    #[must_use]
    pub fn with(stored: DiskContent, trace: Trace) -> Self {
        Self(Arc::new(Inner {
            state: Mutex::new(State {
                stored,
                remains: None,
                off: true,
                steps: 0,
                cut: None,
                unsynced: false,
                lies: false,
                trace,
            }),
            died: Notify::new(),
        }))
    }

    /// Is switched on again, with what is on disk.
    #[must_use]
    pub fn boot(&self, cut: Option<Cut>) -> DiskContent {
        let mut state = lock(&self.0.state);
        if let Some(remains) = state.remains.take() {
            state.stored = remains;
        }
        state.off = false;
        state.unsynced = false;
        state.steps = 0;
        state.cut = cut;
        state.stored.clone()
    }

    /// Something happens that can be noticed. False: it does not, since there is no power.
    pub fn step(&self, what: &str, detail: u64) -> bool {
        let mut state = lock(&self.0.state);
        if state.remains.is_some() || state.off {
            return false;
        }
        state.steps = state.steps.saturating_add(1);
        let steps = state.steps;
        if let Some(cut) = state.cut.filter(|cut| cut.before == steps) {
            state.die(cut.death, cut.seed);
            self.0.died.notify_one();
            return false;
        }
        match what {
            "write" => state.unsynced = true,
            "sync" => state.unsynced = false,
            _ => {}
        }
        state.trace.note(what, detail);
        true
    }

    /// The process dies now, if one runs; `seed` chooses what is left of what was not synced.
    pub fn die(&self, death: Death, seed: u64) {
        let mut state = lock(&self.0.state);
        if state.remains.is_none() && !state.off {
            state.die(death, seed);
            self.0.died.notify_one();
        }
    }

    /// The process is to die so, unless it ends before.
    pub fn cut(&self, cut: Cut) {
        lock(&self.0.state).cut = Some(cut);
    }

    /// A copy of what is on disk now, with what was not synced yet; the machine goes on as if nothing had been.
    #[must_use]
    pub fn copied(&self) -> DiskContent {
        lock(&self.0.state).stored.copied()
    }

    /// If the process is to die, it does so before so many more steps.
    pub fn cut_within(&self, steps: u64) {
        let mut state = lock(&self.0.state);
        let soon = state.steps.saturating_add(steps);
        state.cut = state.cut.map(|cut| Cut {
            before: cut.before.min(soon),
            ..cut
        });
    }

    /// Returns whether the power cut may have lost something that was written.
    #[must_use]
    pub fn wrote_unsynced(&self) -> bool {
        lock(&self.0.state).unsynced
    }

    /// The process is taken away.
    pub fn switch_off(&self) {
        lock(&self.0.state).off = true;
    }

    /// Returns whether the process has died.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        lock(&self.0.state).remains.is_some()
    }

    /// Ends when the process has died.
    pub async fn died(&self) {
        while !self.is_dead() {
            self.0.died.notified().await;
        }
    }

    /// Returns the number of steps of this process.
    #[must_use]
    pub fn steps(&self) -> u64 {
        lock(&self.0.state).steps
    }

    /// From now on the disk lies: a planted fault.
    pub fn lie(&self) {
        lock(&self.0.state).lies = true;
    }

    /// Returns whether the disk lies.
    #[must_use]
    pub fn lies(&self) -> bool {
        lock(&self.0.state).lies
    }

    /// Changes what is on disk while no process runs: a planted fault.
    pub fn tamper(&self, change: impl FnOnce(&DiskContent) -> Option<DiskContent>) {
        let mut state = lock(&self.0.state);
        if let Some(remains) = state.remains.take() {
            state.stored = remains;
        }
        if let Some(content) = change(&state.stored) {
            state.stored = content;
        }
    }

    /// All that happened, as one number.
    #[must_use]
    pub fn digest(&self) -> u64 {
        lock(&self.0.state).trace.digest()
    }

    /// Prints a line when this seed is repeated alone.
    pub fn tell(&self, what: impl FnOnce() -> String) {
        lock(&self.0.state).trace.tell(what);
    }

    /// Notes something that is not noticed outside.
    pub fn note(&self, what: &str, detail: u64) {
        lock(&self.0.state).trace.note(what, detail);
    }
}
