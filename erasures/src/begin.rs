//! An erasure is about to be carried out: what it goes up to is noted.

use std::convert::Infallible;

use crate::{Erasure, Erasures, ErasuresEvent};
use switchboard_domain::Decision;
use switchboard_engine::state::{Command, Moment};

/// Notes up to which record an erasure goes, unless that is noted.
#[derive(Clone, Debug)]
pub struct Begin {
    /// The erasure.
    pub number: u64,
    /// The last record that it judges.
    pub upto: u64,
}

impl Command for Begin {
    type Of = Erasures;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Erasures,
        _moment: &mut Moment<'_, ErasuresEvent>,
    ) -> Result<Decision<ErasuresEvent, ()>, Infallible> {
        let begins = |erasure: &Erasure| erasure.is_waiting() && erasure.upto.is_none();
        if !state.get(self.number).is_some_and(begins) {
            return Ok(Decision::unchanged(()));
        }
        let event = ErasuresEvent::Begun {
            number: self.number,
            upto: self.upto,
        };
        Ok(Decision::event(event, ()))
    }
}
