//! Erasures of which a part is done.

use switchboard_engine::store::Seq;
use switchboard_engine::store::erasure::prepare::Prepared;
use switchboard_erasures::judges::group::Group;

/// Erasures that are prepared: what is left of them is carried out with the store closed.
pub struct PreparedErasures {
    /// The erasures, whose judges are behind the records that are rewritten.
    pub(super) group: Group,
    /// The judges know what the records up to here say.
    pub(super) known: Seq,
    pub(super) store: Prepared,
}

impl PreparedErasures {
    /// The numbers of the erasures, those that failed included.
    #[must_use]
    pub fn numbers(&self) -> Vec<u64> {
        let failed = self.group.failed().iter().map(|(number, _)| *number);
        self.group.numbers().chain(failed).collect()
    }
}

impl std::fmt::Debug for PreparedErasures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedErasures")
            .field("numbers", &self.numbers())
            .field("known", &self.known)
            .finish_non_exhaustive()
    }
}
