//! An erasure could not be carried out: nothing was erased.

use std::convert::Infallible;

use crate::{Erasure, Erasures, ErasuresEvent};
use switchboard_domain::Decision;
use switchboard_engine::state::{Command, Moment};

/// Notes why an erasure could not be carried out.
#[derive(Clone, Debug)]
pub struct NoteFailure {
    /// The erasure.
    pub number: u64,
    /// The reason.
    pub reason: String,
}

impl Command for NoteFailure {
    type Of = Erasures;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Erasures,
        moment: &mut Moment<'_, ErasuresEvent>,
    ) -> Result<Decision<ErasuresEvent, ()>, Infallible> {
        if !state.get(self.number).is_some_and(Erasure::is_waiting) {
            return Ok(Decision::unchanged(()));
        }
        let failed = ErasuresEvent::Failed {
            number: self.number,
            at: moment.now,
            reason: self.reason,
        };
        Ok(Decision::event(failed, ()))
    }
}
