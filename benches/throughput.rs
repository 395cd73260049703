//! How many messages the send operation stores, next to what the same server does when it does nothing.
//!
//! `cargo bench --bench throughput` starts the real binary with two HTTP workers on a fresh directory on the disk and
//! loads it over kept-alive connections, each with one request under way. Three targets take turns, so that a
//! disturbance of the machine meets all of them, and medians of the rounds are shown: a handler that looks at nothing,
//! the send operation short of storing, and the send operation with answers that wait for the disk.
//!
//! `-- --quick` takes seconds, `-- --json FILE` writes the figures down, `-- --connections 64 256` chooses.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

#[path = "support/client.rs"]
mod client;
#[path = "support/machine.rs"]
mod machine;
#[path = "support/requests.rs"]
mod requests;
#[path = "support/results.rs"]
mod results;
#[path = "support/server.rs"]
mod server;

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde::Serialize;

use crate::machine::{cpu_time, fdatasync};
use crate::requests::{Requests, Target};
use crate::server::{Home, Server};

/// How many conversations the messages are spread over.
const CONVERSATIONS: u64 = 1_000;
/// How long the first messages may take.
const FIRST_PATIENCE: Duration = Duration::from_secs(60);
/// More requests than this are not made for one second.
const REQUESTS_PER_SECOND_MAX: f64 = 120_000.0;

/// Load the send operation
#[derive(Debug, Parser)]
struct Args {
    /// Numbers of connections
    #[arg(long, num_args = 1.., default_values_t = [1, 16, 64, 256])]
    connections: Vec<usize>,
    /// What takes turns
    #[arg(long, value_enum, num_args = 1.., default_values_t = [Target::Noop, Target::Verified, Target::Send])]
    targets: Vec<Target>,
    /// Rounds of each target
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Length of a round in seconds
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// One short round of each, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// Also write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Another binary than the one built now, to compare with; built with the feature `testing`
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// What cargo says to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// The medians of the rounds of one target with so many connections.
#[derive(Debug, Serialize)]
struct Line {
    connections: usize,
    target: Target,
    requests_per_second: f64,
    /// Compared with the no-op of the same rounds.
    of_noop: Option<f64>,
    p50_us: f64,
    p99_us: f64,
    p999_us: f64,
    server_cpu_us_per_request: f64,
}

/// One round.
struct Sample {
    requests_per_second: f64,
    quantiles: [f64; 3],
    cpu_us: f64,
}

/// Everything that is written down.
#[derive(Debug, Serialize)]
struct Figures {
    fdatasync_us: f64,
    lines: Vec<Line>,
}

fn main() {
    let mut args = Args::parse();
    if args.quick {
        (args.rounds, args.seconds) = (1, 0.2);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("an event loop can be made");
    let figures = runtime.block_on(measure(&args));
    results::write(args.json.as_deref(), &figures);
}

async fn measure(args: &Args) -> Figures {
    let home = Home::new();
    let fdatasync = fdatasync(home.path());
    let mut load = Load {
        server: Server::start(&home, args.binary.as_deref()),
        sent: 0,
    };
    println!(
        "fdatasync of 4 KiB on this disk: {:.0} µs (median); server ready after {:.0} ms",
        micros(fdatasync),
        micros(load.server.ready_after) / 1e3
    );
    println!(
        "{CONVERSATIONS} conversations, {} rounds of {} s, medians",
        args.rounds, args.seconds
    );
    load.warm_up().await;
    println!(
        "{:>11} {:>9} {:>9} {:>8} {:>9} {:>9} {:>9} {:>10}",
        "connections", "target", "req/s", "of noop", "p50 µs", "p99 µs", "p99.9 µs", "CPU µs/req"
    );
    let mut lines = Vec::new();
    for &connections in &args.connections {
        lines.extend(load.take_turns(connections, args).await);
    }
    load.server.stop();
    Figures {
        fdatasync_us: micros(fdatasync),
        lines,
    }
}

struct Load {
    server: Server,
    /// How many requests were made so far: the number of the next message.
    sent: u64,
}

impl Load {
    /// Every conversation gets its first message, which also opens its deal.
    async fn warm_up(&mut self) {
        client::once(self.server.address, &requests::connect()).await;
        let first = Requests::new(Target::Send, 0, CONVERSATIONS, CONVERSATIONS);
        self.sent = CONVERSATIONS;
        let done = client::round(self.server.address, 16, first, FIRST_PATIENCE).await;
        assert_eq!(done.requests, CONVERSATIONS);
    }

    async fn take_turns(&mut self, connections: usize, args: &Args) -> Vec<Line> {
        let mut rounds: Vec<(Target, Vec<Sample>)> = Vec::new();
        rounds.extend(args.targets.iter().map(|&target| (target, Vec::new())));
        // The first round of each is not counted: caches and connections become warm.
        for round in 0..=args.rounds {
            for (target, samples) in &mut rounds {
                let sample = self.round(*target, connections, args.seconds).await;
                if round > 0 {
                    samples.push(sample);
                }
            }
        }
        let rate = |samples: &[Sample]| median(samples, |sample| sample.requests_per_second);
        let noop = rounds.iter().find(|(target, _)| *target == Target::Noop);
        let noop = noop.map(|(_, samples)| rate(samples));
        let mut lines = Vec::new();
        for (target, samples) in &rounds {
            let line = Line {
                connections,
                target: *target,
                requests_per_second: rate(samples),
                of_noop: noop.map(|noop| rate(samples) / noop),
                p50_us: median(samples, |sample| sample.quantiles[0]),
                p99_us: median(samples, |sample| sample.quantiles[1]),
                p999_us: median(samples, |sample| sample.quantiles[2]),
                server_cpu_us_per_request: median(samples, |sample| sample.cpu_us),
            };
            line.print();
            lines.push(line);
        }
        lines
    }

    async fn round(&mut self, target: Target, connections: usize, seconds: f64) -> Sample {
        #[expect(
            clippy::as_conversions,
            reason = "a count that fits into memory has an exact float"
        )]
        let count = (seconds * REQUESTS_PER_SECOND_MAX) as u64;
        let requests = Requests::new(target, self.sent, count, CONVERSATIONS);
        self.sent += count;
        let before = cpu_time(self.server.pid());
        let time = Duration::from_secs_f64(seconds);
        let done = client::round(self.server.address, connections, requests, time).await;
        let cpu = cpu_time(self.server.pid()) - before;
        let count = exact(done.requests);
        let quantile = |quantile| exact(done.latencies.value_at_quantile(quantile));
        Sample {
            requests_per_second: count / done.elapsed.as_secs_f64(),
            quantiles: [0.5, 0.99, 0.999].map(quantile),
            cpu_us: micros(cpu) / count,
        }
    }
}

impl Line {
    fn print(&self) {
        let of_noop = self
            .of_noop
            .map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        println!(
            "{:>11} {:>9} {:>9.0} {:>8} {:>9.0} {:>9.0} {:>9.0} {:>10.1}",
            self.connections,
            self.target.to_string(),
            self.requests_per_second,
            of_noop,
            self.p50_us,
            self.p99_us,
            self.p999_us,
            self.server_cpu_us_per_request
        );
    }
}

fn median(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(of).collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn exact(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
