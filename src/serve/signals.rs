//! What ends the service: signals, and the end of its standard input where that was wanted.

use std::io::{Read as _, stdin};

use anyhow::{Context, Result};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

use crate::cli::serve::ServeOptions;
use crate::exit_code::Exit;

/// What ends the service in order.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// Standard input has ended.
    closed: Option<oneshot::Receiver<()>>,
}

impl Signals {
    /// From now on no signal ends the process by itself.
    pub(super) fn listen(options: &ServeOptions) -> Result<Self> {
        let terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
        let interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
        let watched = options.dev.is_some_and(|dev| dev.stop_with_stdin);
        Ok(Self {
            terminate,
            interrupt,
            closed: if watched { Some(watch_stdin()?) } else { None },
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            () = closed(&mut self.closed) => self.closed = None,
        }
    }

    /// Waits for the first; a second one ends the process at once.
    pub(super) async fn signalled(mut self) {
        self.next().await;
        self.closed = None;
        actix::spawn(async move {
            self.next().await;
            std::process::exit(i32::from(Exit::Interrupted.code()));
        });
    }
}

async fn closed(stdin: &mut Option<oneshot::Receiver<()>>) {
    match stdin {
        // Its thread ends only when standard input has.
        Some(closed) => closed.await.unwrap_or_default(),
        None => std::future::pending().await,
    }
}

/// Reads standard input to its end, on a thread of its own: a terminal cannot be read in another way.
fn watch_stdin() -> Result<oneshot::Receiver<()>> {
    let (close, closed) = oneshot::channel();
    std::thread::Builder::new()
        .name("stdin".to_owned())
        .spawn(move || {
            let mut dropped = [0; 1_024];
            while stdin().read(&mut dropped).is_ok_and(|length| length > 0) {}
            // The service may stop for another reason.
            close.send(()).unwrap_or_default();
        })
        .context("cannot watch standard input")?;
    Ok(closed)
}
