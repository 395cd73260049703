//! Accepts connections on a thread of its own and gives them to the workers in turn. When it has ended, every connection that was
//! accepted is with a worker; the system keeps the others until they are accepted again.

use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use switchboard_network::limits::log_interval::LogInterval;
use tokio::runtime::Builder;
use tokio::sync::mpsc::Sender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::kept::KeptConnection;

/// The pause in accepting when the process has no more descriptors, or no memory.
const PAUSE: Duration = Duration::from_millis(500);

/// A connection for a worker.
pub(crate) struct Incoming {
    pub(crate) connection: KeptConnection,
    /// Its place among the connections at once.
    pub(crate) place: OwnedSemaphorePermit,
}

/// Gives connections to the workers in turn. Each worker has room for all places.
pub(crate) struct Dispatch {
    workers: Vec<Sender<Incoming>>,
    places: Arc<Semaphore>,
    next: usize,
}

impl Dispatch {
    /// To these workers, with so many connections at once.
    pub(crate) fn to(workers: Vec<Sender<Incoming>>, places: usize) -> Self {
        Self {
            workers,
            places: Arc::new(Semaphore::new(places)),
            next: 0,
        }
    }

    /// Gives on connections of an earlier round. Those without a place are closed.
    pub(crate) fn resume(&mut self, kept: Vec<KeptConnection>) {
        for connection in kept {
            if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                self.give(Incoming { connection, place });
            }
        }
    }

    fn give(&mut self, incoming: Incoming) {
        let count = self.workers.len().max(1);
        let worker = self.workers.get(self.next % count);
        self.next = self.next.wrapping_add(1);
        if worker.is_some_and(|worker| worker.try_send(incoming).is_err()) {
            // A worker ends only behind the acceptor.
            tracing::error!("a worker of the HTTP server takes no connection");
        }
    }
}

/// The thread that accepts.
pub(crate) struct Acceptor {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Acceptor {
    /// Starts it.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub(crate) fn start(listener: TcpListener, dispatch: Dispatch) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("acceptor".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    tokio::select! {
                        // Nothing is accepted by a step that is not taken to its end.
                        biased;
                        _ = stopped => {}
                        ended = accept_all(listener, dispatch) => {
                            tracing::error!(?ended, "no connections are accepted any more");
                        }
                    }
                });
            })?;
        Ok(Self { stop, thread })
    }

    /// Ends it: every connection that was accepted is with a worker then.
    pub(crate) fn end(self) {
        self.stop.send(()).unwrap_or_default();
        // The panic hook has reported a panic in it.
        self.thread.join().unwrap_or_default();
    }
}

async fn accept_all(listener: TcpListener, mut dispatch: Dispatch) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let failures = LogInterval::default();
    loop {
        let Ok(place) = Arc::clone(&dispatch.places).acquire_owned().await else {
            return Ok(());
        };
        // What was accepted is given on without a wait.
        match listener.accept().await {
            Ok((stream, _)) => {
                let connection = KeptConnection {
                    stream: stream.into_std()?,
                    read: Vec::new(),
                    is_kept: false,
                };
                dispatch.give(Incoming { connection, place });
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                if let Some(count) = failures.event() {
                    tracing::warn!(%error, count, "cannot accept connections now");
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Returns whether the error is one of the connection that was to be accepted, not of the process.
fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
    )
}
