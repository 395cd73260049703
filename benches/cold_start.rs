//! How long a start takes with a million stored messages.
//!
//! `cargo bench --bench cold_start` has the real binary store messages of ordinary length, once spread over 1,000
//! conversations and once over 100,000, kills it, and takes the time of its next starts: the one after the kill, which
//! replays what came after the last checkpoint, and those after clean stops. `-- --messages N` chooses how many.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

#[path = "support/client.rs"]
mod client;
#[path = "support/requests.rs"]
mod requests;
#[path = "support/results.rs"]
mod results;
#[path = "support/server.rs"]
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use serde::Serialize;

use crate::requests::{Requests, Target};
use crate::server::{Home, Server};

/// How many requests are made at once, to be sent then.
const AT_ONCE: u64 = 50_000;
/// Over how many connections.
const CONNECTIONS: usize = 128;
/// How long that many requests may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Start with many stored messages
#[derive(Debug, Parser)]
struct Args {
    /// How many messages are stored
    #[arg(long, default_value_t = 1_000_000)]
    messages: u64,
    /// Over how many conversations they are spread
    #[arg(long, num_args = 1.., default_values_t = [1_000, 100_000])]
    conversations: Vec<u64>,
    /// How often each start is measured
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Few messages, to see that it works
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

/// What one directory gave.
#[derive(Debug, Serialize)]
struct Line {
    messages: u64,
    conversations: u64,
    fill_seconds: f64,
    slowest_request_ms: f64,
    disk_bytes_per_message: u64,
    /// After a clean stop; the median.
    ready_after_stop_ms: f64,
    /// After the kill; there is one such start only.
    ready_after_kill_ms: f64,
    resident_when_filled_mib: u64,
    resident_when_started_mib: u64,
}

fn main() {
    let mut args = Args::parse();
    if args.quick {
        (args.messages, args.conversations, args.rounds) = (2_000, vec![100], 1);
    }
    println!(
        "{:>9} {:>13} {:>8} {:>10} {:>10} {:>13} {:>13} {:>10} {:>11}",
        "messages",
        "conversations",
        "fill s",
        "slowest ms",
        "bytes/msg",
        "stopped ms",
        "killed ms",
        "RSS filled",
        "RSS started"
    );
    let lines: Vec<Line> = args
        .conversations
        .iter()
        .map(|&conversations| {
            let line = measure(&args, conversations);
            line.print();
            line
        })
        .collect();
    results::write(args.json.as_deref(), &lines);
}

fn measure(args: &Args, conversations: u64) -> Line {
    let home = Home::new();
    let server = Server::start(&home, args.binary.as_deref());
    let filled = fill(&server, args.messages, conversations);
    let resident_when_filled = resident_mib(server.pid());
    // A kill, not a stop.
    drop(server);
    let killed = Server::start(&home, args.binary.as_deref());
    let ready_after_kill = killed.ready_after;
    killed.stop();
    let mut after_stop = Vec::new();
    let mut resident = 0;
    for _ in 0..args.rounds.max(1) {
        let server = Server::start(&home, args.binary.as_deref());
        after_stop.push(server.ready_after);
        resident = resident_mib(server.pid());
        server.stop();
    }
    after_stop.sort_unstable();
    Line {
        messages: args.messages,
        conversations,
        fill_seconds: filled.took.as_secs_f64(),
        slowest_request_ms: millis(filled.slowest),
        disk_bytes_per_message: bytes_below(&home.data()) / args.messages.max(1),
        ready_after_stop_ms: millis(after_stop[after_stop.len() / 2]),
        ready_after_kill_ms: millis(ready_after_kill),
        resident_when_filled_mib: resident_when_filled,
        resident_when_started_mib: resident,
    }
}

#[derive(Default)]
struct Filled {
    took: Duration,
    /// The longest time that one request took, with checkpoints running beside it.
    slowest: Duration,
}

/// Has so many messages stored.
fn fill(server: &Server, messages: u64, conversations: u64) -> Filled {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("an event loop can be made");
    let mut filled = Filled::default();
    runtime.block_on(async {
        client::once(server.address, &requests::connect()).await;
        let mut stored = 0;
        while stored < messages {
            let count = AT_ONCE.min(messages - stored);
            let requests = Requests::new(Target::Send, stored, count, conversations);
            let done = client::round(server.address, CONNECTIONS, requests, PATIENCE).await;
            assert_eq!(done.requests, count, "the server is too slow");
            stored += count;
            filled.took += done.elapsed;
            let slowest = Duration::from_micros(done.latencies.max());
            filled.slowest = filled.slowest.max(slowest);
        }
    });
    filled
}

impl Line {
    fn print(&self) {
        println!(
            "{:>9} {:>13} {:>8.1} {:>10.0} {:>10} {:>13.0} {:>13.0} {:>10} {:>11}",
            self.messages,
            self.conversations,
            self.fill_seconds,
            self.slowest_request_ms,
            self.disk_bytes_per_message,
            self.ready_after_stop_ms,
            self.ready_after_kill_ms,
            self.resident_when_filled_mib,
            self.resident_when_started_mib
        );
    }
}

/// How many bytes the files below this directory take on the disk.
fn bytes_below(directory: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let entries = fs::read_dir(directory).expect("the directory can be read");
    let bytes = entries.map(|entry| {
        let path = entry.expect("the directory can be read").path();
        let about = fs::metadata(&path).expect("the file is there");
        if about.is_dir() {
            bytes_below(&path)
        } else {
            about.blocks() * 512
        }
    });
    bytes.sum()
}

fn resident_mib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_ascii_whitespace().next());
    kib.and_then(|kib| kib.parse::<u64>().ok())
        .expect("the kernel tells how much is resident")
        / 1_024
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
