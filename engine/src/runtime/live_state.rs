//! The state in an owner's memory, from which a checkpoint takes the snapshot. The events that the index cannot find yet
//! are beside it, so that those of an idle owner are released without a message to it, which would cost more than they do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::runtime::unindexed::Unindexed;
use crate::state::{Recorded, State};
use crate::state_after::{SnapshotSource, StateAfter};
use crate::store::Seq;
use crate::store::index::fold;

/// The state of an owner with the number of its last change. The owner changes it, a checkpoint reads it.
pub(crate) struct LiveState<S: State>(Mutex<Numbered<S>>);

/// A state with the number of its last change.
pub(crate) struct Numbered<S: State> {
    pub(crate) state: S,
    change: u64,
    /// True when its stored snapshot is known to have one piece, or none.
    is_short: bool,
    /// The submitted events that the index cannot find yet.
    pub(crate) unindexed: Unindexed<Recorded<S::Event>>,
}

impl<S: State> LiveState<S> {
    pub(crate) fn new(state: S) -> Self {
        Self(Mutex::new(Numbered {
            state,
            change: 0,
            is_short: false,
            unindexed: Unindexed::default(),
        }))
    }

    /// Releases the events up to this record, and what they left of their memory. An owner at work does that itself.
    pub(crate) fn passivate(&self, indexed: Seq) {
        if let Ok(mut live) = self.0.try_lock() {
            live.unindexed.forget(indexed);
            live.unindexed.shrink();
        }
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
            source: Arc::<LiveState<S>>::clone(live),
            change: self.change.saturating_add(further),
        }
    }
}

impl<S: State> SnapshotSource for LiveState<S> {
    fn snapshot(&self, change: u64, seq: u64) -> Option<Vec<u8>> {
        let live = self.0.lock().ok()?;
        let json = || fold::snapshot(Seq(seq), &live.state).ok();
        (live.change == change).then(json).flatten()
    }

    fn is_short(&self) -> bool {
        self.lock().is_short
    }

    fn note_short(&self, is_short: bool) {
        self.lock().is_short = is_short;
    }
}
