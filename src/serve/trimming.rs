//! Removes from the shared log what the archive has: a thread beside the owner.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use switchboard_replication::archive::Archiver;
use switchboard_replication::node::NodeState;
use switchboard_replication::shared_log::SharedLog;

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
            log: None,
        };
        let (stop, stopped) = mpsc::channel();
        let pause = (settings.shared_log.keep / 10).clamp(PAUSES.0, PAUSES.1);
        thread::Builder::new()
            .name("trim-log".to_owned())
            .spawn(move || {
                while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    work.round();
                }
            })
            .context("cannot start the thread that trims the shared log")?;
        Ok(Some(Self { _stop: stop }))
    }
}

struct Work {
    settings: Settings,
    node: Node,
    state: NodeState,
    archiver: Archiver,
    /// It remembers what it has met.
    log: Option<Box<dyn SharedLog>>,
}

impl Work {
    fn round(&mut self) {
        let archived = self.archiver.status().last;
        let keep = self.settings.shared_log.keep;
        let Some(upto) = self.state.trimmable(archived, keep) else {
            return;
        };
        let log = match self.log.take() {
            Some(log) => Ok(log),
            None => shared_log::open(&self.settings, &self.node, self.state.standing())
                .map_err(|it| it.to_string()),
        };
        let trimmed = log.and_then(|mut log| {
            log.trim(upto).map_err(|error| error.to_string())?;
            self.log = Some(log);
            Ok(())
        });
        // The next round tries again.
        if let Err(reason) = trimmed {
            tracing::warn!(reason, "the shared log keeps entries that the archive has");
        }
    }
}
