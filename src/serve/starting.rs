//! A start that takes a while, because the journal is replayed: the supervisor gives it more time, and clients learn how far
//! it is.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::ReplayWatch;
use switchboard_connections::kept::KeptConnections;
use switchboard_http::starting::{self, StartProgress};

use crate::serve::supervisor;

/// Clients of a start that takes no longer wait for it.
const MOMENT: Duration = Duration::from_secs(2);
/// The interval of reports to the supervisor while a replay goes on.
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
        let progress_of_server = Arc::clone(&progress);
        let (end, ended) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("starting".to_owned())
            .spawn(move || {
                if ended.recv_timeout(MOMENT) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let answering = actix::System::new().block_on(async {
                    let server =
                        starting::start(listener, Arc::clone(&progress_of_server), kept).await?;
                    let wait = tokio::task::spawn_blocking(move || {
                        let mut last_records = 0;
                        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                            let records = progress_of_server.records();
                            if records > last_records {
                                supervisor::replays();
                            }
                            last_records = records;
                        }
                    });
                    wait.await.unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use switchboard_actors::Replayed;
    use switchboard_engine::store::Seq;

    use super::*;

    fn answer(socket: &mut TcpStream, target: &str) -> String {
        let request = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Clients of a start that takes a while learn how far it is. A connection that has asked nothing is for the service.
    #[test]
    fn a_long_start_says_how_far_it_is() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let connections = KeptConnections::default();
        let starting = Starting::begin(listener.try_clone().unwrap(), connections.clone()).unwrap();
        starting.progress.note(Replayed {
            records: 7,
            seq: Seq(8),
            last: Seq(90),
        });
        let connect = || TcpStream::connect(address).unwrap();
        let ready = answer(&mut connect(), "/readyz");
        assert!(ready.starts_with("HTTP/1.1 503 "), "{ready}");
        assert!(ready.contains("up to record 8 of 90"), "{ready}");
        let chat = answer(&mut connect(), "/v2/origin/custom/x");
        assert!(chat.contains("\r\nretry-after: 5\r\n"), "{chat}");
        assert!(answer(&mut connect(), "/healthz").ends_with("ok\n"));
        let silent = connect();
        // It was accepted when a later one is answered.
        answer(&mut connect(), "/healthz");
        starting.end();
        assert_eq!(connections.take().len(), 1);
        drop(silent);
    }
}
