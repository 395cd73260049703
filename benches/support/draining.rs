//! The speed at which a queue empties: callbacks gather while their channel is paused, then it is resumed.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use switchboard_bench::client::Connection;
use switchboard_bench::machine::cpu_time;
use switchboard_bench::server::{CHANNEL, HOST, Server};
use switchboard_bench::sink::Sink;

/// The bearer token of the operator's interface.
pub(crate) const OPERATOR: &str = "operator-of-the-benchmark";

/// The figures of a queue that emptied.
pub(crate) struct Drained {
    /// From the resuming until the last outcome was on disk.
    pub(crate) took: Duration,
    /// The part of the processors' time that the server used meanwhile.
    pub(crate) cpu: Duration,
}

/// Makes everything that is written from now on wait.
pub(crate) async fn pause(address: SocketAddr) -> Result<()> {
    act(address, "pause").await
}

/// Resumes the channel, in which `count` callbacks wait, and times how they leave.
pub(crate) async fn drain(
    server: &Server,
    sink: &Sink,
    count: u64,
    patience: Duration,
) -> Result<Drained> {
    // They are counted a moment after they were acknowledged.
    wait_for(server.address, count, patience).await?;
    let count_before = sink.taken();
    let before = cpu_time(server.pid())?;
    let start = Instant::now();
    act(server.address, "resume").await?;
    sink.wait_for(count_before + count, patience).await?;
    // A callback leaves the queue when its outcome is on disk.
    wait_for(server.address, 0, patience).await?;
    Ok(Drained {
        took: start.elapsed(),
        cpu: cpu_time(server.pid())?.saturating_sub(before),
    })
}

/// Waits until so many are queued.
async fn wait_for(address: SocketAddr, count: u64, patience: Duration) -> Result<()> {
    let start = Instant::now();
    loop {
        let waiting = queued(address).await?;
        if waiting == count {
            return Ok(());
        }
        ensure!(
            start.elapsed() < patience,
            "{waiting} callbacks wait, not {count}"
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn act(address: SocketAddr, what: &str) -> Result<()> {
    let request = format!(
        "POST /admin/v1/channels/{CHANNEL}/{what} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {OPERATOR}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    let mut connection = Connection::open(address).await?;
    connection.expect(request.as_bytes(), 200).await.map(drop)
}

/// The number of queued callbacks.
async fn queued(address: SocketAddr) -> Result<u64> {
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {HOST}\r\n\r\n");
    let mut connection = Connection::open(address).await?;
    let answer = connection.expect(request.as_bytes(), 200).await?;
    let metrics = std::str::from_utf8(answer)?;
    let line = |line: &str| {
        let value = line.strip_prefix("switchboard_dispatch_queued ")?;
        value.trim().parse().ok()
    };
    metrics
        .lines()
        .find_map(line)
        .context("the queue is not counted")
}
