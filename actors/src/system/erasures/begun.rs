//! An erasure of which a part is done.

use crate::domain::erasures::Erasure;
use crate::system::erasures::judge::Judge;
use crate::system::erasures::tally::Counting;
use switchboard_engine::store::Seq;
use switchboard_engine::store::erasure::prepare::Prepared;

/// An erasure of which some records are judged.
pub(super) struct Begun {
    pub(super) judge: Box<dyn Judge>,
    pub(super) counting: Counting,
}

/// An erasure that is prepared: what is left of it is carried out with the store closed.
pub struct PreparedErasure {
    pub(super) erasure: Erasure,
    /// The judge and the tally behind the records that are rewritten.
    pub(super) begun: Begun,
    /// The judge knows what the records up to here say.
    pub(super) known: Seq,
    pub(super) store: Prepared,
}

impl PreparedErasure {
    /// The number of the erasure.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.erasure.number
    }
}

impl std::fmt::Debug for PreparedErasure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreparedErasure")
            .field("number", &self.erasure.number)
            .field("known", &self.known)
            .finish_non_exhaustive()
    }
}
