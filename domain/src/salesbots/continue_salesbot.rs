//! A program answers the question of a run.

use crate::Decision;
use crate::id::{SalesbotId, SalesbotRunId};
use crate::salesbots::{SalesbotRejection, Salesbots, SalesbotsEvent};
use switchboard_engine::state::{Command, Moment};

/// Takes the answer to the question of a run, which ends with it: its address takes one answer.
#[derive(Clone, Copy, Debug)]
pub struct ContinueSalesbot {
    /// The salesbot.
    pub bot: SalesbotId,
    /// The run.
    pub run: SalesbotRunId,
}

impl Command for ContinueSalesbot {
    type Of = Salesbots;
    type Reply = ();
    type Rejection = SalesbotRejection;

    fn decide(
        self,
        state: &Salesbots,
        moment: &mut Moment<'_, SalesbotsEvent>,
    ) -> Result<Decision<SalesbotsEvent, ()>, SalesbotRejection> {
        let waiting = state.waiting(self.run, moment.now);
        let run = waiting
            .filter(|run| run.bot == self.bot)
            .ok_or(SalesbotRejection::NothingWaits)?;
        let event = SalesbotsEvent::Ended(run.id);
        Ok(Decision::events(vec![event.into()], ()))
    }
}
