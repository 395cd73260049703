//! The events that end the service: signals, and the end of its standard input where that was wanted. SIGHUP ends only
//! `switchboard dev`; the service reads its settings again.

use std::io::{self, Read as _, stdin};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};
use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{oneshot, watch};

use crate::exit_code::Exit;
use crate::serve::options::ServeOptions;

/// The orderly end of the service. One for the process: what comes between two rounds is not lost.
#[derive(Clone)]
pub(super) struct Signals(watch::Receiver<bool>);

impl Signals {
    /// From now on no signal ends the process by itself; a second one ends it at once.
    pub(super) fn listen(options: &ServeOptions) -> Result<Self> {
        let watched = options.dev.as_ref().is_some_and(|dev| dev.stop_with_stdin);
        let stdin_end = if watched { Some(watch_stdin()?) } else { None };
        let with_hangup = options.dev.is_some();
        let (asked, asks) = watch::channel(false);
        let (ready, is_ready) = mpsc::channel();
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || run(stdin_end, with_hangup, &asked, &ready))
            .context("cannot start a thread that listens for signals")?;
        // The thread answers before it listens, or has panicked.
        let listens = is_ready
            .recv()
            .unwrap_or_else(|_ended| Err(io::ErrorKind::Other.into()));
        listens.context("cannot listen for SIGTERM and SIGINT")?;
        Ok(Self(asks))
    }

    /// Waits for the first; ready at once when it has come.
    pub(super) async fn signalled(&self) {
        let is_asked = self.0.clone().wait_for(|asked| *asked).await.is_ok();
        debug_assert!(is_asked, "its thread lives as long as the process");
    }
}

/// The thread that listens.
fn run(
    closed: Option<oneshot::Receiver<()>>,
    with_hangup: bool,
    asked: &watch::Sender<bool>,
    ready: &mpsc::Sender<io::Result<()>>,
) {
    let runtime = match Builder::new_current_thread().enable_io().build() {
        Ok(runtime) => runtime,
        Err(error) => return ready.send(Err(error)).unwrap_or_default(),
    };
    runtime.block_on(async {
        let mut sources = match Sources::new(closed, with_hangup) {
            Ok(sources) => sources,
            Err(error) => return ready.send(Err(error)).unwrap_or_default(),
        };
        ready.send(Ok(())).unwrap_or_default();
        sources.next().await;
        asked.send_replace(true);
        sources.closed = None;
        sources.next().await;
        std::process::exit(i32::from(Exit::Interrupted.code()));
    });
}

struct Sources {
    terminate: Signal,
    interrupt: Signal,
    /// The end of the terminal; none where that signal has another meaning.
    hangup: Option<Signal>,
    /// Standard input has ended.
    closed: Option<oneshot::Receiver<()>>,
}

impl Sources {
    fn new(closed: Option<oneshot::Receiver<()>>, with_hangup: bool) -> io::Result<Self> {
        let hangup = with_hangup.then(|| signal(SignalKind::hangup()));
        Ok(Self {
            hangup: hangup.transpose()?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            closed,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            () = hung_up(self.hangup.as_mut()) => {}
            () = closed(&mut self.closed) => {}
        }
    }
}

async fn hung_up(hangup: Option<&mut Signal>) {
    match hangup {
        Some(hangup) => hangup.recv().await.unwrap_or_default(),
        None => std::future::pending().await,
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
    thread::Builder::new()
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
