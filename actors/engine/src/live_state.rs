//! The state in an owner's memory, from which a checkpoint takes the snapshot.
//!
//! Each change has a number, and the record of the change carries it. When the newest record of a stream is that of the
//! owner's newest change, the owner's state is what the stream's records make, and the checkpoint reads neither the old
//! snapshot nor the records. Otherwise it does: the owner may be ahead by records that are not on disk yet, or that
//! will never be.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::state::State;
use crate::store::Seq;
use crate::store::index::fold;

/// The state of an owner with the number of its last change. The owner changes it, a checkpoint reads it.
pub(crate) struct LiveState<S>(Mutex<Numbered<S>>);

/// A state with the number of its last change.
pub(crate) struct Numbered<S> {
    pub(crate) state: S,
    change: u64,
}

/// What a record leaves behind: the state of its owner after this change.
#[derive(Clone)]
pub struct StateAfter {
    of: Arc<dyn Snapshotting>,
    change: u64,
}

trait Snapshotting: Send + Sync {
    fn snapshot(&self, change: u64, seq: Seq) -> Option<Vec<u8>>;
}

impl<S: State> LiveState<S> {
    pub(crate) fn new(state: S) -> Self {
        Self(Mutex::new(Numbered { state, change: 0 }))
    }

    /// A panic under this lock ends the owner, and no checkpoint reads the state any more.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Numbered<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: State> Numbered<S> {
    pub(crate) fn apply(&mut self, event: &S::Event) {
        self.state.apply(event);
        self.change = self.change.saturating_add(1);
    }

    /// The state of `live`, which is this one, after so many further changes.
    pub(crate) fn after(&self, further: u64, live: &Arc<LiveState<S>>) -> StateAfter {
        StateAfter {
            of: Arc::<LiveState<S>>::clone(live),
            change: self.change.saturating_add(further),
        }
    }
}

impl<S: State> Snapshotting for LiveState<S> {
    fn snapshot(&self, change: u64, seq: Seq) -> Option<Vec<u8>> {
        let live = self.0.lock().ok()?;
        let json = || fold::snapshot(seq, &live.state).ok();
        (live.change == change).then(json).flatten()
    }
}

impl StateAfter {
    /// The snapshot of the state after this change, whose record has this number; `None` when the owner has it no more.
    pub(crate) fn snapshot(&self, seq: Seq) -> Option<Vec<u8>> {
        self.of.snapshot(self.change, seq)
    }
}

impl PartialEq for StateAfter {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.of, &other.of) && self.change == other.change
    }
}

impl Eq for StateAfter {}

impl fmt::Debug for StateAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateAfter")
            .field("change", &self.change)
            .finish_non_exhaustive()
    }
}
