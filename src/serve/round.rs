//! The parts that serve in a round of the process, and their end in order.

use std::time::Duration;

use switchboard_connections::server::Server;
use switchboard_http::state::AppState;
use switchboard_replication::archive::Archiver;

use crate::serve::background_tasks::BackgroundTasks;
use crate::serve::dev_tools::DevRound;
use crate::serve::supervisor::Watchdog;
use crate::serve::trimming::Trimming;

/// The parts that serve until a round ends.
pub(super) struct Round {
    pub(super) state: AppState,
    pub(super) server: Server,
    pub(super) dev: Option<Box<dyn DevRound>>,
    pub(super) background_tasks: BackgroundTasks,
    pub(super) watchdog: Watchdog,
    pub(super) archiver: Option<Archiver>,
    pub(super) trimming: Option<Trimming>,
}

impl Round {
    /// Ends the worlds, and lets nothing new in.
    pub(super) async fn drain(&mut self) {
        if let Some(dev) = &mut self.dev {
            dev.end_worlds().await;
        }
        self.state.drain();
    }

    /// Takes no more connections, and gives requests in progress this long; whether they ended in that time.
    pub(super) async fn settle(&mut self, drain: Duration) -> bool {
        self.server.pause().await;
        idle(&self.state, self.dev.take(), drain).await
    }

    /// Ends everything but the archive. Actors live on the workers and end with them, so requests must have
    /// [settled](Self::settle): `is_idle`, whether all have. If another round follows, the process keeps the connections.
    pub(super) async fn end(self, is_idle: bool, another_follows: bool) {
        self.server.stop(is_idle, another_follows).await;
        drop(self.trimming);
        self.background_tasks.stop();
        self.watchdog.stop();
    }
}

/// Gives requests in progress this long; whether they ended in that time.
async fn idle(state: &AppState, dev: Option<Box<dyn DevRound>>, drain: Duration) -> bool {
    let stopped = async {
        if let Some(dev) = dev {
            dev.stop(drain).await;
        }
    };
    let (idle, ()) = tokio::join!(tokio::time::timeout(drain, state.idle()), stopped);
    if idle.is_err() {
        tracing::warn!("requests in progress did not end in time and are cut off");
    }
    idle.is_ok()
}
