//! More and more scopes, with one conversation each.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use switchboard_bench::requests::{self, Requests, scope_path, signed, signer};

use crate::node::{Cost, Node};

/// The figures of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) scopes: u64,
    #[serde(flatten)]
    pub(crate) cost: Cost,
    pub(crate) resident_mib: f64,
}

pub(crate) const HEADING: &str = "    scopes  CPU µs/msg     msg/s    p50 µs    p99 µs  RSS MiB";

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = &self.cost;
        write!(
            f,
            "{:>10} {:>11.1} {:>9.0} {:>9.0} {:>9.0} {:>8.0}",
            self.scopes, cost.cpu_us, cost.per_second, cost.p50_us, cost.p99_us, self.resident_mib
        )
    }
}

/// A server of its own for each size.
pub(crate) async fn measure(binary: &Path, scopes: u64, window: u64) -> Result<Line> {
    let side = scopes.isqrt();
    let mut node = Node::start(binary, config(side))?;
    let scope = |number: u64| (channel(number % side), account(number / side % side));
    node.send_made(side * side, |from, count| {
        let mut connecting = Requests::default();
        for number in from..from + count {
            let (channel, account) = scope(number);
            connecting.push(&requests::connect(&channel, &account)?);
        }
        Ok(connecting)
    })
    .await?;
    let signer = signer()?;
    let messages = |from: u64, count: u64| {
        let mut messages = Requests::default();
        for number in from..from + count {
            let (channel, account) = scope(number);
            let path = scope_path(&channel, &account);
            let body = requests::body(number, number % (side * side));
            messages.push(&signed(&path, &signer, &body));
        }
        Ok(messages)
    };
    // The first of each opens its conversation, which is another matter.
    node.send_made(side * side, messages).await?;
    let cost = node.send_made(window, messages).await?;
    Ok(Line {
        scopes: side * side,
        cost,
        resident_mib: node.resident_mib()?,
    })
}

fn channel(number: u64) -> String {
    format!("channel-{number:03}")
}

fn account(number: u64) -> String {
    format!("af9945ff-1490-4cad-807d-{number:012}")
}

/// So many channels and as many accounts.
fn config(side: u64) -> String {
    let channels: Vec<(String, String)> = (0..side)
        .map(|number| (channel(number), "http://127.0.0.1:9/:scope_id".to_owned()))
        .collect();
    let mut text = switchboard_bench::server::config(0, &channels);
    for number in 0..side {
        text.push_str(&format!(
            "\n[[accounts]]\nid = \"{}\"\nname = \"Account {number}\"\n",
            account(number)
        ));
    }
    text
}
