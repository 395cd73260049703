//! More and more conversations, each with its lead and its contact.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use switchboard_bench::requests::Spread;
use switchboard_bench::server::{away, config};
use switchboard_bench::statistics::exact;

use crate::node::{Cost, Node, millis};

/// The number of conversations in use when their memory is measured.
pub(crate) const HOT: u64 = 10_000;

/// The figures of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) conversations: u64,
    /// Of the first message of each.
    pub(crate) opening: Cost,
    /// Of a message to one of them.
    #[serde(flatten)]
    pub(crate) cost: Cost,
    /// With all of them in use.
    pub(crate) resident_mib: f64,
    pub(crate) ready_after_stop_ms: f64,
    /// After that start, with none in use.
    pub(crate) resident_cold_mib: f64,
    /// The number in use then.
    pub(crate) hot: u64,
    pub(crate) resident_hot_mib: f64,
    /// The memory of one more conversation in use; only for a thousand or more, since memory is counted in whole pages.
    pub(crate) hot_bytes: Option<f64>,
}

pub(crate) const HEADING: &str = "conversations  opening CPU µs  opened/s  CPU µs/msg     msg/s    p99 µs  RSS MiB  stopped: ready ms  RSS cold MiB      hot  RSS hot MiB  bytes/hot";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (opening, cost) = (&self.opening, &self.cost);
        write!(
            f,
            "{:>13} {:>15.1} {:>9.0} {:>11.1} {:>9.0} {:>9.0} {:>8.0} {:>18.0} {:>13.0} {:>8} {:>12.0} {:>10}",
            self.conversations,
            opening.cpu_us,
            opening.per_second,
            cost.cpu_us,
            cost.per_second,
            cost.p99_us,
            self.resident_mib,
            self.ready_after_stop_ms,
            self.resident_cold_mib,
            self.hot,
            self.resident_hot_mib,
            self.hot_bytes
                .map_or_else(|| "-".to_owned(), |bytes| format!("{bytes:.0}"))
        )
    }
}

/// A server of its own for each size.
pub(crate) async fn measure(binary: &Path, conversations: u64, window: u64) -> Result<Line> {
    let all = Spread {
        from: 0,
        count: conversations,
    };
    let mut node = Node::start(binary, config(0, &away()))?;
    node.connect().await?;
    let opening = node.send(conversations, all).await?;
    let cost = node.send(window, all).await?;
    let resident_mib = node.resident_mib()?;
    let (mut node, after_stop) = node.stop()?;
    let resident_cold_mib = node.resident_mib()?;
    // As many messages to one conversation first: what they leave behind apart from their conversations does not count.
    let hot = HOT.min(conversations);
    node.send(hot, Spread { from: 0, count: 1 }).await?;
    let one_hot_mib = node.resident_mib()?;
    let some = Spread {
        from: 0,
        count: hot,
    };
    node.send(hot, some).await?;
    let resident_hot_mib = node.resident_mib()?;
    let bytes = (resident_hot_mib - one_hot_mib) * 1_048_576.0;
    Ok(Line {
        conversations,
        opening,
        cost,
        resident_mib,
        ready_after_stop_ms: millis(after_stop),
        resident_cold_mib,
        hot,
        resident_hot_mib,
        hot_bytes: (hot >= 1_000).then(|| bytes / exact(hot - 1)),
    })
}
