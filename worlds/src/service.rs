//! The whole service on a thread of the test, in memory, on a port of its own: for programs that speak HTTP.

use std::fmt;
use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};
use switchboard_actors::{Ports, System, SystemConfig, Threads};
use switchboard_connections::kept::KeptConnections;
use switchboard_http::server::{self, ServerSettings};
use switchboard_http::state::HttpSettings;
use tokio::sync::oneshot;

use crate::handlers::Files;
use crate::{Receiver, fixtures};

/// So long a stop may take.
const STOPS_WITHIN: Duration = Duration::from_secs(10);

/// A running service with the account, the user `ada`, the channel and the scope of a world, in memory and in real time.
/// Its callbacks go to a [`Receiver`] of the test. It stops when it is dropped.
pub struct Service {
    url: String,
    receiver: Receiver,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Service {
    /// Starts a service, and returns when it can be reached.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test fails by panicking")]
    pub fn start() -> Self {
        let receiver = Receiver::default();
        let (stop, stopped) = oneshot::channel();
        let (ready, reached) = mpsc::sync_channel(1);
        let of_service = receiver.clone();
        let thread = std::thread::Builder::new()
            .name("service".to_owned())
            .spawn(move || actix::System::new().block_on(run(of_service, stopped, ready)))
            .expect("a thread can be started");
        let Ok(url) = reached.recv() else {
            let result = thread.join().expect("the service does not panic");
            result.expect("the service starts");
            unreachable!("a service that was not stopped has not ended");
        };
        Self {
            url,
            receiver,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Its address, such as `http://127.0.0.1:41233`, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The receiver of its callbacks.
    #[must_use]
    pub fn receiver(&self) -> &Receiver {
        &self.receiver
    }
}

async fn run(
    receiver: Receiver,
    stopped: oneshot::Receiver<()>,
    ready: mpsc::SyncSender<String>,
) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").context("cannot listen")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let config = SystemConfig {
        threads: Threads::Join(1),
        hold_callbacks: true,
        list_fetches: true,
        ..SystemConfig::default()
    };
    let system = System::start(config, Ports::memory(Arc::new(receiver))?)?;
    let declared = fixtures::declare(&system).await;
    declared.map_err(|error| anyhow::anyhow!("{error}"))?;
    system.send_callbacks().await?;
    let files = Files::for_now()?;
    let settings = HttpSettings {
        clock_is_moved: true,
        callback_url: format!("http://{address}"),
        ..HttpSettings::default()
    };
    let state = files.state(&system, settings)?;
    let http = ServerSettings::default();
    let running_service =
        server::start(listener, state.clone(), &http, KeptConnections::default()).await?;
    // A test that has panicked does not wait for it.
    ready
        .send(format!("http://{}", running_service.address))
        .unwrap_or_default();
    // A test that ends without a word wants the same.
    stopped.await.unwrap_or_default();
    state.drain();
    running_service.server.stop(false, false).await;
    system.shutdown(STOPS_WITHIN).await;
    Ok(())
}

impl Drop for Service {
    /// Stops the service and frees its port.
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && !matches!(thread.join(), Ok(Ok(())))
        {
            tracing::error!("the service of a test ended with an error");
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
