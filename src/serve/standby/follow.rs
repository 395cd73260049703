//! The thread that follows the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use switchboard_actors::System;
use switchboard_actors::domain::derive::IdSpace;
use switchboard_engine::runtime::clock::{Clock, SystemClock};
use switchboard_engine::runtime::entropy::{Entropy as _, Generator};
use switchboard_engine::store::log_owner::OwnerError;
use switchboard_replication::entry::Claimant;
use switchboard_replication::node::{LogWaiting, NodeState, WaitReason};
use switchboard_replication::shared_log::{
    Beginning, FollowError, Owner, Standby, StandbyConfig, TakeoverError, beginning,
};
use switchboard_replication::store::IDENTITY;

use super::following::Following;
use super::{CATCH_UP_AFTER, CATCH_UP_RECORDS, CLAIM_RECORDS, PATIENCE, PAUSE};
use crate::config::Settings;
use crate::config::shared_log::Node;
use crate::serve::erasing;
use crate::serve::settings::system;
use crate::shared_log::{self, SharedLogError, followed};

/// The first words of a node that can never own the log.
const NOT_FOLLOWED: &str = "this node cannot follow the shared log";

/// The end of the thread.
pub(super) enum Ended {
    /// This node owns the log.
    Owns(Box<Owner>),
    /// The process ends.
    Stopped,
}

/// The state of the thread.
pub(super) struct Follow {
    pub(super) settings: Settings,
    pub(super) node: Node,
    pub(super) claimant: Claimant,
    pub(super) state: NodeState,
    pub(super) waiting: LogWaiting,
    /// The store of the log was tried; once for a process.
    pub(super) is_admitted: Arc<AtomicBool>,
}

impl Follow {
    /// Follows until this node owns the log or the process ends.
    ///
    /// # Errors
    /// When it can never own the log.
    pub(super) fn run(&self) -> Result<Ended> {
        let mut following = None;
        while !self.waiting.is_ending() {
            let current = match following.take() {
                Some(current) => Some(current),
                None => self.open()?,
            };
            let Some(mut opened) = current else {
                self.waiting.pause(PAUSE);
                continue;
            };
            match opened.standby.follow(opened.log.as_mut(), PATIENCE) {
                Ok(count) => {
                    self.state.follows(&opened.standby, count == 0);
                    if count > 0 {
                        opened.ask_for_the_end(&self.state);
                    }
                    opened.report(&self.claimant);
                    if count == 0 && opened.standby.may_take_over() {
                        // An owner that has much to read before it writes would be silent for long.
                        if opened.new_records() >= CLAIM_RECORDS {
                            following = self.bring_up(opened)?;
                            continue;
                        }
                        match self.claim(opened)? {
                            Claimed::Owns(owner) => return Ok(Ended::Owns(owner)),
                            Claimed::Follows(opened) => following = opened.map(|it| *it),
                        }
                        continue;
                    }
                }
                Err(error) if error.passes() => self.fails(WaitReason::from(&error)),
                Err(error) => return Err(error).context(NOT_FOLLOWED),
            }
            following = self.catch_up(opened)?;
        }
        Ok(Ended::Stopped)
    }

    /// The log does not answer, or has not begun; the node waits and tries again.
    fn fails(&self, trouble: WaitReason) {
        if self.state.status().trouble.as_ref() != Some(&trouble) {
            tracing::warn!("{trouble}; this node waits as a standby and tries again");
        }
        self.state.fails(trouble);
        self.waiting.pause(PAUSE);
    }

    /// Opens the log and the journal; `None`: the log does not answer now.
    fn open(&self) -> Result<Option<Following>> {
        let directory = &self.settings.store.path;
        let standing = self.state.standing();
        let mut log = match shared_log::open(&self.settings, &self.node, standing) {
            Ok(log) => log,
            Err(problem) => return self.passes(problem),
        };
        if let Err(problem) = shared_log::check(&self.settings, &self.node) {
            return self.passes(problem);
        }
        let beginning = match beginning(log.as_mut()) {
            Ok(beginning) => beginning,
            Err(error) => return self.not_followed(error),
        };
        if let Some(trouble) = self.not_begun(&beginning)? {
            self.fails(trouble);
            return Ok(None);
        }
        let config = StandbyConfig {
            claimant: self.claimant.clone(),
            takeover_after: self.settings.shared_log.takeover_after,
            segment_bytes: u32::try_from(self.settings.store.segment_bytes).unwrap_or(u32::MAX),
        };
        let lease = self.state.lease().clone();
        let secret = match self.archived_secret(&beginning) {
            Ok(secret) => secret,
            Err(EmptyStartError::Problem(problem)) => return self.passes(problem),
            Err(EmptyStartError::Refused(error)) => return Err(error),
        };
        let fresh = match secret {
            Some(secret) => secret,
            None => Generator::from_system().context(NOT_FOLLOWED)?.bytes(),
        };
        let disk = System::open_disk(directory).context(NOT_FOLLOWED)?;
        let standby = match Standby::open(&disk, log.as_mut(), fresh, config, lease) {
            Ok(standby) => standby,
            Err(error) => return self.not_followed(error),
        };
        let path = directory.join(IDENTITY);
        let identity =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if !self.is_admitted.load(Ordering::Acquire) {
            if let Err(problem) = shared_log::admit(&self.settings, &self.node, &identity) {
                return self.passes(problem);
            }
            self.is_admitted.store(true, Ordering::Release);
        }
        let installation = IdSpace::new(standby.secret()).installation();
        self.state.is_of(installation.get());
        let mut following = Following::new(standby, log);
        self.state.follows(&following.standby, false);
        following.ask_for_the_end(&self.state);
        Ok(Some(following))
    }

    /// The reason for which this node does not open the log yet: a log begins by an order, and the one that the order names
    /// begins it.
    fn not_begun(&self, begun: &Beginning) -> Result<Option<WaitReason>> {
        let log = || shared_log::place(&self.settings, &self.node);
        Ok(match begun {
            Beginning::Claimed { .. } => None,
            Beginning::Ordered { node } if *node == self.claimant.node => None,
            Beginning::Ordered { node } => {
                let (node, log) = (node.clone(), log());
                Some(WaitReason::BegunBy { node, log })
            }
            Beginning::Empty => {
                let place = followed(&self.settings.store.path)?;
                Some(place.map_or_else(|| WaitReason::NotBegun { log: log() }, WaitReason::Absent))
            }
        })
    }

    /// Notes what keeps the node from following, if it may pass; else that ends the node.
    fn not_followed<T>(&self, error: FollowError) -> Result<Option<T>> {
        if error.passes() {
            self.fails(WaitReason::from(&error));
            return Ok(None);
        }
        Err(error).context(NOT_FOLLOWED)
    }

    /// The secret of the archive's installation, for a data directory that is empty. One that is not needs no archive.
    fn archived_secret(&self, begun: &Beginning) -> Result<Option<[u8; 16]>, EmptyStartError> {
        let directory = &self.settings.store.path;
        if directory.join(IDENTITY).exists() {
            return Ok(None);
        }
        let Some(archived) = shared_log::archived(&self.settings)? else {
            return Ok(None);
        };
        let is_claimed = matches!(begun, Beginning::Claimed { .. });
        if archived.has_records && !is_claimed {
            return Err(EmptyStartError::Refused(anyhow!(
                "the data directory {} and the shared log are empty, and the archive has records: order the node that has them to begin the \
                 log (switchboard shared-log begin, on that node) and start it, or restore them (switchboard restore --to DIR) and start this \
                 node with that directory",
                directory.display()
            )));
        }
        Ok(Some(archived.secret))
    }

    /// A problem that may pass is noted; the others end the node.
    fn passes<T>(&self, problem: SharedLogError) -> Result<Option<T>> {
        match problem {
            SharedLogError::Unreachable(reason) => {
                self.fails(WaitReason::Unreachable(reason));
                Ok(None)
            }
            SharedLogError::Unfit { .. } => Err(problem.into()),
        }
    }

    /// Claims the log, whose owner is silent or gone.
    fn claim(&self, mut opened: Following) -> Result<Claimed> {
        let mut waiting = self.waiting.clone();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let claim = opened
            .standby
            .take_over(opened.log.as_mut(), &mut waiting, &clock);
        let takeover = match claim {
            Ok(takeover) => takeover,
            Err(error) => return self.not_claimed(error, opened),
        };
        let standing = self.state.standing();
        let log = match shared_log::open(&self.settings, &self.node, standing) {
            Ok(log) => log,
            Err(problem) => return Ok(self.passes(problem)?.unwrap_or(Claimed::Follows(None))),
        };
        let owned = opened.standby.own(takeover, log, Box::new(waiting), clock);
        match owned {
            Ok(owner) => {
                self.state.owns(owner.end(), owner.meter());
                tracing::info!(
                    node = self.claimant.node,
                    epoch = owner.end().epoch,
                    place = owner.end().position.0,
                    records = owner.end().last.0,
                    "this node owns the shared log"
                );
                Ok(Claimed::Owns(Box::new(owner)))
            }
            Err(error @ TakeoverError::Owner(OwnerError::Refused(_))) => {
                Err(error).context("the shared log does not take the records that it lacks")
            }
            Err(error) => {
                self.fails(WaitReason::Unreachable(error.to_string()));
                Ok(Claimed::Follows(None))
            }
        }
    }

    fn not_claimed(&self, error: TakeoverError, opened: Following) -> Result<Claimed> {
        match error {
            TakeoverError::Taken { by } => {
                tracing::info!("another node owns the shared log: {by}");
                Ok(Claimed::Follows(Some(Box::new(opened))))
            }
            TakeoverError::Follow(error) if !error.passes() => Err(error).context(NOT_FOLLOWED),
            TakeoverError::Follow(error) => {
                self.fails(WaitReason::from(&error));
                Ok(Claimed::Follows(None))
            }
            TakeoverError::Owner(error) => {
                self.fails(WaitReason::Unreachable(error.to_string()));
                Ok(Claimed::Follows(None))
            }
        }
    }

    /// Brings the index up to the journal when that is due and the owner is alive.
    fn catch_up(&self, opened: Following) -> Result<Option<Following>> {
        let (_, at) = opened.caught_up;
        let new = opened.new_records();
        let is_due = new >= CATCH_UP_RECORDS || (new > 0 && at.elapsed() >= CATCH_UP_AFTER);
        let is_calm = opened.standby.silence() < self.settings.shared_log.takeover_after / 4;
        if !is_due || !is_calm {
            return Ok(Some(opened));
        }
        self.bring_up(opened)
    }

    /// Brings the index up to the journal, and goes on.
    fn bring_up(&self, opened: Following) -> Result<Option<Following>> {
        let mut standby = opened.standby;
        let last_report = standby.seen();
        standby.sync().context("cannot write the journal")?;
        drop(standby);
        let directory = &self.settings.store.path;
        let erases = System::catch_up(directory, &system(&self.settings))
            .context("the index of this node cannot be brought up to its journal")?;
        if erases {
            erasing::on_standby(directory)?;
        }
        let following = self.open()?;
        Ok(following.map(|following| following.seen_at(last_report)))
    }
}

/// The reason why a node does not begin with an empty data directory.
enum EmptyStartError {
    /// The archive or the log.
    Problem(SharedLogError),
    /// It must not.
    Refused(anyhow::Error),
}

impl From<SharedLogError> for EmptyStartError {
    fn from(problem: SharedLogError) -> Self {
        Self::Problem(problem)
    }
}

/// The result of a claim.
enum Claimed {
    Owns(Box<Owner>),
    /// `None`: everything is opened again.
    Follows(Option<Box<Following>>),
}
