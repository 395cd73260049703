//! The threads that answer requests. Each connection is with one of them, and actors live on them too.

use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use actix::Arbiter;
use actix_service::{Service as _, ServiceFactory};
use actix_web::rt::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::sync::oneshot;

use crate::acceptor::Incoming;
use crate::socket::{Connected, Socket, SocketSettings};

/// The most threads of a worker that may wait for files and the like.
const BLOCKING_MAX: usize = 128;

/// The threads.
pub(crate) struct Workers {
    threads: Vec<Arbiter>,
    /// Ends when no worker has a connection any more.
    connections: Receiver<()>,
}

impl Workers {
    /// Starts so many threads; each calls `make` for its service. Gives the ends that take connections, one for each thread, with
    /// room for as many as there may be at once.
    ///
    /// # Errors
    /// When the operating system refuses, or a service cannot be made.
    pub(crate) async fn start<M, F>(
        count: usize,
        places: usize,
        settings: &SocketSettings,
        make: M,
    ) -> io::Result<(Self, Vec<Sender<Incoming>>)>
    where
        M: Fn() -> F + Clone + Send + 'static,
        F: ServiceFactory<Connected, Config = (), Response = ()>,
        F::Service: 'static,
        F: 'static,
    {
        // Nothing is ever sent: what counts is who may send.
        let (alive, connections) = mpsc::channel(1);
        let mut workers = Self {
            threads: Vec::new(),
            connections,
        };
        let mut ends = Vec::new();
        for _ in 0..count.max(1) {
            let arbiter = Arbiter::with_tokio_rt(runtime);
            let (end, incoming) = mpsc::channel(places);
            let (ready, is_ready) = oneshot::channel();
            let work = Work {
                incoming,
                settings: settings.clone(),
                alive: alive.clone(),
            };
            let make = make.clone();
            arbiter.spawn_fn(move || {
                actix_web::rt::spawn(work.run(make(), ready));
            });
            workers.threads.push(arbiter);
            ends.push(end);
            if !is_ready.await.unwrap_or_default() {
                return Err(io::Error::other("a worker of the HTTP server cannot start"));
            }
        }
        Ok((workers, ends))
    }

    /// Waits until no connection is left, so long at most, and ends the threads; whether there was none left.
    pub(crate) async fn end(mut self, patience: Duration) -> bool {
        let all_gone = tokio::time::timeout(patience, self.connections.recv());
        let is_done = all_gone.await.is_ok();
        for thread in &self.threads {
            thread.stop();
        }
        let threads = std::mem::take(&mut self.threads);
        let joining = tokio::task::spawn_blocking(move || {
            for thread in threads {
                // The panic hook has reported a panic in it.
                thread.join().unwrap_or_default();
            }
        });
        joining.await.unwrap_or_default();
        is_done
    }
}

/// A thread that could not be started ends the process, as everywhere.
fn runtime() -> tokio::runtime::Runtime {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_MAX)
        .build();
    runtime.unwrap_or_else(|error| {
        tracing::error!(%error, "cannot start a worker of the HTTP server");
        std::process::abort()
    })
}

/// The state of a worker.
struct Work {
    incoming: Receiver<Incoming>,
    settings: SocketSettings,
    alive: Sender<()>,
}

impl Work {
    /// Serves connections until no more can come.
    async fn run<F>(mut self, factory: F, ready: oneshot::Sender<bool>)
    where
        F: ServiceFactory<Connected, Config = (), Response = ()>,
        F::Service: 'static,
    {
        let Ok(service) = factory.new_service(()).await else {
            return ready.send(false).unwrap_or_default();
        };
        ready.send(true).unwrap_or_default();
        while let Some(Incoming { connection, place }) = self.incoming.recv().await {
            let peer = connection.stream.peer_addr().ok();
            let stream = match TcpStream::from_std(connection.stream) {
                Ok(stream) => stream,
                Err(error) => {
                    tracing::warn!(%error, "cannot serve a connection");
                    continue;
                }
            };
            if poll_fn(|context| service.poll_ready(context))
                .await
                .is_err()
            {
                tracing::error!("a worker of the HTTP server is not ready");
                continue;
            }
            let address = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
            let socket = Socket::new(
                stream,
                address,
                connection.read,
                connection.is_kept,
                &self.settings,
            );
            let serving = service.call((socket, peer));
            let alive = self.alive.clone();
            actix_web::rt::spawn(async move {
                // What is wrong with a connection is between it and its client.
                drop(serving.await);
                drop((place, alive));
            });
        }
    }
}
