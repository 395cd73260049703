//! SIGHUP, by which an operator asks the service to read its settings again.

use std::io;
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// The signals that came so far. One for the process: a signal between two rounds is not lost.
pub(super) struct Hangups {
    count: watch::Receiver<u64>,
}

impl Hangups {
    /// Listens from now on: the signal does not end the process any more.
    ///
    /// # Errors
    /// If the operating system gives no thread or no handler.
    pub(super) fn listen() -> Result<Self> {
        let (counter, count) = watch::channel(0);
        let (ready, is_ready) = mpsc::channel();
        thread::Builder::new()
            .name("hangups".to_owned())
            .spawn(move || run(&counter, &ready))
            .context("cannot start a thread that listens for SIGHUP")?;
        let listens = is_ready
            .recv()
            .unwrap_or_else(|_ended| Err(io::ErrorKind::Other.into()));
        listens.context("cannot listen for SIGHUP")?;
        Ok(Self { count })
    }

    /// Waits for a signal that has not been waited for. Several signals count as one.
    pub(super) async fn next(&mut self) {
        if self.count.changed().await.is_err() {
            // Its thread lives as long as the process.
            std::future::pending::<()>().await;
        }
    }
}

/// The thread that listens.
fn run(counter: &watch::Sender<u64>, ready: &mpsc::Sender<io::Result<()>>) {
    let runtime = match Builder::new_current_thread().enable_io().build() {
        Ok(runtime) => runtime,
        Err(error) => return ready.send(Err(error)).unwrap_or_default(),
    };
    runtime.block_on(async {
        let mut hangups = match signal(SignalKind::hangup()) {
            Ok(hangups) => hangups,
            Err(error) => return ready.send(Err(error)).unwrap_or_default(),
        };
        ready.send(Ok(())).unwrap_or_default();
        while hangups.recv().await.is_some() {
            counter.send_modify(|count| *count = count.wrapping_add(1));
        }
    });
}
