//! A listener with its threads, and the way they stop.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_service::ServiceFactory;
use socket2::SockRef;
use tokio::sync::{Semaphore, watch};

use crate::acceptor::{Acceptor, Dispatch};
use crate::kept::KeptConnections;
use crate::socket::{Connected, SocketSettings};
use crate::workers::Workers;

/// The number of connections that may wait in the system to be accepted.
pub const BACKLOG: i32 = 4_096;

/// The most bytes that the system keeps before it can send them. The rest waits in answers that can be ended, and the
/// server sees in steps of this size whether a client takes any.
const UNSENT_MAX: u32 = 32 << 10;
/// The time for connections that are cut off.
const AT_ONCE: Duration = Duration::from_millis(1);

/// The size of a server, and its patience at the end.
#[derive(Clone, Copy, Debug)]
pub struct ServerSize {
    /// The number of worker threads.
    pub workers: usize,
    /// The connections that are accepted; more wait.
    pub accepted_max: usize,
    /// The time for requests in progress when the server stops.
    pub drain: Duration,
}

/// Ends when the server ends. Clones share it.
#[derive(Clone, Debug)]
pub struct ServerEnd(watch::Receiver<bool>);

impl ServerEnd {
    /// Waits for it. Without a sender, the server is gone.
    pub async fn wait(mut self) {
        let signal = self.0.wait_for(|ends| *ends).await;
        signal.map(drop).unwrap_or_default();
    }
}

/// A running server.
pub struct Server {
    acceptor: Option<Acceptor>,
    workers: Workers,
    ending: watch::Sender<bool>,
    kept: KeptConnections,
    drain: Duration,
}

impl Server {
    /// Starts to listen, and goes on with the connections that the process kept. Each worker thread calls `make` for its service.
    /// Requests are answered once this has returned.
    ///
    /// # Errors
    /// When the operating system refuses, or a service cannot be made.
    pub async fn start<M, F>(
        listener: TcpListener,
        size: ServerSize,
        sockets: &SocketSettings,
        make: M,
    ) -> io::Result<Self>
    where
        M: Fn(ServerEnd) -> F + Clone + Send + 'static,
        F: ServiceFactory<Connected, Config = (), Response = ()>,
        F::Service: 'static,
        F: 'static,
    {
        prepare(&listener)?;
        let (ending, ends) = watch::channel(false);
        let end = ServerEnd(ends);
        let places = size.accepted_max.clamp(1, Semaphore::MAX_PERMITS);
        let make = move || make(end.clone());
        let (workers, inlets) = Workers::start(size.workers, places, sockets, make).await?;
        let mut dispatch = Dispatch::to(inlets, places);
        dispatch.resume(sockets.kept.take());
        Ok(Self {
            acceptor: Some(Acceptor::start(listener, dispatch)?),
            workers,
            ending,
            kept: sockets.kept.clone(),
            drain: size.drain,
        })
    }

    /// Sets the time for requests in progress when it stops.
    pub fn set_drain(&mut self, drain: Duration) {
        self.drain = drain;
    }

    /// Accepts no more connections. Those that were accepted are served.
    pub async fn pause(&mut self) {
        if let Some(acceptor) = self.acceptor.take() {
            let end = tokio::task::spawn_blocking(move || acceptor.end());
            end.await.unwrap_or_default();
        }
    }

    /// Ends all connections: each behind the answer in progress, if answers may take their time. If another round follows, the
    /// process keeps those on which no request is in progress.
    pub async fn stop(mut self, gracefully: bool, another_follows: bool) {
        self.pause().await;
        if another_follows {
            self.kept.open();
        }
        self.ending.send_replace(true);
        let patience = if gracefully { self.drain } else { AT_ONCE };
        if !self.workers.end(patience).await && gracefully {
            tracing::warn!("connections did not end in time and are cut off");
        }
    }
}

/// Sets what accepted connections inherit.
fn prepare(listener: &TcpListener) -> io::Result<()> {
    let socket = SockRef::from(listener);
    // A crowd that comes at once must not delay others by the second that their system waits to try again.
    socket.listen(BACKLOG)?;
    // An answer is written in slices: the last one must not wait until the client has acknowledged the others.
    socket.set_tcp_nodelay(true)?;
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_notsent_lowat(UNSENT_MAX)?;
    Ok(())
}
