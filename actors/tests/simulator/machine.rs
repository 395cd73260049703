//! The machine that the process runs on: it counts everything that can be noticed outside, and loses its power on order.
//!
//! Every change of the disk, every answer that leaves and every callback that arrives is a step. Before a step the power
//! may go: then the disk and the tables are pictured as a power cut leaves them, and nothing that the process does
//! afterwards counts, until it is taken away.

use std::sync::{Arc, Mutex};

use switchboard_actors::testkit::FaultyDisk;
use tokio::sync::Notify;

use crate::tables::Home;
use crate::trace::Trace;

/// What is on disk: the files and the tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stored {
    pub(crate) disk: FaultyDisk,
    pub(crate) tables: Home,
}

impl Stored {
    /// What a power cut leaves of it.
    fn after_power_cut(&self, seed: u64) -> Self {
        Self {
            disk: self.disk.crash(seed),
            tables: self.tables.crash(seed),
        }
    }
}

/// The machine. Clones are the same machine.
#[derive(Clone, Debug)]
pub(crate) struct Machine(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    state: Mutex<State>,
    /// Tells the one who runs the process that it is dead.
    died: Notify,
}

#[derive(Debug)]
struct State {
    stored: Stored,
    /// What the power cut left; the process is dead then.
    left: Option<Stored>,
    /// Whether no process is running.
    off: bool,
    /// Steps of this process.
    steps: u64,
    cut_before: Option<u64>,
    cut_seed: u64,
    /// Whether something was written since the last sync.
    unsynced: bool,
    /// Whether the disk says that it has synced without having done so.
    lies: bool,
    trace: Trace,
}

impl Machine {
    pub(crate) fn new(trace: Trace) -> Self {
        Self(Arc::new(Inner {
            state: Mutex::new(State {
                stored: Stored::default(),
                left: None,
                off: true,
                steps: 0,
                cut_before: None,
                cut_seed: 0,
                unsynced: false,
                lies: false,
                trace,
            }),
            died: Notify::new(),
        }))
    }

    /// Is switched on again, with what is on disk; the power goes before the step with this number.
    pub(crate) fn boot(&self, cut_before: Option<u64>, cut_seed: u64) -> Stored {
        let mut state = self.0.state.lock().unwrap();
        if let Some(left) = state.left.take() {
            state.stored = left;
        }
        state.off = false;
        state.unsynced = false;
        state.steps = 0;
        state.cut_before = cut_before;
        state.cut_seed = cut_seed;
        state.stored.clone()
    }

    /// Something happens that can be noticed. False: it does not, since there is no power.
    pub(crate) fn step(&self, what: &str, detail: u64) -> bool {
        let mut state = self.0.state.lock().unwrap();
        if state.left.is_some() || state.off {
            return false;
        }
        state.steps += 1;
        if state.cut_before == Some(state.steps) {
            state.left = Some(state.stored.after_power_cut(state.cut_seed));
            let steps = state.steps;
            state.trace.note("the power goes", steps);
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

    /// If the power is to go, it goes before so many more steps.
    pub(crate) fn cut_within(&self, steps: u64) {
        let mut state = self.0.state.lock().unwrap();
        let soon = state.steps + steps;
        state.cut_before = state.cut_before.map(|step| step.min(soon));
    }

    /// Whether the power cut may have lost something that was written.
    pub(crate) fn wrote_unsynced(&self) -> bool {
        self.0.state.lock().unwrap().unsynced
    }

    /// The process is taken away.
    pub(crate) fn switch_off(&self) {
        self.0.state.lock().unwrap().off = true;
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.0.state.lock().unwrap().left.is_some()
    }

    /// Ends when the power is gone.
    pub(crate) async fn died(&self) {
        while !self.is_dead() {
            self.0.died.notified().await;
        }
    }

    pub(crate) fn steps(&self) -> u64 {
        self.0.state.lock().unwrap().steps
    }

    /// From now on the disk lies: a planted fault.
    pub(crate) fn lie(&self) {
        self.0.state.lock().unwrap().lies = true;
    }

    pub(crate) fn lies(&self) -> bool {
        self.0.state.lock().unwrap().lies
    }

    /// Changes what is on disk while no process runs: a planted fault.
    pub(crate) fn tamper(&self, change: impl FnOnce(&Stored) -> Option<Stored>) {
        let mut state = self.0.state.lock().unwrap();
        if let Some(left) = state.left.take() {
            state.stored = left;
        }
        if let Some(changed) = change(&state.stored) {
            state.stored = changed;
        }
    }

    pub(crate) fn digest(&self) -> u64 {
        self.0.state.lock().unwrap().trace.digest()
    }

    /// Tells whoever repeats this seed.
    pub(crate) fn tell(&self, what: impl FnOnce() -> String) {
        self.0.state.lock().unwrap().trace.tell(what);
    }

    /// Notes something that is not noticed outside.
    pub(crate) fn note(&self, what: &str, detail: u64) {
        self.0.state.lock().unwrap().trace.note(what, detail);
    }
}
