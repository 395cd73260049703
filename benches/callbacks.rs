//! Callbacks: how many leave and what they cost, what hanging receivers do to healthy ones, what a long queue costs in
//! memory and at a start.
//!
//! `cargo bench --bench callbacks` starts the real binary with two HTTP workers on a fresh directory on the disk:
//! * *drain*: callbacks that gathered while their channel was paused leave to a receiver that does nothing, until the last
//!   outcome is on disk; in turn with a bare loop of the same HTTP client with as many requests under way, over the same
//!   body to the same receiver.
//! * *rate*: answers written over kept-alive connections, each durable before it is acknowledged and each delivered; the
//!   work of writing is in it. In turn with such a bare loop.
//! * *isolation*: 100 endpoints at a steady pace, with and without ten of them hanging, with a backlog.
//! * *backlog*: the memory with many callbacks queued for a dead endpoint, and the time from a start to the first delivery
//!   when the endpoint is there again. `-- --queued 1000000` is the promise; the default is small.
//!
//! Each promise is printed with its limit, and whether it is met.
//!
//! `-- --quick` takes seconds, `-- --json FILE` writes the figures down, `-- --parts rate` chooses.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

#[path = "support/bare.rs"]
mod bare;
#[path = "support/draining.rs"]
mod draining;
#[path = "support/callback_figures.rs"]
mod figures;
#[path = "support/machine.rs"]
mod machine;
#[path = "support/replies.rs"]
mod replies;
#[path = "support/results.rs"]
mod results;
#[path = "support/server.rs"]
mod server;
#[path = "support/sink.rs"]
mod sink;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};

use crate::bare::bare_loop;
use crate::draining::OPERATOR;
use crate::figures::{Backlog, Drain, Figures, Isolation, Rate, verdict};
use crate::machine::{cpu_time, fdatasync};
use crate::replies::{Connection, TOKEN};
use crate::server::{ACCOUNT, CHANNEL, HOST, Home, SECRET, Server};
use crate::sink::Sink;

/// How long everything may take to arrive.
const PATIENCE: Duration = Duration::from_secs(600);
/// How many connections answers are written over, and how many requests the bare loop has under way beside that.
const CONNECTIONS: usize = 64;
/// How many attempts the service has under way to one endpoint at most, and the bare loop beside a drain.
const IN_FLIGHT: usize = 32;
/// How many channels there are for the isolation, and how many of them hang.
const CHANNELS: usize = 100;
const HANGING: usize = 10;

/// Measure callbacks
#[derive(Debug, Parser)]
struct Args {
    /// What is measured
    #[arg(long, value_enum, num_args = 1.., default_values_t = [Part::Drain, Part::Rate, Part::Isolation, Part::Backlog])]
    parts: Vec<Part>,
    /// Rounds of each
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Callbacks in a round of the rate
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
    /// What cargo says to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Drain,
    Rate,
    Isolation,
    Backlog,
}

fn main() {
    let mut args = Args::parse();
    if args.quick {
        (args.rounds, args.callbacks, args.conversations) = (1, 500, 50);
        (args.pace, args.seconds) = (100, 1);
        (args.queued, args.queued_conversations) = (500, 50);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("an event loop can be made");
    let figures = runtime.block_on(measure(&args));
    results::write(args.json.as_deref(), &figures);
}

async fn measure(args: &Args) -> Figures {
    let sink = Sink::start();
    let mut figures = Figures::default();
    let home = || self::home(config(&[(CHANNEL.to_owned(), hook(&sink, "in"))]));
    if args.parts.contains(&Part::Drain) {
        figures.drain = Some(drain(args, &home(), &sink).await);
    }
    if args.parts.contains(&Part::Rate) {
        let home = home();
        figures.fdatasync_us = micros(fdatasync(home.path()));
        println!(
            "fdatasync of 4 KiB on this disk: {:.0} µs (median)",
            figures.fdatasync_us
        );
        figures.rate = Some(rate(args, &home, &sink).await);
    }
    if args.parts.contains(&Part::Isolation) {
        figures.isolation = Some(isolation(args, &sink).await);
    }
    if args.parts.contains(&Part::Backlog) {
        figures.backlog = Some(backlog(args, &sink).await);
    }
    figures
}

/// A directory for servers with this configuration.
fn home(config: String) -> Home {
    let mut home = Home::new();
    home.config = config;
    home
}

fn hook(sink: &Sink, path: &str) -> String {
    format!("http://{}/{path}/:scope_id", sink.address)
}

/// An account with a user, these channels, and no quota in the way.
fn config(channels: &[(String, String)]) -> String {
    let mut text = format!(
        r#"[operator]
token = "{OPERATOR}"

[[accounts]]
id = "{ACCOUNT}"
name = "Benchmark"

[[accounts.users]]
name = "Ada"
email = "ada@example.com"
password = "Secr3tive"
is_admin = true
token = "{TOKEN}"

[media]
policy = "off"

[dispatch]
allow_private_networks = true
queued_per_conversation_max = 100000
queued_per_scope_max = 100000000
queued_per_endpoint_max = 100000000
queued_max = 100000000

"#
    );
    for (id, hook) in channels {
        text.push_str(&format!(
            "[[channels]]\nid = \"{id}\"\nname = \"Benchmark\"\nsecret = \"{SECRET}\"\nwebhook_v2 = \"{hook}\"\naccounts = [\"*\"]\n\n"
        ));
    }
    text
}

async fn drain(args: &Args, home: &Home, sink: &Sink) -> Drain {
    let server = Server::start(home, args.binary.as_deref());
    let channels = [CHANNEL.to_owned()];
    let targets = replies::open(server.address, &channels, args.conversations).await;
    let (mut ours, mut bare, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    // The first round of each is not counted: caches and connections become warm.
    for round in 0..=args.rounds {
        draining::pause(server.address).await;
        replies::write(server.address, CONNECTIONS, &targets, args.callbacks).await;
        let drained = draining::drain(&server, sink, args.callbacks, PATIENCE).await;
        let loop_took = bare_loop(sink.address, IN_FLIGHT, args.callbacks).await;
        if round > 0 {
            let count = exact(args.callbacks);
            ours.push(count / drained.took.as_secs_f64());
            bare.push(count / loop_took.as_secs_f64());
            cpu.push(micros(drained.cpu) / count);
        }
    }
    server.stop();
    let (ours, bare) = (median(ours), median(bare));
    let drain = Drain {
        callbacks_per_second: ours,
        bare_per_second: bare,
        of_bare: ours / bare,
        server_cpu_us_per_callback: median(cpu),
    };
    drain.print(IN_FLIGHT);
    drain
}

async fn rate(args: &Args, home: &Home, sink: &Sink) -> Rate {
    let server = Server::start(home, args.binary.as_deref());
    let channels = [CHANNEL.to_owned()];
    let targets = replies::open(server.address, &channels, args.conversations).await;
    let (mut ours, mut bare, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    let (mut p50, mut p99) = (Vec::new(), Vec::new());
    // The first round of each is not counted: caches and connections become warm.
    for round in 0..=args.rounds {
        sink.reset();
        let (before, taken) = (cpu_time(server.pid()), sink.taken());
        let begun = Instant::now();
        replies::write(server.address, CONNECTIONS, &targets, args.callbacks).await;
        sink.wait_for(taken + args.callbacks, PATIENCE).await;
        let took = begun.elapsed();
        let spent = cpu_time(server.pid()).saturating_sub(before);
        let loop_took = bare_loop(sink.address, CONNECTIONS, args.callbacks).await;
        if round > 0 {
            let count = exact(args.callbacks);
            ours.push(count / took.as_secs_f64());
            bare.push(count / loop_took.as_secs_f64());
            cpu.push(micros(spent) / count);
            let ways = sink.ways();
            p50.push(exact(ways.value_at_quantile(0.5)));
            p99.push(exact(ways.value_at_quantile(0.99)));
        }
    }
    server.stop();
    let (ours, bare) = (median(ours), median(bare));
    let rate = Rate {
        callbacks_per_second: ours,
        bare_per_second: bare,
        of_bare: ours / bare,
        server_cpu_us_per_callback: median(cpu),
        way_p50_us: median(p50),
        way_p99_us: median(p99),
    };
    println!(
        "rate: {:.0} answers written, stored and delivered per second ({:.2} of {:.0} bare requests), {:.1} µs of CPU each; \
         on their way {:.1} ms in the median, p99 {:.1} ms",
        rate.callbacks_per_second,
        rate.of_bare,
        rate.bare_per_second,
        rate.server_cpu_us_per_callback,
        rate.way_p50_us / 1e3,
        rate.way_p99_us / 1e3
    );
    rate
}

async fn isolation(args: &Args, sink: &Sink) -> Isolation {
    let id = |number: usize| format!("channel-{number:03}");
    let ids: Vec<String> = (0..CHANNELS).map(id).collect();
    let channels = |hanging: usize| -> Vec<(String, String)> {
        let hook = |place: usize| hook(sink, if place < hanging { "hang" } else { "in" });
        let hooks = ids.iter().enumerate();
        hooks.map(|(place, id)| (id.clone(), hook(place))).collect()
    };
    let (mut alone, mut beside) = (Vec::new(), Vec::new());
    let homes = [home(config(&channels(0))), home(config(&channels(HANGING)))];
    let servers: Vec<Server> = homes
        .iter()
        .map(|home| Server::start(home, args.binary.as_deref()))
        .collect();
    let mut targets = Vec::new();
    for (server, hanging) in servers.iter().zip([0, HANGING]) {
        let all = replies::open(server.address, &ids, 10).await;
        let (ill, well) = all.split_at(HANGING * 10);
        // The backlog of those that hang, or would: it stays for as long as the benchmark takes.
        let taken = sink.taken();
        let backlog = 20 * u64::try_from(ill.len()).expect("they are few");
        replies::write(server.address, CONNECTIONS, ill, backlog).await;
        if hanging == 0 {
            sink.wait_for(taken + backlog, PATIENCE).await;
        }
        targets.push(well.to_vec());
    }
    for round in 0..=args.rounds {
        for ((server, targets), found) in
            servers.iter().zip(&targets).zip([&mut alone, &mut beside])
        {
            sink.reset();
            let taken = sink.taken();
            let time = Duration::from_secs(args.seconds);
            let count = replies::pace(server.address, targets, args.pace, time).await;
            sink.wait_for(taken + count, PATIENCE).await;
            if round > 0 {
                found.push(exact(sink.ways().value_at_quantile(0.99)));
            }
        }
    }
    drop(servers);
    let (alone, beside) = (median(alone), median(beside));
    println!(
        "isolation (D4): p99 of {} healthy endpoints {:.1} ms, with {HANGING} hanging beside them {:.1} ms: {:.2} times \
         (limit 2: {})",
        CHANNELS - HANGING,
        alone / 1e3,
        beside / 1e3,
        beside / alone,
        verdict(beside < 2.0 * alone)
    );
    Isolation {
        healthy_p99_us: alone,
        healthy_p99_beside_hanging_us: beside,
        ratio: beside / alone,
    }
}

async fn backlog(args: &Args, sink: &Sink) -> Backlog {
    let dead = "http://127.0.0.1:9/:scope_id".to_owned();
    let mut home = self::home(config(&[(CHANNEL.to_owned(), dead)]));
    let server = Server::start(&home, args.binary.as_deref());
    let channels = [CHANNEL.to_owned()];
    let targets = replies::open(server.address, &channels, args.queued_conversations).await;
    let rss_before = resident(server.pid(), "VmRSS");
    let took = replies::write(server.address, CONNECTIONS, &targets, args.queued).await;
    let rss_queued = resident(server.pid(), "VmRSS");
    let rss_peak = resident(server.pid(), "VmHWM");
    server.stop();
    home.config = config(&[(CHANNEL.to_owned(), hook(sink, "in"))]);
    sink.reset();
    let taken = sink.taken();
    let begun = Instant::now();
    let server = Server::start(&home, args.binary.as_deref());
    let ready = server.ready_after;
    sink.wait_for(taken + 1, PATIENCE).await;
    let first = sink.first().expect("one came") - begun;
    let counted = until_writable(&server, &targets, begun).await;
    let rss_after = resident(server.pid(), "VmHWM");
    drop(server);
    let backlog = Backlog {
        queued: args.queued,
        queued_per_second: exact(args.queued) / took.as_secs_f64(),
        rss_before_mib: rss_before,
        rss_queued_mib: rss_queued,
        rss_peak_mib: rss_peak,
        rss_peak_after_start_mib: rss_after,
        ready_ms: micros(ready) / 1e3,
        first_delivery_ms: micros(first) / 1e3,
        counted_ms: micros(counted) / 1e3,
    };
    backlog.print();
    backlog
}

/// When the queue is counted and answers are taken again.
async fn until_writable(server: &Server, targets: &[String], begun: Instant) -> Duration {
    let body = r#"{"type":"text","text":"after the start"}"#;
    let request = format!(
        "POST {} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: {}\r\n\r\n{body}",
        targets[0],
        body.len()
    );
    let mut connection = Connection::open(server.address).await;
    loop {
        let (status, said) = connection.exchange(request.as_bytes()).await;
        match status {
            201 => return begun.elapsed(),
            503 => {}
            _ => assert_eq!(status, 201, "{said}"),
        }
    }
}

/// The resident memory of a process in MiB: now (`VmRSS`), or the most it ever was (`VmHWM`).
fn resident(pid: u32, which: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix(which));
    let kib = line.and_then(|line| {
        let value = line.strip_prefix(':')?.trim();
        value.split(' ').next()?.parse::<f64>().ok()
    });
    kib.expect("the kernel tells it") / 1_024.0
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn exact(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
