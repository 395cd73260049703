//! A start that takes a while, because the journal is replayed: the supervisor gives it more time, and clients learn how far
//! it is.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::ReplayWatch;

use crate::http::server::kept::KeptConnections;
use crate::http::starting::{self, StartProgress};
use crate::serve::supervisor;

/// Clients of a start that takes no longer wait for it.
const MOMENT: Duration = Duration::from_secs(2);
/// How often the supervisor hears that a replay goes on.
const EVERY: Duration = Duration::from_secs(5);

/// A start.
pub(super) struct Starting {
    end: Sender<()>,
    thread: JoinHandle<()>,
    progress: Arc<StartProgress>,
}

impl Starting {
    /// Begins now, with the socket of the service.
    pub(super) fn begin(listener: TcpListener, kept: KeptConnections) -> Result<Self> {
        let progress = Arc::<StartProgress>::default();
        let shown = Arc::clone(&progress);
        let (end, ended) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("starting".to_owned())
            .spawn(move || {
                if ended.recv_timeout(MOMENT) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let answering = actix::System::new().block_on(async {
                    let server = starting::start(listener, Arc::clone(&shown), kept).await?;
                    let waited = tokio::task::spawn_blocking(move || {
                        let mut known = 0;
                        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                            let records = shown.records();
                            if records > known {
                                supervisor::replays();
                            }
                            known = records;
                        }
                    });
                    waited.await.unwrap_or_default();
                    server.stop(true, true).await;
                    std::io::Result::Ok(())
                });
                if let Err(error) = answering {
                    tracing::warn!(%error, "clients do not learn how far the start is");
                }
            })
            .context("cannot start a thread for the start")?;
        Ok(Self {
            end,
            thread,
            progress,
        })
    }

    /// Hears how far the journal is replayed.
    pub(super) fn watch(&self) -> ReplayWatch {
        let progress = Arc::clone(&self.progress);
        ReplayWatch::new(move |replayed| progress.note(replayed))
    }

    /// The start has come to its end: the socket is free.
    pub(super) fn end(self) {
        drop(self.end);
        // The panic hook has reported a panic in it.
        self.thread.join().unwrap_or_default();
    }
}
