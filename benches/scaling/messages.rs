//! More and more stored messages, in 1,000 conversations.

use std::fmt;
use std::path::Path;

use anyhow::{Result, ensure};
use serde::Serialize;
use switchboard_bench::requests::Spread;
use switchboard_bench::server::{away, config};

use crate::node::{Cost, Node, millis};

const CONVERSATIONS: Spread = Spread {
    from: 0,
    count: 1_000,
};

/// The figures of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) messages: u64,
    /// Of the last of them.
    #[serde(flatten)]
    pub(crate) cost: Cost,
    pub(crate) disk_bytes_per_message: f64,
    pub(crate) resident_mib: f64,
    pub(crate) ready_after_kill_ms: f64,
    pub(crate) ready_after_stop_ms: f64,
    pub(crate) resident_after_start_mib: f64,
}

pub(crate) const HEADING: &str = "  messages  CPU µs/msg     msg/s    p50 µs    p99 µs  slowest ms  bytes/msg  RSS MiB  killed: ready ms  stopped: ready ms  RSS MiB";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = &self.cost;
        write!(
            f,
            "{:>10} {:>11.1} {:>9.0} {:>9.0} {:>9.0} {:>11.0} {:>10.0} {:>8.0} {:>17.0} {:>18.0} {:>8.0}",
            self.messages,
            cost.cpu_us,
            cost.per_second,
            cost.p50_us,
            cost.p99_us,
            cost.slowest_ms,
            self.disk_bytes_per_message,
            self.resident_mib,
            self.ready_after_kill_ms,
            self.ready_after_stop_ms,
            self.resident_after_start_mib
        )
    }
}

/// One server is filled to each of the sizes in turn.
pub(crate) async fn measure(binary: &Path, sizes: &[u64], window: u64) -> Result<Vec<Line>> {
    let mut node = Node::start(binary, config(0, &away()))?;
    node.connect().await?;
    let mut lines = Vec::new();
    for &messages in sizes {
        let window = window.min(messages / 2);
        ensure!(
            messages >= 100 && node.sent + window <= messages,
            "--messages must grow, and the first be 100 or more"
        );
        node.send(messages - node.sent - window, CONVERSATIONS)
            .await?;
        let cost = node.send(window, CONVERSATIONS).await?;
        let resident_mib = node.resident_mib()?;
        let (killed, after_kill) = node.kill()?;
        let (stopped, after_stop) = killed.stop()?;
        node = stopped;
        let line = Line {
            messages,
            cost,
            disk_bytes_per_message: node.disk_bytes_per_message()?,
            resident_mib,
            ready_after_kill_ms: millis(after_kill),
            ready_after_stop_ms: millis(after_stop),
            resident_after_start_mib: node.resident_mib()?,
        };
        println!("{line}");
        lines.push(line);
    }
    Ok(lines)
}
