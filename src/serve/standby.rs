//! A node of a shared log waits for its turn: it follows the log, says so over HTTP, and claims the log when its owner releases
//! it or is silent for too long.

mod follow;
mod following;

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use switchboard_connections::kept::KeptConnections;
use switchboard_connections::server::Server;
use switchboard_engine::runtime::entropy::{Entropy as _, Generator};
use switchboard_http::standby;
use switchboard_replication::entry::Claimant;
use switchboard_replication::node::{LogWaiting, NodeState};
use switchboard_replication::shared_log::Owner;
use switchboard_replication::shared_log::lease::{Lease, since_boot};
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use self::follow::{Ended, Follow};
use crate::config::Settings;
use crate::config::shared_log::Node;
use crate::serve::announce;
use crate::serve::handlers::origin;
use crate::serve::options::ServeOptions;
use crate::serve::run::Run;
use crate::serve::shown;
use crate::serve::signals::Signals;
use crate::serve::supervisor::{self, Watchdog};

/// The part of the time for which the owner may be silent that its lease lasts: the clocks of two machines may differ a
/// little.
const LEASE: f64 = 0.6;

/// The time for which a read of the log waits for the next entry.
const PATIENCE: Duration = Duration::from_millis(250);
/// The pause after a failure.
const PAUSE: Duration = Duration::from_millis(500);
/// After so many new records the index is brought up to the journal: a takeover then has little to read.
const CATCH_UP_RECORDS: u64 = 50_000;
/// The same after this time, if there is anything new.
const CATCH_UP_AFTER: Duration = Duration::from_secs(600);
/// A node with so many new records brings its index up before it claims the log.
const CLAIM_RECORDS: u64 = 10_000;

/// After this time a node that does not own the log answers as a standby.
const MOMENT: Duration = Duration::from_secs(1);

/// This process as a node of a shared log.
pub(super) struct SharedNode {
    settings: Settings,
    node: Node,
    claimant: Claimant,
    state: NodeState,
    waiting: LogWaiting,
    /// The store of the log was tried.
    is_admitted: Arc<AtomicBool>,
    /// The wait for the log ends some time after a signal.
    is_timed: AtomicBool,
}

impl SharedNode {
    /// The node that the settings name, if they name one.
    ///
    /// # Errors
    /// When nothing is stored.
    pub(super) fn from_settings(
        settings: &Settings,
        options: &ServeOptions,
        listener: &TcpListener,
    ) -> Result<Option<Self>> {
        let Some(node) = &settings.shared_log.node else {
            return Ok(None);
        };
        if options.ephemeral {
            bail!(
                "an ephemeral service cannot be a node of a shared log: remove --ephemeral, or the setting shared_log.to"
            );
        }
        let port = listener
            .local_addr()
            .context("cannot read the listening address")?
            .port();
        let url = node
            .url
            .clone()
            .or_else(|| settings.server.public_url_at(port));
        let random = Generator::from_system().context("cannot read random bytes")?;
        let claimant = Claimant {
            node: node.name.clone(),
            url: url.as_ref().map(origin).unwrap_or_default(),
            process: hex::encode(random.bytes()),
        };
        let length = settings.shared_log.takeover_after.mul_f64(LEASE);
        let lease = Lease::new(length, Arc::new(since_boot));
        let waiting = LogWaiting::default();
        Ok(Some(Self {
            state: NodeState::new(&node.name, lease, waiting.clone()),
            settings: settings.clone(),
            node: node.clone(),
            claimant,
            waiting,
            is_admitted: Arc::default(),
            is_timed: AtomicBool::new(false),
        }))
    }

    /// The state of the node, and its view of the log.
    pub(super) fn state(&self) -> &NodeState {
        &self.state
    }

    /// Says that the node is a standby: to people, to the supervisor, and to clients.
    async fn answer(
        &self,
        listener: &TcpListener,
        kept: &KeptConnections,
    ) -> Result<(Server, Watchdog)> {
        announce::stands_by(&self.node.name, &self.node.to.to_string());
        let socket = listener
            .try_clone()
            .context("cannot use the listening socket")?;
        let server = standby::start(socket, shown::node(self.state.clone()), kept.clone())
            .await
            .context("cannot start the HTTP server of the standby")?;
        Ok((server, supervisor::stands_by()))
    }

    /// Waits until this node owns the log; `None`: a signal came before.
    ///
    /// # Errors
    /// When it can never own the log.
    pub(super) async fn stand_by(
        &self,
        run: &Run<'_>,
        listener: TcpListener,
    ) -> Result<Option<Owner>> {
        let signals = run.signals()?;
        if !self.is_timed.swap(true, Ordering::AcqRel) {
            let server = &self.settings.server;
            let patience = server.drain + self.settings.dispatch.timeout + MOMENT;
            end_after(signals.clone(), self.waiting.clone(), patience)?;
        }
        let follow = Follow {
            settings: self.settings.clone(),
            node: self.node.clone(),
            claimant: self.claimant.clone(),
            state: self.state.clone(),
            waiting: self.waiting.clone(),
            is_admitted: Arc::clone(&self.is_admitted),
        };
        let (ended, mut end) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("standby".to_owned())
            .spawn(move || ended.send(follow.run()).unwrap_or_default())
            .context("cannot start the thread of the standby")?;
        let mut answers = None;
        let outcome = loop {
            tokio::select! {
                outcome = &mut end => break outcome,
                () = signals.signalled() => {
                    announce::stands_by_no_more();
                    self.waiting.end();
                    break end.await;
                }
                // Clients of a node that owns the log in a moment wait for that.
                () = tokio::time::sleep(MOMENT), if answers.is_none() => {
                    answers = Some(self.answer(&listener, &run.process.kept).await?);
                }
            }
        };
        // What it holds of the data directory is gone before anything else opens it.
        let end_of_thread = tokio::task::spawn_blocking(move || thread.join()).await;
        let is_owner = matches!(outcome, Ok(Ok(Ended::Owns(_))));
        if let Some((server, watchdog)) = answers {
            watchdog.stop();
            server.stop(true, is_owner).await;
        }
        match (outcome, end_of_thread) {
            (Ok(Ok(Ended::Owns(owner))), Ok(Ok(()))) => Ok(Some(*owner)),
            (Ok(Ok(Ended::Stopped)), Ok(Ok(()))) => Ok(None),
            (Ok(Err(error)), Ok(Ok(()))) => Err(error),
            _ => bail!("the thread of the standby has panicked"),
        }
    }
}

/// Gives a log that does not answer so long once a signal asks the process to stop: it has to know what becomes of its last entry.
fn end_after(signals: Signals, waiting: LogWaiting, patience: Duration) -> Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .build()
        .context("cannot start a runtime for a timer")?;
    thread::Builder::new()
        .name("end-of-log".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                signals.signalled().await;
                tokio::time::sleep(patience).await;
            });
            waiting.end();
        })
        .context("cannot start a thread for a timer")?;
    Ok(())
}
