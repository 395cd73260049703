//! The growth of a start and of a request with the number of accounts.
//!
//! `cargo bench --bench accounts` makes 100,000 accounts with five users each, every user with a bearer token, and starts the
//! real binary on them, after a clean stop and after `kill -9`. Then users of many accounts ask who they are: each for the
//! first time since the start, when the service has to read the account, and once more. `-- --accounts N` chooses how many,
//! `-- --quick` is a smoke.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use futures_util::future::join_all;
use switchboard_actors::domain::account::credentials::token::CreateToken;
use switchboard_actors::domain::account::group::Group;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::user::Standing;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::installation::accounts::create::CreateAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::system::users::UserToAdd;
use switchboard_actors::{Ports, System, SystemConfig, Threads};
use switchboard_bench::goals::Goal;
use switchboard_bench::machine::{bytes_below, resident_mib};
use switchboard_bench::server::{HOST, Home, Server, away, config};
use switchboard_bench::statistics::{exact, histogram, length, micros, micros_of};
use switchboard_worlds::Receiver;

/// Accounts that are made at once, so that they share a sync.
const AT_ONCE: usize = 200;
/// Users of an account.
const USERS: usize = 5;
/// With this many accounts ...
const MANY: usize = 100_000;
/// ... a start takes at most so long ...
const READY_MS_MAX: f64 = 1_000.0;
/// ... and the service has at most so much memory.
const RESIDENT_MIB_MAX: f64 = 300.0;

/// Make many accounts
#[derive(Debug, Parser)]
struct Args {
    /// Number of accounts
    #[arg(long, default_value_t = MANY)]
    accounts: usize,
    /// Of how many accounts a user asks, twice
    #[arg(long, default_value_t = 5_000)]
    asking: usize,
    /// Few of both, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// Another binary than the one built now, to compare with
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// The flag that cargo passes to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let mut args = Args::parse();
    if args.quick {
        (args.accounts, args.asking) = (400, 50);
    }
    let own_binary = Path::new(env!("CARGO_BIN_EXE_switchboard"));
    let binary = args.binary.as_deref().unwrap_or(own_binary);
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let home = Home::below(parent, config(0, &away()))?;
    let start = Instant::now();
    let tokens = actix::System::new().block_on(fill(&home, &args));
    let micros_per_account = micros(start.elapsed()) / length(args.accounts.max(1));
    println!("{micros_per_account:.0} µs for an account with its users and their tokens");
    // The first start declares what the configuration names.
    Server::start(&home, binary)?.stop()?;
    let server = Server::start(&home, binary)?;
    let after_stop = micros(server.ready_after) / 1e3;
    drop(server);
    let server = Server::start(&home, binary)?;
    let after_kill = micros(server.ready_after) / 1e3;
    let resident_at_start = resident_mib(server.pid())?;
    let first = ask(&server, &tokens)?;
    let second = ask(&server, &tokens)?;
    let resident_in_use = resident_mib(server.pid())?;
    println!(
        "{:>8} {:>8} {:>14} {:>14} {:>10} {:>10} {:>16} {:>16}",
        "accounts",
        "disk MiB",
        "ready ms, stop",
        "ready ms, kill",
        "RSS MiB",
        "in use",
        "first p50/p99 us",
        "again p50/p99 us"
    );
    println!(
        "{:>8} {:>8.0} {:>14.0} {:>14.0} {:>10.0} {:>10.0} {:>16} {:>16}",
        args.accounts,
        exact(bytes_below(&home.data())?) / 1_048_576.0,
        after_stop,
        after_kill,
        resident_at_start,
        resident_in_use,
        format!("{}/{}", first[0], first[1]),
        format!("{}/{}", second[0], second[1]),
    );
    if args.accounts >= MANY {
        print_goals(&[
            (
                "ms from a start after a stop to readiness",
                after_stop,
                READY_MS_MAX,
            ),
            (
                "ms from a start after a kill to readiness",
                after_kill,
                READY_MS_MAX,
            ),
            (
                "MiB resident after the start",
                resident_at_start,
                RESIDENT_MIB_MAX,
            ),
            (
                "MiB resident with accounts in use",
                resident_in_use,
                RESIDENT_MIB_MAX,
            ),
        ]);
    }
    server.stop()
}

/// Prints of each figure whether it is at most what it may be.
fn print_goals(figures: &[(&str, f64, f64)]) {
    for (what, measured, most) in figures {
        let what = format!("{what}, {MANY} accounts and more");
        println!("{}", Goal::at_most(what, *measured, *most));
    }
}

/// Makes the accounts; gives the token of a user of each account that is asked for later.
async fn fill(home: &Home, args: &Args) -> Vec<String> {
    let ports = Ports::files(&home.data(), Arc::new(Receiver::default()));
    let config = SystemConfig {
        threads: Threads::Own(2),
        hot_max: 10_000,
        ..SystemConfig::default()
    };
    let system = System::start(config, ports.expect("the disk can be used")).expect("a start");
    let every = (args.accounts / args.asking.max(1)).max(1);
    let mut tokens = Vec::new();
    for first in (0..args.accounts).step_by(AT_ONCE) {
        let batch = first..args.accounts.min(first + AT_ONCE);
        let tokens_of_batch = join_all(batch.clone().map(|number| account(&system, number))).await;
        let sampled_tokens = batch
            .zip(tokens_of_batch)
            .filter(|(number, _)| number % every == 0);
        tokens.extend(sampled_tokens.map(|(_, token)| token));
    }
    let report = system.shutdown(Duration::from_secs(600)).await;
    assert!(report.answered, "the system stops in time");
    tokens
}

/// Makes an account with users, and a token for each; gives that of the last one.
async fn account(system: &System, number: usize) -> String {
    let command = CreateAccount {
        by: By::Operator,
        id: None,
        settings: AccountSettings::new(format!("Account {number}").parse().expect("a name")),
    };
    let account = system
        .create_account(command)
        .await
        .expect("it is stored")
        .id;
    let new_users = (0..USERS).map(|user| UserToAdd {
        name: format!("User {user} of {number}").parse().expect("a name"),
        email: format!("user{user}.{number}@example.com")
            .parse()
            .expect("an address"),
        lang: None,
        standing: Some(match user {
            0 => Standing::Administrator,
            _ => Standing::Own(Box::new(Rights::denied(&[]))),
        }),
        group: Group::DEFAULT,
        password: None,
    });
    let users = system
        .create_users(account, By::Operator, new_users.collect())
        .await;
    let mut last = String::new();
    for user in users.expect("they are stored") {
        let holder = Holder {
            account,
            user: user.id,
        };
        let token = CreateToken {
            by: By::Operator,
            name: "benchmark".parse().expect("a name"),
            expires_at: None,
        };
        let (_, made) = system
            .create_token(holder, token)
            .await
            .expect("it is stored");
        made.expose().clone_into(&mut last);
    }
    last
}

/// Has each of these users ask who they are; gives the median and the 99th percentile in microseconds.
fn ask(server: &Server, tokens: &[String]) -> Result<[u64; 2]> {
    let mut connection = TcpStream::connect(server.address)?;
    connection.set_nodelay(true)?;
    let mut latencies = histogram()?;
    for token in tokens {
        let request = format!(
            "GET /inbox/v1/me HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        let start = Instant::now();
        connection.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        while !is_whole(&answer) {
            let mut piece = [0; 4_096];
            let read = connection.read(&mut piece)?;
            assert!(read > 0, "the server closed the connection");
            answer.extend_from_slice(&piece[..read]);
        }
        latencies.record(micros_of(start.elapsed()))?;
        assert!(
            answer.starts_with(b"HTTP/1.1 200 "),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    Ok([0.5, 0.99].map(|share| latencies.value_at_quantile(share)))
}

/// Returns whether all of an answer is there.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let lengths = head
        .lines()
        .filter_map(|line| line.strip_prefix("content-length: "));
    let length = lengths
        .filter_map(|digits| digits.parse::<usize>().ok())
        .next();
    body.len() >= length.expect("every answer has its length")
}
