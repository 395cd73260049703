//! The state that a record leaves behind in the memory of its owner, from which a checkpoint takes the snapshot.
//!
//! Each change of a state has a number, and the record of the change carries it. When the newest record of a stream is
//! that of the owner's newest change, the owner's state is what the stream's records make, and the checkpoint reads
//! neither the old snapshot nor the records. Otherwise it does: the owner may be ahead by records that are not on disk
//! yet, or that will never be.

use std::fmt;
use std::sync::Arc;

/// An owner's state, as a checkpoint sees it.
pub(crate) trait SnapshotSource: Send + Sync {
    /// The snapshot up to the record with the number `seq`, if the newest change of the state is this one.
    fn snapshot(&self, change: u64, seq: u64) -> Option<Vec<u8>>;

    /// Returns whether the stored snapshot is known to have no more than one piece.
    fn is_short(&self) -> bool;

    /// Remembers that for the next checkpoint.
    fn note_short(&self, is_short: bool);
}

/// The state after a change, as long as its owner makes no other change.
#[derive(Clone)]
pub struct StateAfter {
    pub(crate) source: Arc<dyn SnapshotSource>,
    /// The number of the change.
    pub(crate) change: u64,
}

impl StateAfter {
    /// The snapshot of the state, which ends with the record with the number `seq`; `None` when the owner has another
    /// state by now.
    pub(crate) fn snapshot(&self, seq: u64) -> Option<Vec<u8>> {
        self.source.snapshot(self.change, seq)
    }
}

impl PartialEq for StateAfter {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.source, &other.source) && self.change == other.change
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
