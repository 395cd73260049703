//! What a node knows of itself and of the log, for `/readyz`, the metrics and people.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use switchboard_engine::store::Seq;
use switchboard_engine::store::shared_log::lease::Lease;
use switchboard_engine::store::shared_log::{Claimant, End, OwnerMeter, Place};

use crate::shared_log::waiting::LogWaiting;

/// What a node does for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It answers requests.
    Owner,
    /// It follows, and answers none.
    Standby,
}

impl Role {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Standby => "standby",
        }
    }
}

/// A node of a shared log. Clones are the same node.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    name: Arc<str>,
    lease: Lease,
    waiting: LogWaiting,
    known: Arc<Mutex<Known>>,
}

#[derive(Debug)]
struct Known {
    /// What the owner has stored; `None`: the node is a standby.
    owned: Option<Arc<OwnerMeter>>,
    end: End,
    /// The newest place that the log is known to have.
    newest: u64,
    /// When the node had everything that the log had.
    current: Instant,
    trouble: Option<String>,
}

/// A node at one moment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NodeStatus {
    pub(crate) node: String,
    pub(crate) role: Role,
    /// Who owns the log, as far as this node knows.
    pub(crate) owner: Option<Claimant>,
    pub(crate) epoch: u64,
    /// The newest entry that this node has.
    pub(crate) place: u64,
    /// How many entries it lacks, as far as it knows.
    pub(crate) behind: u64,
    /// For how long it may lack some.
    pub(crate) behind_for: Duration,
    /// Whether it may answer requests.
    pub(crate) answers: bool,
    /// How many entries it has stored, and how long these appends took in all.
    pub(crate) appends: (u64, Duration),
    /// How many outcomes of appends were unknown at first.
    pub(crate) unknown: u64,
    /// Why it does not go on; it tries again.
    pub(crate) trouble: Option<String>,
}

impl NodeState {
    pub(crate) fn new(name: &str, lease: Lease, waiting: LogWaiting) -> Self {
        Self {
            name: name.into(),
            lease,
            waiting,
            known: Arc::new(Mutex::new(Known {
                owned: None,
                end: End::beginning(),
                newest: 0,
                current: Instant::now(),
                trouble: None,
            })),
        }
    }

    /// Whether the node owns the log and may answer.
    pub(crate) fn answers(&self) -> bool {
        self.lease.holds()
    }

    /// The lease of the owner.
    pub(crate) fn lease(&self) -> &Lease {
        &self.lease
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// It follows, and has the log up to here.
    pub(crate) fn follows(&self, end: &End, is_current: bool) {
        self.change(|known| {
            known.owned = None;
            known.newest = known.newest.max(end.place.0);
            known.end = end.clone();
            known.trouble = None;
            if is_current {
                known.current = Instant::now();
                known.newest = end.place.0;
            }
        });
    }

    /// The log has entries up to this place.
    pub(crate) fn log_ends(&self, newest: u64) {
        self.change(|known| known.newest = known.newest.max(newest));
    }

    /// It owns the log from here on.
    pub(crate) fn owns(&self, end: &End, meter: Arc<OwnerMeter>) {
        self.change(|known| {
            known.end = end.clone();
            known.owned = Some(meter);
            known.trouble = None;
        });
    }

    /// It does not go on now.
    pub(crate) fn fails(&self, trouble: String) {
        self.change(|known| known.trouble = Some(trouble));
    }

    /// Up to where the log may be trimmed when the archive has records up to `archived`, and entries are kept for so long.
    /// `None`: nothing may go, or this node does not own the log.
    pub(crate) fn trimmable(&self, archived: u64, keep: Duration) -> Option<Place> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let owned = known.owned.as_ref().filter(|_| self.answers())?;
        owned.place_before(Seq(archived), keep)
    }

    /// The node at this moment.
    pub(crate) fn status(&self) -> NodeStatus {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (role, place, appends) = match &known.owned {
            Some(owned) => (Role::Owner, owned.place(), owned.appends()),
            None => (Role::Standby, known.end.place.0, (0, Duration::ZERO)),
        };
        let behind_for = match role {
            Role::Owner => Duration::ZERO,
            Role::Standby => known.current.elapsed(),
        };
        NodeStatus {
            node: self.name.to_string(),
            role,
            owner: known.end.owner.clone(),
            epoch: known.end.epoch,
            place,
            behind: match role {
                Role::Owner => 0,
                Role::Standby => known.newest.saturating_sub(place),
            },
            behind_for,
            answers: self.answers(),
            appends,
            unknown: self.waiting.unknown(),
            trouble: known.trouble.clone(),
        }
    }
}
