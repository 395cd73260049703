//! A server that is sent more and more messages.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::Serialize;
use switchboard_bench::client;
use switchboard_bench::machine::{bytes_below, resident_mib};
use switchboard_bench::requests::{self, Requests, Spread, scope_path};
use switchboard_bench::server::{ACCOUNT, CHANNEL, Home, Server};
use switchboard_bench::statistics::{exact, micros, per_second};

/// Over how many connections requests come.
pub(crate) const CONNECTIONS: usize = 64;
/// The number of requests that are made at once, to be sent then.
const AT_ONCE: u64 = 50_000;
/// The longest time for that many requests.
const PATIENCE: Duration = Duration::from_secs(600);

/// The cost of messages, over 64 connections. The processor time is that of everything they lead to, checkpoints
/// included.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Cost {
    pub(crate) cpu_us: f64,
    pub(crate) per_second: f64,
    /// Of the last requests that were made at once.
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    /// The longest that any of them took, with checkpoints running beside it.
    pub(crate) slowest_ms: f64,
}

/// A server with its directory.
pub(crate) struct Node {
    server: Server,
    home: Home,
    binary: PathBuf,
    /// The number of messages that it was sent: the number of the next one.
    pub(crate) sent: u64,
}

impl Node {
    pub(crate) fn start(binary: &Path, config: String) -> Result<Self> {
        // Below the build directory, so on a real disk.
        let home = Home::below(Path::new(env!("CARGO_TARGET_TMPDIR")), config)?;
        Ok(Self {
            server: Server::start(&home, binary)?,
            home,
            binary: binary.to_owned(),
            sent: 0,
        })
    }

    /// Connects the account of the benchmark to its channel.
    pub(crate) async fn connect(&self) -> Result<()> {
        let request = requests::connect(CHANNEL, ACCOUNT)?;
        let mut connection = client::Connection::open(self.server.address).await?;
        connection.expect(&request, 200).await.map(drop)
    }

    /// Sends so many more messages.
    pub(crate) async fn send(&mut self, count: u64, spread: Spread) -> Result<Cost> {
        let path = scope_path(CHANNEL, ACCOUNT);
        self.send_made(count, |from, count| {
            Requests::messages(&path, from, count, spread)
        })
        .await
    }

    /// Sends so many more messages that `make` makes, given the number of the first and how many.
    pub(crate) async fn send_made(
        &mut self,
        count: u64,
        make: impl Fn(u64, u64) -> Result<Requests>,
    ) -> Result<Cost> {
        let end = self.sent + count;
        let (mut took, mut cost) = (Duration::ZERO, Cost::default());
        let before = self.server.settled().await?;
        while self.sent < end {
            let some = AT_ONCE.min(end - self.sent);
            let requests = make(self.sent, some)?;
            let figures =
                client::round(self.server.address, CONNECTIONS, requests, PATIENCE).await?;
            ensure!(figures.requests == some, "the server is too slow");
            self.sent += some;
            took += figures.elapsed;
            cost.p50_us = exact(figures.latencies.value_at_quantile(0.5));
            cost.p99_us = exact(figures.latencies.value_at_quantile(0.99));
            cost.slowest_ms = cost.slowest_ms.max(exact(figures.latencies.max()) / 1e3);
        }
        let cpu_time = self.server.settled().await?.saturating_sub(before);
        cost.cpu_us = micros(cpu_time) / exact(count.max(1));
        cost.per_second = per_second(count, took);
        Ok(cost)
    }

    /// The address on which it listens.
    pub(crate) fn address(&self) -> std::net::SocketAddr {
        self.server.address
    }

    /// Kills it without a warning and starts it again; gives how long the start took.
    pub(crate) fn kill(self) -> Result<(Self, Duration)> {
        let Self {
            server,
            home,
            binary,
            sent,
        } = self;
        drop(server);
        Self::again(home, binary, sent)
    }

    /// Stops it and starts it again; gives how long the start took.
    pub(crate) fn stop(self) -> Result<(Self, Duration)> {
        self.server.stop()?;
        Self::again(self.home, self.binary, self.sent)
    }

    fn again(home: Home, binary: PathBuf, sent: u64) -> Result<(Self, Duration)> {
        let server = Server::start(&home, &binary)?;
        let ready_after = server.ready_after;
        let node = Self {
            server,
            home,
            binary,
            sent,
        };
        Ok((node, ready_after))
    }

    pub(crate) fn resident_mib(&self) -> Result<f64> {
        resident_mib(self.server.pid())
    }

    /// The disk space of each message.
    pub(crate) fn disk_bytes_per_message(&self) -> Result<f64> {
        Ok(exact(bytes_below(&self.home.data())?) / exact(self.sent.max(1)))
    }
}

pub(crate) fn millis(time: Duration) -> f64 {
    micros(time) / 1e3
}
