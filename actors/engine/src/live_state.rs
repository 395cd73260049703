//! The state in an owner's memory, from which a checkpoint takes the snapshot. The events that the index cannot find yet
//! are beside it, so that those of an idle owner are released without a message to it, which would cost more than they do.
//!
//! Each change has a number, and the record of the change carries it. When the newest record of a stream is that of the
//! owner's newest change, the owner's state is what the stream's records make, and the checkpoint reads neither the old
//! snapshot nor the records. Otherwise it does: the owner may be ahead by records that are not on disk yet, or that
//! will never be.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::runtime::unindexed::Unindexed;
use crate::state::{Recorded, State};
use crate::store::Seq;
use crate::store::index::fold;

/// The state of an owner with the number of its last change. The owner changes it, a checkpoint reads it.
pub(crate) struct LiveState<S: State>(Mutex<Numbered<S>>);

/// A state with the number of its last change.
pub(crate) struct Numbered<S: State> {
    pub(crate) state: S,
    change: u64,
    /// Whether its stored snapshot has one piece, or none; `false` when that is not known.
    is_short: bool,
    /// The submitted events that the index cannot find yet.
    pub(crate) unindexed: Unindexed<Recorded<S::Event>>,
}

/// What a record leaves behind: the state of its owner after this change.
#[derive(Clone)]
pub struct StateAfter {
    of: Arc<dyn Snapshotting>,
    change: u64,
}

trait Snapshotting: Send + Sync {
    fn snapshot(&self, change: u64, seq: Seq) -> Option<Vec<u8>>;
    fn is_short(&self) -> bool;
    fn note_short(&self, is_short: bool);
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

    fn is_short(&self) -> bool {
        self.lock().is_short
    }

    fn note_short(&self, is_short: bool) {
        self.lock().is_short = is_short;
    }
}

impl StateAfter {
    /// The snapshot of the state after this change, whose record has this number; `None` when the owner has it no more.
    pub(crate) fn snapshot(&self, seq: Seq) -> Option<Vec<u8>> {
        self.of.snapshot(self.change, seq)
    }

    /// Whether the stored snapshot of the state is known to have no more than one piece.
    pub(crate) fn is_short(&self) -> bool {
        self.of.is_short()
    }

    /// Remembers that for the next checkpoint.
    pub(crate) fn note_short(&self, is_short: bool) {
        self.of.note_short(is_short);
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
