//! The operator has callbacks sent again by a filter: jobs that outlive the process.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures_util::future::join;
use switchboard_actors::System;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::replays::{JobState, ReplayJob};
use switchboard_actors::error::CommandError;
use switchboard_actors::system::deliveries::DeliveryFilter;

use crate::ledger::Fate;
use crate::world::World;

/// The jobs, as far as those outside know them.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    /// As they were last seen, by number.
    known: BTreeMap<u64, ReplayJob>,
    /// The number of requested jobs of which it is unknown whether they began.
    unknown: usize,
    /// True once any job was requested.
    pub(crate) ever: bool,
    /// Jobs that a client ever wanted ended.
    to_end: BTreeSet<u64>,
}

impl Jobs {
    /// The number of the next job, if no unknown one began.
    fn next(&self) -> u64 {
        self.known.keys().next_back().map_or(1, |last| last + 1)
    }
}

/// Begins a job, for one scope or for all; sometimes ends it in the same moment.
pub(crate) async fn begin(world: &Rc<World>, system: &System) {
    let scope = world.draw(world.scopes.len() + 1);
    let next = world.ledger.borrow().jobs.next();
    let filter = begin_for(world, system, (scope < world.scopes.len()).then_some(scope));
    if world.draw(3) == 0 {
        join(filter, end(world, system, next)).await;
    } else {
        filter.await;
    }
}

/// Begins a job; gives it when that is heard.
pub(crate) async fn begin_for(
    world: &World,
    system: &System,
    scope: Option<usize>,
) -> Option<ReplayJob> {
    {
        let mut ledger = world.ledger.borrow_mut();
        ledger.jobs.ever = true;
        ledger.jobs.unknown += 1;
    }
    let filter = DeliveryFilter {
        scope: scope.map(|scope| world.scopes[scope].clone()),
        ..DeliveryFilter::default()
    };
    let answer = system.create_replay(By::Operator, &filter).await;
    if !world.hears("the operator begins to replay") {
        return None;
    }
    let fate = world.fate(&answer);
    let jobs = &mut world.ledger.borrow_mut().jobs;
    if fate != Fate::Unknown {
        jobs.unknown -= 1;
    }
    match answer {
        Ok(Some(job)) => {
            world.coverage.count("replay begun");
            if jobs.known.insert(job.number, job.clone()).is_some() {
                world.fail(format!("two replays are number {}", job.number));
            }
            Some(job)
        }
        Ok(None) => {
            world.fail("a filter by scope contradicts itself".to_owned());
            None
        }
        Err(CommandError::Rejected(_) | CommandError::Unavailable(_)) => None,
    }
}

/// Ends a job that may still run.
pub(crate) async fn end_one(world: &Rc<World>, system: &System) {
    let numbers: Vec<u64> = world.ledger.borrow().jobs.known.keys().copied().collect();
    let place = world.dice.borrow_mut().place(numbers.len());
    if let Some(place) = place {
        end(world, system, numbers[place]).await;
    }
}

/// Ends this job, if it runs.
async fn end(world: &World, system: &System, number: u64) {
    world.ledger.borrow_mut().jobs.to_end.insert(number);
    let answer = system.cancel_replay(By::Operator, number).await;
    if !world.hears("the operator ends a replay") {
        return;
    }
    world.fate(&answer);
    if let Ok(job) = answer {
        world.coverage.count("replay ended");
        let jobs = &mut world.ledger.borrow_mut().jobs;
        jobs.known.insert(number, job);
    }
}

/// All that were answered are there, and no other; who has ended goes on no more.
pub(crate) fn judge(jobs: &mut Jobs, seen: &[ReplayJob]) -> Result<(), String> {
    for job in seen {
        match jobs.known.get(&job.number) {
            Some(known) => follows(jobs, known, job)?,
            None if jobs.unknown > 0 => jobs.unknown -= 1,
            None => return Err(format!("nobody began {job:?}")),
        }
    }
    // A job of unknown fate that the audit does not see never began.
    jobs.unknown = 0;
    let numbers: BTreeSet<u64> = seen.iter().map(|job| job.number).collect();
    if let Some(number) = jobs.known.keys().find(|number| !numbers.contains(number)) {
        return Err(format!("replay {number} was begun, and is not there"));
    }
    let views = seen.iter().map(|job| (job.number, job.clone()));
    jobs.known = views.collect();
    Ok(())
}

fn follows(jobs: &Jobs, known: &ReplayJob, job: &ReplayJob) -> Result<(), String> {
    let same = (&known.filter, known.began_at, &known.by) == (&job.filter, job.began_at, &job.by);
    let on = known.behind <= job.behind && known.replayed <= job.replayed;
    let ending_fits = known.is_running() || known.state == job.state;
    let is_fitting = match job.state {
        JobState::Running | JobState::Done { .. } => true,
        JobState::Cancelled { .. } => jobs.to_end.contains(&job.number),
    };
    if same && on && ending_fits && is_fitting {
        Ok(())
    } else {
        Err(format!("{known:?} has become {job:?}"))
    }
}

/// A job that still runs.
pub(crate) async fn running(system: &System) -> Option<String> {
    match system.replays().await {
        Ok(jobs) => {
            let running = jobs.iter().find(|job| job.is_running());
            running.map(|job| format!("{job:?}"))
        }
        Err(unavailable) => Some(unavailable.to_string()),
    }
}
