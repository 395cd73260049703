//! Callbacks that wait: how fast they leave and what they cost, what hanging receivers do to healthy ones, what a long queue
//! costs in memory and at a start. From an answer to its callback is a target of the benchmark `throughput`.
//!
//! `cargo bench --bench callbacks` starts the real binary with two HTTP workers on a fresh directory on the disk:
//! * *drain*: callbacks that gathered while their channel was paused leave to a receiver that does nothing, until the last
//!   outcome is on disk; in turn with a bare loop of the same HTTP client with as many requests in progress, with a
//!   body of the same length to the same receiver. What a callback costs more than a bare request is the part of the
//!   service.
//! * *isolation*: 100 endpoints at a steady pace, with and without ten of them hanging, with a backlog.
//! * *backlog*: the memory with many callbacks queued for a dead endpoint, and the time from a start to the first delivery
//!   when the endpoint is there again. `-- --queued 1000000` is the promise; the default is small.
//!
//! Each promise is printed with its limit, and whether it is met.
//!
//! `-- --quick` takes seconds, `-- --json FILE` writes the figures down, `-- --parts drain` chooses.
#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

#[path = "support/answers.rs"]
mod answers;
#[path = "support/draining.rs"]
mod draining;
#[path = "support/callback_figures.rs"]
mod figures;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use switchboard_bench::bare;
use switchboard_bench::client::Connection;
use switchboard_bench::machine::{allow_many_files, peak_mib, resident_mib};
use switchboard_bench::report;
use switchboard_bench::requests;
use switchboard_bench::server::{CHANNEL, Home, Server};
use switchboard_bench::sink::Sink;
use switchboard_bench::statistics::{exact, median, micros, per_second};

use crate::draining::OPERATOR;
use crate::figures::{Backlog, Drain, Figures, Isolation};

/// The longest wait for everything to arrive.
const PATIENCE: Duration = Duration::from_secs(600);
/// The number of connections over which answers are written.
const CONNECTIONS: usize = 64;
/// The most attempts that the service has in progress to one endpoint, and the bare loop beside a drain.
const IN_FLIGHT: usize = 32;
/// The duration of that loop in a round.
const BARE: Duration = Duration::from_secs(1);
/// The number of channels for the isolation, and of those that hang.
const CHANNELS: usize = 100;
const HANGING: usize = 10;

/// Measure callbacks
#[derive(Debug, Parser)]
struct Args {
    /// Parts of the measurement
    #[arg(long, value_enum, num_args = 1.., default_values_t = [Part::Drain, Part::Isolation, Part::Backlog])]
    parts: Vec<Part>,
    /// Rounds of each
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Callbacks in a round of the drain
    #[arg(long, default_value_t = 20_000)]
    callbacks: u64,
    /// Conversations they are spread over
    #[arg(long, default_value_t = 1_000)]
    conversations: u64,
    /// Answers per second of the isolation
    #[arg(long, default_value_t = 500)]
    pace: u64,
    /// Length of a round of the isolation in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Callbacks queued for the dead endpoint
    #[arg(long, default_value_t = 20_000)]
    queued: u64,
    /// Conversations that they are queued in
    #[arg(long, default_value_t = 10_000)]
    queued_conversations: u64,
    /// One short round of each, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// Also write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Another binary than the one built now, to compare with
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// The flag that cargo passes to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Drain,
    Isolation,
    Backlog,
}

impl Args {
    fn binary(&self) -> &Path {
        let own_binary = Path::new(env!("CARGO_BIN_EXE_switchboard"));
        self.binary.as_deref().unwrap_or(own_binary)
    }
}

fn main() -> Result<()> {
    let mut args = Args::parse();
    if args.quick {
        (args.rounds, args.callbacks, args.conversations) = (1, 500, 50);
        (args.pace, args.seconds) = (100, 1);
        (args.queued, args.queued_conversations) = (500, 50);
    }
    allow_many_files()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let figures = runtime.block_on(measure(&args))?;
    report::write(args.json.as_deref(), &figures)
}

async fn measure(args: &Args) -> Result<Figures> {
    let sink = Sink::start()?;
    let mut figures = Figures::default();
    if args.parts.contains(&Part::Drain) {
        figures.drain = Some(drain(args, &sink).await?);
    }
    if args.parts.contains(&Part::Isolation) {
        figures.isolation = Some(isolation(args, &sink).await?);
    }
    if args.parts.contains(&Part::Backlog) {
        figures.backlog = Some(backlog(args, &sink).await?);
    }
    Ok(figures)
}

/// A directory below the build directory, so on a real disk, for servers with these channels.
fn home(channels: &[(String, String)]) -> Result<Home> {
    Home::below(Path::new(env!("CARGO_TARGET_TMPDIR")), config(channels))
}

/// An account with a user, these channels, and an operator.
fn config(channels: &[(String, String)]) -> String {
    let rest = switchboard_bench::server::config(1, channels);
    format!("[operator]\ntoken = \"{OPERATOR}\"\n\n{rest}")
}

async fn drain(args: &Args, sink: &Sink) -> Result<Drain> {
    let channels = [CHANNEL.to_owned()];
    let home = home(&[(CHANNEL.to_owned(), sink.webhook("in"))])?;
    let server = Server::start(&home, args.binary())?;
    let paths = answers::open(server.address, &channels, args.conversations).await?;
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    let (mut cpu, mut bare_cpu) = (Vec::new(), Vec::new());
    // The first round of each is not counted: caches and connections become warm.
    for round in 0..=args.rounds {
        draining::pause(server.address).await?;
        answers::write(server.address, CONNECTIONS, &paths, args.callbacks).await?;
        let drained = draining::drain(&server, sink, args.callbacks, PATIENCE).await?;
        let alone = bare::round(sink.address, IN_FLIGHT, BARE).await?;
        if round > 0 {
            ours.push(per_second(args.callbacks, drained.took));
            let requests = alone.measured.requests;
            bare.push(per_second(requests, alone.measured.elapsed));
            bare_cpu.push(micros(alone.cpu) / exact(requests.max(1)));
            cpu.push(micros(drained.cpu) / exact(args.callbacks));
        }
    }
    server.stop()?;
    let (ours, bare) = (median(ours), median(bare));
    let (cpu, bare_cpu) = (median(cpu), median(bare_cpu));
    let drain = Drain {
        callbacks_per_second: ours,
        bare_per_second: bare,
        of_bare: ours / bare,
        server_cpu_us_per_callback: cpu,
        bare_cpu_us_per_request: bare_cpu,
        our_cpu_us_per_callback: cpu - bare_cpu,
    };
    drain.print(IN_FLIGHT);
    Ok(drain)
}

async fn isolation(args: &Args, sink: &Sink) -> Result<Isolation> {
    let id = |number: usize| format!("channel-{number:03}");
    let ids: Vec<String> = (0..CHANNELS).map(id).collect();
    let channels = |hanging: usize| -> Vec<(String, String)> {
        let hook = |place: usize| sink.webhook(if place < hanging { "hang" } else { "in" });
        let hooks = ids.iter().enumerate();
        hooks.map(|(place, id)| (id.clone(), hook(place))).collect()
    };
    let mut nodes = Vec::new();
    for hanging in [0, HANGING] {
        let home = home(&channels(hanging))?;
        let server = Server::start(&home, args.binary())?;
        let all = answers::open(server.address, &ids, 10).await?;
        let (ill, well) = all.split_at(HANGING * 10);
        // The backlog of those that hang, or would: it stays for as long as the benchmark takes.
        let (taken, backlog) = (sink.taken(), 20 * u64::try_from(ill.len())?);
        answers::write(server.address, CONNECTIONS, &Rc::from(ill), backlog).await?;
        if hanging == 0 {
            sink.wait_for(taken + backlog, PATIENCE).await?;
        }
        nodes.push((server, well.to_vec(), Vec::new(), home));
    }
    for round in 0..=args.rounds {
        for (server, paths, found, _home) in &mut nodes {
            sink.reset();
            let count_before = sink.taken();
            let time = Duration::from_secs(args.seconds);
            let count = answers::pace(server.address, paths, args.pace, time).await?;
            sink.wait_for(count_before + count, PATIENCE).await?;
            if round > 0 {
                found.push(exact(sink.ways().value_at_quantile(0.99)));
            }
        }
    }
    let mut medians = nodes.into_iter().map(|(_, _, found, _)| median(found));
    let alone = medians
        .next()
        .context("there is a server without hanging receivers")?;
    let beside = medians
        .next()
        .context("there is a server with hanging receivers")?;
    let isolation = Isolation {
        healthy_p99_us: alone,
        healthy_p99_beside_hanging_us: beside,
        ratio: beside / alone,
    };
    isolation.print(CHANNELS - HANGING, HANGING);
    Ok(isolation)
}

async fn backlog(args: &Args, sink: &Sink) -> Result<Backlog> {
    let dead = "http://127.0.0.1:9/:scope_id".to_owned();
    let mut home = home(&[(CHANNEL.to_owned(), dead)])?;
    let server = Server::start(&home, args.binary())?;
    let channels = [CHANNEL.to_owned()];
    let paths = answers::open(server.address, &channels, args.queued_conversations).await?;
    let rss_before = resident_mib(server.pid())?;
    let took = answers::write(server.address, CONNECTIONS, &paths, args.queued).await?;
    let rss_queued = resident_mib(server.pid())?;
    let rss_peak = peak_mib(server.pid())?;
    server.stop()?;
    home.config = config(&[(CHANNEL.to_owned(), sink.webhook("in"))]);
    sink.reset();
    let count_before = sink.taken();
    let start = Instant::now();
    let server = Server::start(&home, args.binary())?;
    let ready = server.ready_after;
    sink.wait_for(count_before + 1, PATIENCE).await?;
    let first = sink.first().context("the first callback came")? - start;
    let until_counted = until_writable(&server, &paths, start).await?;
    let rss_after = peak_mib(server.pid())?;
    drop(server);
    let backlog = Backlog {
        queued: args.queued,
        queued_per_second: per_second(args.queued, took),
        rss_before_mib: rss_before,
        rss_queued_mib: rss_queued,
        rss_peak_mib: rss_peak,
        rss_peak_after_start_mib: rss_after,
        ready_ms: micros(ready) / 1e3,
        first_delivery_ms: micros(first) / 1e3,
        counted_ms: micros(until_counted) / 1e3,
    };
    backlog.print();
    Ok(backlog)
}

/// Waits until the queue is counted and answers are taken again; returns the time that this took.
async fn until_writable(server: &Server, paths: &[String], begun: Instant) -> Result<Duration> {
    let request = requests::reply(&paths[0], "after the start");
    let mut connection = Connection::open(server.address).await?;
    loop {
        let answer = connection.exchange(&request).await?;
        match answer.status {
            201 => return Ok(begun.elapsed()),
            503 => {}
            _ => bail!("{}", String::from_utf8_lossy(answer.body)),
        }
    }
}
