//! The thread that follows the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use switchboard_actors::System;
use switchboard_actors::system::standby::StandbyError;
use switchboard_engine::runtime::clock::SystemClock;
use switchboard_engine::store::shared_log::{
    ClaimError, Claimant, Owner, OwnerError, SharedLog, Standby, StandbyConfig,
};

use crate::archive::IDENTITY;
use crate::config::Settings;
use crate::config::shared_log::Node;
use crate::serve::erasing;
use crate::serve::settings::system;
use crate::shared_log::{self, LogProblem, LogWaiting, NodeState};

/// How long a read of the log waits for the next entry.
const PATIENCE: Duration = Duration::from_millis(250);
/// The pause after a failure.
const PAUSE: Duration = Duration::from_millis(500);
/// After so many new records the index is brought up to the journal: a takeover then has little to read.
const CATCH_UP_RECORDS: u64 = 50_000;
/// The same after this time, if there is anything new.
const CATCH_UP_AFTER: Duration = Duration::from_secs(600);
/// A node with so many new records brings its index up before it claims the log.
const CLAIM_RECORDS: u64 = 10_000;
/// How often a node that lacks entries asks how many.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// How the thread ended.
pub(super) enum Ended {
    /// This node owns the log.
    Owns(Box<Owner>),
    /// The process ends.
    Stopped,
}

/// What the thread has.
pub(super) struct Follow {
    pub(super) settings: Settings,
    pub(super) node: Node,
    pub(super) claimant: Claimant,
    pub(super) state: NodeState,
    pub(super) waiting: LogWaiting,
    /// Whether the store of the log was tried; once for a process.
    pub(super) is_admitted: Arc<AtomicBool>,
}

/// A standby with its handle of the log.
struct Following {
    standby: Standby,
    log: Box<dyn SharedLog>,
    /// The last record at the last catch-up, and when that was.
    caught_up: (u64, Instant),
    /// When the log was asked last how many entries it has.
    asked: Instant,
}

impl Following {
    /// How many records are new since the last catch-up.
    fn new_records(&self) -> u64 {
        self.standby.end().last.0.saturating_sub(self.caught_up.0)
    }

    /// Asks the log now and then how many entries it has, while the node lacks some.
    fn ask_for_the_end(&mut self, state: &NodeState, count: usize) {
        if count > 0
            && self.asked.elapsed() >= ASK_EVERY
            && let Ok(Some(extent)) = self.log.extent()
        {
            self.asked = Instant::now();
            state.log_ends(extent.newest.0);
        }
    }
}

impl Follow {
    /// Follows until this node owns the log or the process ends.
    ///
    /// # Errors
    /// When it can never own the log.
    pub(super) fn run(&self) -> Result<Ended> {
        let mut following = None;
        while !self.waiting.is_ending() {
            let opened = match following.take() {
                Some(opened) => Some(opened),
                None => self.open()?,
            };
            let Some(mut opened) = opened else {
                self.waiting.pause(PAUSE);
                continue;
            };
            match opened.standby.follow(opened.log.as_mut(), PATIENCE) {
                Ok(count) => {
                    self.state.follows(opened.standby.end(), count == 0);
                    opened.ask_for_the_end(&self.state, count);
                    if count == 0 && opened.standby.may_claim() {
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
                Err(error) if error.passes() => self.fails(&error.to_string()),
                Err(error) => return Err(error).context("this node cannot follow the shared log"),
            }
            following = self.catch_up(opened)?;
        }
        Ok(Ended::Stopped)
    }

    /// The log does not answer; the node waits and tries again.
    fn fails(&self, trouble: &str) {
        if self.state.status().trouble.as_deref() != Some(trouble) {
            tracing::warn!("{trouble}; this node tries again");
        }
        self.state.fails(trouble.to_owned());
        self.waiting.pause(PAUSE);
    }

    /// Opens the log and the journal; `None`: the log does not answer now.
    fn open(&self) -> Result<Option<Following>> {
        let directory = &self.settings.store.path;
        let mut log = match shared_log::open(&self.settings, &self.node) {
            Ok(log) => log,
            Err(problem) => return self.passes(problem),
        };
        let config = StandbyConfig {
            claimant: self.claimant.clone(),
            takeover_after: self.settings.shared_log.takeover_after,
            segment_bytes: u32::try_from(self.settings.store.segment_bytes).unwrap_or(u32::MAX),
        };
        if let Err(problem) = shared_log::prepare(&self.settings, &self.node) {
            return self.passes(problem);
        }
        let lease = self.state.lease().clone();
        let secret = match self.archived_secret(log.as_mut()) {
            Ok(secret) => secret,
            Err(NotBegun::Problem(problem)) => return self.passes(problem),
            Err(NotBegun::Refused(error)) => return Err(error),
        };
        let standby = match System::stand_by(directory, log.as_mut(), secret, config, lease) {
            Ok(standby) => standby,
            Err(StandbyError::Follow(error)) if error.passes() => {
                self.fails(&error.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error).context("this node cannot follow the shared log"),
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
        let caught_up = (standby.end().last.0, Instant::now());
        Ok(Some(Following {
            standby,
            log,
            caught_up,
            asked: Instant::now(),
        }))
    }

    /// The secret of the archive's installation, for a data directory that is empty. One that is not needs no archive.
    fn archived_secret(&self, log: &mut dyn SharedLog) -> Result<Option<[u8; 16]>, NotBegun> {
        let directory = &self.settings.store.path;
        if directory.join(IDENTITY).exists() {
            return Ok(None);
        }
        let Some(archived) = shared_log::archived(&self.settings)? else {
            return Ok(None);
        };
        let extent = log
            .extent()
            .map_err(|error| LogProblem::Unreachable(error.to_string()))?;
        if archived.has_records && extent.is_none() {
            return Err(NotBegun::Refused(anyhow!(
                "the data directory {} and the shared log are empty, and the archive has records: start the node that has them first, or \
                 restore them (switchboard restore --to DIR) and start this node with that directory",
                directory.display()
            )));
        }
        Ok(Some(archived.secret))
    }

    /// A problem that may pass is noted; the others end the node.
    fn passes<T>(&self, problem: LogProblem) -> Result<Option<T>> {
        match problem {
            LogProblem::Unreachable(trouble) => {
                self.fails(&trouble);
                Ok(None)
            }
            LogProblem::Unfit { .. } => Err(problem.into()),
        }
    }

    /// Claims the log, whose owner is silent or gone.
    fn claim(&self, mut opened: Following) -> Result<Claimed> {
        let mut waiting = self.waiting.clone();
        let claimed = opened
            .standby
            .claim(opened.log.as_mut(), &mut waiting, &SystemClock);
        let claimed = match claimed {
            Ok(claimed) => claimed,
            Err(error) => return self.not_claimed(error, opened),
        };
        let log = match shared_log::open(&self.settings, &self.node) {
            Ok(log) => log,
            Err(problem) => return Ok(self.passes(problem)?.unwrap_or(Claimed::Follows(None))),
        };
        let clock = Arc::new(SystemClock);
        let owned = opened.standby.own(claimed, log, Box::new(waiting), clock);
        match owned {
            Ok(owner) => {
                self.state.owns(owner.end(), owner.meter());
                tracing::info!(
                    node = self.claimant.node,
                    epoch = owner.end().epoch,
                    place = owner.end().place.0,
                    records = owner.end().last.0,
                    "this node owns the shared log"
                );
                Ok(Claimed::Owns(Box::new(owner)))
            }
            Err(error @ ClaimError::Owner(OwnerError::Refused(_))) => {
                Err(error).context("the shared log does not take the records that it lacks")
            }
            Err(error) => {
                self.fails(&error.to_string());
                Ok(Claimed::Follows(None))
            }
        }
    }

    fn not_claimed(&self, error: ClaimError, opened: Following) -> Result<Claimed> {
        match error {
            ClaimError::Taken { by } => {
                tracing::info!("another node owns the shared log: {by}");
                Ok(Claimed::Follows(Some(Box::new(opened))))
            }
            ClaimError::Follow(error) if !error.passes() => {
                Err(error).context("this node cannot follow the shared log")
            }
            ClaimError::Follow(_) | ClaimError::Owner(_) => {
                self.fails(&error.to_string());
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
        let seen = standby.seen();
        standby.sync().context("cannot write the journal")?;
        drop(standby);
        let directory = &self.settings.store.path;
        let erases = System::catch_up(directory, &system(&self.settings))
            .context("the index of this node cannot be brought up to its journal")?;
        if erases {
            erasing::on_standby(directory)?;
        }
        let opened = self.open()?;
        Ok(opened.map(|opened| Following {
            standby: opened.standby.seen_at(seen),
            ..opened
        }))
    }
}

/// Why a node does not begin with an empty data directory.
enum NotBegun {
    /// The archive or the log.
    Problem(LogProblem),
    /// It must not.
    Refused(anyhow::Error),
}

impl From<LogProblem> for NotBegun {
    fn from(problem: LogProblem) -> Self {
        Self::Problem(problem)
    }
}

/// What became of a claim.
enum Claimed {
    Owns(Box<Owner>),
    /// `None`: everything is opened again.
    Follows(Option<Box<Following>>),
}
