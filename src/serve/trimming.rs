//! Removes from the shared log what the archive has: a thread beside the owner.
//!
//! Entries stay for a time, so that a node that was away can go on. After an erasure they may hold what was erased. An erasure ends a round
//! of the owner, and the next round begins with a claim, so these are the entries before the claim. They go as soon as the archive has
//! followed the erasure and every node has passed the claim. Each round of an owner with erasures begins like that: a kill costs nothing.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::erasure::list;
use switchboard_replication::archive::Archiver;
use switchboard_replication::node::NodeState;
use switchboard_replication::position::Position;
use switchboard_replication::shared_log::{LogError, SharedLog, have_passed};

use crate::config::Settings;
use crate::config::shared_log::Node;
use crate::shared_log;

/// The shortest and the longest pause between two rounds.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// The thread; it ends soon after this is dropped. What it still removes then, the archive has.
pub(super) struct Trimming {
    _stop: Sender<()>,
}

impl Trimming {
    /// Starts it, if there is both a log and an archive: without an archive, a new node needs all of the log.
    pub(super) fn start(
        settings: &Settings,
        state: Option<&NodeState>,
        archiver: Option<&Archiver>,
    ) -> Result<Option<Self>> {
        let node = settings.shared_log.node.as_ref();
        let Some(((node, state), archiver)) = node.zip(state).zip(archiver) else {
            return Ok(None);
        };
        let mut work = Work {
            settings: settings.clone(),
            node: node.clone(),
            state: state.clone(),
            archiver: archiver.clone(),
            holds_erased: has_erasures(settings)?,
            log: None,
        };
        let (stop, stopped) = mpsc::channel();
        thread::Builder::new()
            .name("trim-log".to_owned())
            .spawn(move || {
                while stopped.recv_timeout(work.pause()) == Err(RecvTimeoutError::Timeout) {
                    work.round();
                }
            })
            .context("cannot start the thread that trims the shared log")?;
        Ok(Some(Self { _stop: stop }))
    }
}

/// Returns whether anything was ever erased from the journal of this data directory.
fn has_erasures(settings: &Settings) -> Result<bool> {
    let disk = FileDisk::open(&settings.store.path);
    let lists = disk.and_then(|disk| list::all(&disk));
    let erasures = lists.context("cannot read the lists of erasures")?;
    Ok(!erasures.is_empty())
}

struct Work {
    settings: Settings,
    node: Node,
    state: NodeState,
    archiver: Archiver,
    /// A flag: entries before the claim may hold what was erased.
    holds_erased: bool,
    /// It remembers what it has met.
    log: Option<Box<dyn SharedLog>>,
}

impl Work {
    fn pause(&self) -> Duration {
        let (shortest, longest) = PAUSES;
        match self.holds_erased {
            true => shortest,
            false => (self.settings.shared_log.keep / 10).clamp(shortest, longest),
        }
    }

    fn round(&mut self) {
        let archived = self.archiver.status().last;
        let keep = self.settings.shared_log.keep;
        let old = self.state.trimmable(archived, keep);
        let claim = self.state.claim(archived).filter(|_| self.holds_erased);
        if old.is_none() && claim.is_none() {
            return;
        }
        let log = match self.log.take() {
            Some(log) => Ok(log),
            None => shared_log::open(&self.settings, &self.node, self.state.standing())
                .map_err(|it| it.to_string()),
        };
        let trimmed = log.and_then(|mut log| {
            self.trim(&mut *log, old, claim)
                .map_err(|error| error.to_string())?;
            self.log = Some(log);
            Ok(())
        });
        // The next round tries again.
        if let Err(reason) = trimmed {
            tracing::warn!(reason, "the shared log keeps entries that the archive has");
        }
    }

    /// Removes the entries up to `old`, and those before the claim once every node has passed it.
    fn trim(
        &mut self,
        log: &mut dyn SharedLog,
        old: Option<Position>,
        claim: Option<Position>,
    ) -> Result<(), LogError> {
        let erased_upto = match claim {
            Some(claim) if have_passed(log, &self.node.name, claim)? => Some(claim.previous()),
            Some(_) | None => None,
        };
        let Some(upto) = old.max(erased_upto) else {
            return Ok(());
        };
        log.trim(upto)?;
        if claim.is_some_and(|claim| upto >= claim.previous()) {
            self.holds_erased = false;
            tracing::info!("the shared log has no entry from before the last erasure");
        }
        Ok(())
    }
}
