//! A program runs salesbots.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::Decision;
use crate::id::{LeadId, SalesbotId, SalesbotRunId};
use crate::salesbots::salesbot::SalesbotAction;
use crate::salesbots::{
    Question, RUNS_MAX, RUNS_WITHIN, Run, SalesbotRejection, Salesbots, SalesbotsEvent, WAITING_MAX,
};
use crate::time::{UnixMillis, whole_seconds};
use switchboard_engine::state::{Command, Moment};

/// Begins runs: all of them or none. A run of a salesbot takes the place of one in the same lead that waits for an answer.
#[derive(Clone, Debug)]
pub struct RunSalesbots {
    /// The runs.
    pub runs: Vec<NewRun>,
}

/// A run that is to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The salesbot.
    pub bot: SalesbotId,
    /// The lead.
    pub lead: LeadId,
}

impl Command for RunSalesbots {
    type Of = Salesbots;
    type Reply = Vec<Run>;
    type Rejection = SalesbotRejection;

    fn decide(
        self,
        state: &Salesbots,
        moment: &mut Moment<'_, SalesbotsEvent>,
    ) -> Result<Decision<SalesbotsEvent, Vec<Run>>, SalesbotRejection> {
        let mut runs = Vec::with_capacity(self.runs.len());
        let mut counts: BTreeMap<LeadId, usize> = BTreeMap::new();
        for (number, new) in (state.last_run.saturating_add(1)..).zip(&self.runs) {
            let bot = state.get(new.bot).ok_or(SalesbotRejection::Unknown)?;
            let count = counts.entry(new.lead).or_default();
            *count = count.saturating_add(1);
            runs.push(Run {
                id: SalesbotRunId(number),
                bot: new.bot,
                lead: new.lead,
                at: moment.now,
                question: match bot.action {
                    SalesbotAction::SendField(_) => None,
                    SalesbotAction::AskProgram(_) => Some(Question::Open),
                },
            });
        }
        let mut waits = counts
            .into_iter()
            .map(|(lead, count)| state.wait(lead, count, moment.now));
        if let Some(retry_after) = waits.by_ref().flatten().max() {
            return Err(SalesbotRejection::TooOften { retry_after });
        }
        let live = state
            .waiting
            .values()
            .filter(|run| state.waiting(run.id, moment.now).is_some());
        let asking = runs.iter().filter(|run| run.question.is_some());
        let places: BTreeSet<_> = live
            .chain(asking.clone())
            .map(|run| (run.bot, run.lead))
            .collect();
        if asking.count() > 0 && places.len() > WAITING_MAX {
            return Err(SalesbotRejection::TooManyWait);
        }
        let events = runs.iter().map(|run| SalesbotsEvent::Begun(*run).into());
        Ok(Decision::events(events.collect(), runs))
    }
}

impl Salesbots {
    /// The time until so many more runs of a lead may begin; none when they may begin now.
    fn wait(&self, lead: LeadId, count: usize, now: UnixMillis) -> Option<Duration> {
        let times = self.recent.get(&lead).into_iter().flatten();
        let ends: Vec<Duration> = times
            .map(|at| RUNS_WITHIN.saturating_sub(now.since(*at)))
            .filter(|left| !left.is_zero())
            .collect();
        let over = ends.len().saturating_add(count).checked_sub(RUNS_MAX)?;
        // The times are in their order: those that end first come first.
        let last = over.checked_sub(1)?;
        let left = ends
            .get(last)
            .or(ends.last())
            .copied()
            .unwrap_or(RUNS_WITHIN);
        Some(Duration::from_secs(whole_seconds(left)))
    }
}
