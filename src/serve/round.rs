//! The parts that serve in a round of the process, and their end in order.

use std::time::Duration;

use switchboard_http::server::Server;
use switchboard_http::state::AppState;
use switchboard_replication::archive::Archiver;

use crate::serve::aside::Aside;
use crate::serve::dev_tools::DevRound;
use crate::serve::supervisor::Watchdog;
use crate::serve::trimming::Trimming;

/// The parts that serve until a round ends.
pub(super) struct Round {
    pub(super) state: AppState,
    pub(super) server: Server,
    pub(super) dev: Option<Box<dyn DevRound>>,
    pub(super) aside: Aside,
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

    /// Gives requests in progress this long, and ends everything but the archive and the actors. If another round follows, the
    /// process keeps the connections.
    pub(super) async fn end(mut self, drain: Duration, another_follows: bool) {
        // Actors live on the workers, and requests in progress must not lose their actors. So nothing new is let in, and the
        // workers end once all requests have.
        self.server.pause().await;
        let is_idle = idle(&self.state, self.dev, drain).await;
        self.server.stop(is_idle, another_follows).await;
        drop(self.trimming);
        self.aside.stop();
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
