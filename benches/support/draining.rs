//! How fast a queue empties: callbacks gather while their channel is paused, then it is resumed.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::machine::cpu_time;
use crate::replies::Connection;
use crate::server::{CHANNEL, HOST, Server};
use crate::sink::Sink;

/// The bearer token of the operator's interface.
pub(crate) const OPERATOR: &str = "operator-of-the-benchmark";

/// What a queue took to empty.
pub(crate) struct Drained {
    /// From the resuming until the last outcome was on disk.
    pub(crate) took: Duration,
    /// What of the processors' time the server used meanwhile.
    pub(crate) cpu: Duration,
}

/// Makes everything that is written from now on wait.
pub(crate) async fn pause(address: SocketAddr) {
    act(address, "pause").await;
}

/// Resumes the channel, in which `count` callbacks wait, and times how they leave.
pub(crate) async fn drain(server: &Server, sink: &Sink, count: u64, patience: Duration) -> Drained {
    assert_eq!(queued(server.address).await, count, "all of them wait");
    let taken = sink.taken();
    let before = cpu_time(server.pid());
    let begun = Instant::now();
    act(server.address, "resume").await;
    sink.wait_for(taken + count, patience).await;
    // A callback leaves the queue when its outcome is on disk.
    while queued(server.address).await > 0 {
        assert!(begun.elapsed() < patience, "outcomes are stored");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Drained {
        took: begun.elapsed(),
        cpu: cpu_time(server.pid()).saturating_sub(before),
    }
}

async fn act(address: SocketAddr, what: &str) {
    let request = format!(
        "POST /admin/v1/channels/{CHANNEL}/{what} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {OPERATOR}\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    let mut connection = Connection::open(address).await;
    let (status, said) = connection.exchange(request.as_bytes()).await;
    assert_eq!(status, 200, "{said}");
}

/// How many callbacks are queued.
async fn queued(address: SocketAddr) -> u64 {
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {HOST}\r\n\r\n");
    let mut connection = Connection::open(address).await;
    let (status, said) = connection.exchange(request.as_bytes()).await;
    assert_eq!(status, 200, "{said}");
    let line = |line: &str| {
        let value = line.strip_prefix("switchboard_dispatch_queued ")?;
        value.trim().parse().ok()
    };
    said.lines().find_map(line).expect("the queue is counted")
}
