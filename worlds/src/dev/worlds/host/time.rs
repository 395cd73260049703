//! Time of a world passes to the next timer and no further, and not at all while a callback or a hook is under way.

use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde_json::Value;
use switchboard_actors::domain::time::UnixMillis;

use super::Host;
use crate::dev::worlds::clock::ClockMode;
use crate::dev::worlds::error::DevError;
use crate::dev::worlds::order::{Done, Until, Wait};
use crate::dev::worlds::reply::Reply;

/// So much of the world's time passes at once at most: other orders are taken in between.
const STEP: Duration = Duration::from_secs(3_600);

/// So much of the world's time the actors have to come to rest.
const REST: Duration = Duration::from_millis(1);

/// The condition that a client waits for while time passes.
pub(super) struct Goal {
    pub(super) aim: Aim,
    /// Until when the time of the world may pass.
    pub(super) deadline: UnixMillis,
    /// The time at which the client is answered in any case.
    pub(super) patience: Instant,
    pub(super) done: Done,
}

/// The kind of a goal.
pub(super) enum Aim {
    /// The deadline itself.
    Time,
    /// A state.
    State(Wait),
}

/// The longest wait of a client while a program outside does not answer.
const PATIENCE: Duration = Duration::from_secs(55);

impl Host {
    pub(super) fn set_clock(&mut self, mode: ClockMode) -> Value {
        self.mode = mode;
        self.followed = Instant::now();
        self.clock()
    }

    /// Lets so much time pass.
    pub(super) fn aim_at(&mut self, by: Duration, done: Done) {
        self.goals.push(Goal {
            aim: Aim::Time,
            // The rest afterwards is a part of it.
            deadline: self.world.now().plus(by.saturating_sub(REST)),
            patience: Instant::now() + PATIENCE,
            done,
        });
    }

    /// The actors do what they can do without time.
    pub(super) fn let_rest(&self) {
        self.world.run(async |_| tokio::time::sleep(REST).await);
    }

    /// Answers goals that are reached, and lets some time pass for those that are not. Whether more has to pass at once.
    pub(super) fn progress(&mut self) -> bool {
        self.follow();
        for goal in std::mem::take(&mut self.goals) {
            match self.reached(&goal) {
                Some(result) => drop(goal.done.send(result.map(Reply::from))),
                None => self.goals.push(goal),
            }
        }
        if self.under_way.count() > 0 {
            return false;
        }
        let goals = self.goals.iter().filter(|goal| self.wants_time(goal));
        let Some(until) = goals.map(|goal| goal.deadline).min() else {
            return false;
        };
        let step = until.since(self.world.now()).min(STEP);
        let start = &self.under_way.begun;
        self.world.run(async |_| {
            // Either way the goals are checked again.
            tokio::time::timeout(step, start.notified()).await.is_ok()
        });
        self.let_rest();
        true
    }

    /// In the mode `real`, lets as much time pass as has for the machine.
    fn follow(&mut self) {
        if self.mode == ClockMode::Real {
            let duration = self.followed.elapsed();
            self.followed = Instant::now();
            self.world.run(async |_| tokio::time::sleep(duration).await);
        }
    }

    /// Returns whether time passes for this goal: for others it passes by itself, or by `advance`.
    fn wants_time(&self, goal: &Goal) -> bool {
        match &goal.aim {
            Aim::Time => true,
            // A program outside reacts to callbacks, and not to the time of the world.
            Aim::State(wait) => {
                let is_served = !wait.is_brought_from_outside() || !self.world.is_quiet();
                self.mode == ClockMode::Skip && wait.until != Until::Request && is_served
            }
        }
    }

    fn reached(&self, goal: &Goal) -> Option<Result<Value, DevError>> {
        let is_late = self.world.now() >= goal.deadline;
        let is_over = Instant::now() >= goal.patience;
        match &goal.aim {
            Aim::Time if is_late => Some(Ok(self.clock())),
            Aim::Time if is_over => {
                let why = "a receiver of callbacks did not answer in time, so the time of the world could not pass";
                Some(Err(DevError::new(StatusCode::GATEWAY_TIMEOUT, why)))
            }
            Aim::Time => None,
            Aim::State(wait) => self.outcome(wait, is_late, is_over).map(Ok),
        }
    }

    /// Returns the time for which nothing happens to the goals without an order.
    pub(super) fn goal_idles_for(&self) -> Duration {
        let now = Instant::now();
        self.goals
            .iter()
            .map(|goal| goal.patience.saturating_duration_since(now))
            .min()
            .unwrap_or(Duration::MAX)
    }

    /// The world ends: says so to all who wait.
    pub(super) fn leave_goals(&mut self, why: &str) {
        for goal in std::mem::take(&mut self.goals) {
            let refusal = DevError::new(StatusCode::GONE, format!("the world ended: {why}"));
            drop(goal.done.send(Err(refusal)));
        }
    }
}
