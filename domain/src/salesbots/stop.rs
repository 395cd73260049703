//! A program stops what a salesbot does for a lead.

use crate::Decision;
use crate::id::{LeadId, SalesbotId};
use crate::salesbots::{SalesbotRejection, Salesbots, SalesbotsEvent};
use switchboard_engine::state::{Command, Moment};

/// Stops a salesbot for a lead: a run that waits for an answer ends. Nothing changes when none waits.
#[derive(Clone, Copy, Debug)]
pub struct StopSalesbot {
    /// The salesbot.
    pub bot: SalesbotId,
    /// The lead.
    pub lead: LeadId,
}

impl Command for StopSalesbot {
    type Of = Salesbots;
    type Reply = ();
    type Rejection = SalesbotRejection;

    fn decide(
        self,
        state: &Salesbots,
        _: &mut Moment<'_, SalesbotsEvent>,
    ) -> Result<Decision<SalesbotsEvent, ()>, SalesbotRejection> {
        state.get(self.bot).ok_or(SalesbotRejection::Unknown)?;
        let runs = state.waiting.values();
        let stopped = runs.filter(|run| (run.bot, run.lead) == (self.bot, self.lead));
        let events = stopped.map(|run| SalesbotsEvent::Ended(run.id).into());
        Ok(Decision::events(events.collect(), ()))
    }
}
