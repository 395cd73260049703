//! The service notes what became of the question of a run.

use std::convert::Infallible;

use crate::Decision;
use crate::id::SalesbotRunId;
use crate::salesbots::{Question, Salesbots, SalesbotsEvent};
use switchboard_engine::state::{Command, Moment};

/// Notes what became of a question. A run that has ended meanwhile stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct NoteAsked {
    /// The run.
    pub run: SalesbotRunId,
    /// True when the program has taken the question. Else the run ends.
    pub is_taken: bool,
}

impl Command for NoteAsked {
    type Of = Salesbots;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Salesbots,
        _: &mut Moment<'_, SalesbotsEvent>,
    ) -> Result<Decision<SalesbotsEvent, ()>, Infallible> {
        let run = state.waiting.get(&self.run);
        if run.and_then(|run| run.question) != Some(Question::Open) {
            return Ok(Decision::unchanged(()));
        }
        let event = if self.is_taken {
            SalesbotsEvent::Asked(self.run)
        } else {
            SalesbotsEvent::Ended(self.run)
        };
        Ok(Decision::events(vec![event.into()], ()))
    }
}
