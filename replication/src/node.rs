//! The state of a node and its view of the log, for `/readyz`, the metrics and people.

mod wait_reason;
mod waiting;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use switchboard_engine::store::Seq;
use switchboard_engine::time::UnixMillis;

pub use self::wait_reason::WaitReason;
pub use self::waiting::LogWaiting;
use crate::entry::Claimant;
use crate::log_end::LogEnd;
use crate::position::Position;
use crate::shared_log::lease::Lease;
use crate::shared_log::{LogStanding, Newest, OwnerMeter, Standby};

/// The part that a node has in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It answers requests.
    Owner,
    /// It follows, and answers none.
    Standby,
}

/// A node of a shared log. Clones are the same node.
#[derive(Clone, Debug)]
pub struct NodeState {
    name: Arc<str>,
    lease: Lease,
    waiting: LogWaiting,
    standing: LogStanding,
    knowledge: Arc<Mutex<NodeKnowledge>>,
}

#[derive(Debug)]
struct NodeKnowledge {
    /// The appends of the owner; `None`: the node is a standby.
    owned: Option<Arc<OwnerMeter>>,
    end: LogEnd,
    lag: Lag,
    installation: Option<u64>,
    trouble: Option<WaitReason>,
}

/// The lag of a standby, as far as it knows it.
#[derive(Debug, Default)]
struct Lag {
    /// The newest entry that the log is known to have, and when that was found out.
    newest: Option<(Newest, Instant)>,
    /// The time of the newest entry that the node has, by the clock of its maker.
    applied: Option<UnixMillis>,
    /// The moment at which the node had everything that the log had.
    current: Option<Instant>,
}

impl Lag {
    /// The number of entries behind this position that the node lacks; `None`: it is not known.
    fn entries(&self, position: u64) -> Option<u64> {
        let newest = self.newest.map(|(newest, _)| newest.position.0);
        match self.current {
            Some(_) => Some(newest.unwrap_or_default().saturating_sub(position)),
            None => newest.map(|newest| newest.saturating_sub(position)),
        }
    }

    /// The node may lack what was stored in this time; `None`: that is not known. Times of entries are compared with each other
    /// only: clocks of nodes may differ.
    fn time(&self) -> Option<Duration> {
        let by_entries = self
            .newest
            .zip(self.applied)
            .map(|((newest, at), applied)| {
                let between = newest.time.since(applied);
                between.saturating_add(at.elapsed())
            });
        let since_current = self.current.map(|at| at.elapsed());
        by_entries.into_iter().chain(since_current).min()
    }
}

/// A node at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStatus {
    /// The name of the node.
    pub node: String,
    /// Its part in the log.
    pub role: Role,
    /// The owner of the log, as far as this node knows.
    pub owner: Option<Claimant>,
    /// The number of claims.
    pub epoch: u64,
    /// The newest entry that this node has.
    pub position: u64,
    /// The number of entries that it lacks; `None`: it is not known yet.
    pub behind: Option<u64>,
    /// It may lack what was stored in this time; `None`: that is not known yet.
    pub behind_for: Option<Duration>,
    /// The number of the installation that it is of; `None`: that is not known yet.
    pub installation: Option<u64>,
    /// True when PostgreSQL waits for a standby; `None`: the log is elsewhere, or that is not known yet.
    pub is_replicated: Option<bool>,
    /// True when it may answer requests.
    pub answers: bool,
    /// The number of entries that it has stored, and the duration of these appends in all.
    pub appends: (u64, Duration),
    /// The number of appends whose outcome was unknown at first.
    pub unknown: u64,
    /// The reason for which it does not go on; it tries again.
    pub trouble: Option<WaitReason>,
}

impl NodeState {
    /// A node that follows, and knows nothing of the log yet.
    #[must_use]
    pub fn new(name: &str, lease: Lease, waiting: LogWaiting) -> Self {
        Self {
            name: name.into(),
            lease,
            waiting,
            standing: LogStanding::default(),
            knowledge: Arc::new(Mutex::new(NodeKnowledge {
                owned: None,
                end: LogEnd::default(),
                lag: Lag::default(),
                installation: None,
                trouble: None,
            })),
        }
    }

    /// Returns whether the node owns the log and may answer.
    pub fn answers(&self) -> bool {
        self.lease.holds()
    }

    /// The state of the engine behind the log, as its handles find it out.
    pub fn standing(&self) -> &LogStanding {
        &self.standing
    }

    /// The lease of the owner.
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    fn change(&self, change: impl FnOnce(&mut NodeKnowledge)) {
        change(
            &mut self
                .knowledge
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// Notes the number of the installation that it is of.
    pub fn is_of(&self, installation: u64) {
        self.change(|knowledge| knowledge.installation = Some(installation));
    }

    /// It follows, and has the log up to here; whether that is all.
    pub fn follows(&self, standby: &Standby, is_current: bool) {
        self.change(|knowledge| {
            knowledge.owned = None;
            knowledge.end = standby.end().clone();
            knowledge.trouble = None;
            knowledge.lag.applied = standby.time();
            if is_current {
                knowledge.lag.current = Some(Instant::now());
                knowledge.lag.newest = None;
            }
        });
    }

    /// The newest entry of the log, or that nothing is behind what the node has.
    pub fn log_ends(&self, newest: Option<Newest>) {
        self.change(|knowledge| match newest {
            Some(newest) => knowledge.lag.newest = Some((newest, Instant::now())),
            None => knowledge.lag.current = Some(Instant::now()),
        });
    }

    /// It owns the log from here on.
    pub fn owns(&self, end: &LogEnd, meter: Arc<OwnerMeter>) {
        self.change(|knowledge| {
            knowledge.end = end.clone();
            knowledge.owned = Some(meter);
            knowledge.trouble = None;
        });
    }

    /// It does not go on now.
    pub fn fails(&self, trouble: WaitReason) {
        self.change(|knowledge| knowledge.trouble = Some(trouble));
    }

    /// Up to where the log may be trimmed when the archive has records up to `archived`, and entries are kept for so long.
    /// `None`: nothing may go, or this node does not own the log.
    pub fn trimmable(&self, archived: u64, keep: Duration) -> Option<Position> {
        let knowledge = self
            .knowledge
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let owned = knowledge.owned.as_ref().filter(|_| self.answers())?;
        owned.position_before(Seq(archived), keep)
    }

    /// The position of the claim of this node when the archive has all records from before it. `None`: it lacks some, or this node
    /// does not own the log.
    pub fn claim(&self, archived: u64) -> Option<Position> {
        let knowledge = self
            .knowledge
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let owned = knowledge.owned.as_ref().filter(|_| self.answers())?;
        owned.claim(Seq(archived))
    }

    /// The node at this moment.
    pub fn status(&self) -> NodeStatus {
        let knowledge = self
            .knowledge
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (role, position, appends) = match &knowledge.owned {
            Some(owned) => (Role::Owner, owned.position(), owned.appends()),
            None => (Role::Standby, knowledge.end.position.0, (0, Duration::ZERO)),
        };
        let (behind, behind_for) = match role {
            Role::Owner => (Some(0), Some(Duration::ZERO)),
            // What the log has by now is not known while it does not answer.
            Role::Standby if knowledge.trouble.is_some() => (None, knowledge.lag.time()),
            Role::Standby => (knowledge.lag.entries(position), knowledge.lag.time()),
        };
        NodeStatus {
            node: self.name.to_string(),
            role,
            owner: knowledge.end.owner.clone(),
            epoch: knowledge.end.epoch,
            position,
            behind,
            behind_for,
            installation: knowledge.installation,
            is_replicated: self.standing.is_replicated(),
            answers: self.answers(),
            appends,
            unknown: self.waiting.unknown(),
            trouble: knowledge.trouble.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn newest(position: u64, time: u64) -> Option<(Newest, Instant)> {
        let position = Position(position);
        let time = UnixMillis::new(time);
        Some((Newest { position, time }, Instant::now()))
    }

    #[test]
    fn a_lag_that_is_not_known_is_absent() {
        let lag = Lag::default();
        assert_eq!((lag.entries(7), lag.time()), (None, None));
    }

    /// The clock of the owner may be days away from that of this node.
    #[test]
    fn a_lag_is_between_the_newest_entry_and_the_last_applied_one() {
        let lag = Lag {
            newest: newest(936, 500_000),
            applied: Some(UnixMillis::new(450_000)),
            current: None,
        };
        assert_eq!(lag.entries(9), Some(927));
        let time = lag.time().unwrap();
        assert!((50 * SECOND..52 * SECOND).contains(&time), "{time:?}");
        // Nothing was applied since the start: how much time is missing is not known.
        let lag = Lag {
            newest: newest(936, 500_000),
            ..Lag::default()
        };
        assert_eq!((lag.entries(9), lag.time()), (Some(927), None));
    }

    #[test]
    fn a_node_that_was_current_lacks_at_most_what_came_since() {
        let lag = Lag {
            newest: newest(12, 500_000),
            applied: Some(UnixMillis::new(400_000)),
            current: Some(Instant::now()),
        };
        assert!(lag.time().unwrap() < SECOND);
        assert_eq!(lag.entries(10), Some(2));
    }
}
