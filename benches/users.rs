//! The speed of lists of users in an account that has many.
//!
//! `cargo bench --bench users` puts 10,000 users into an account, then has the real binary list them, 250 on a page, with
//! their roles and groups, one request after the other. `-- --users N` chooses how many, `-- --quick` is a smoke.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use futures_util::future::join_all;
use hdrhistogram::Histogram;
use switchboard_actors::domain::account::rights::granted::Rights;
use switchboard_actors::domain::account::roles::create::NewRole;
use switchboard_actors::domain::account::users::TokenHash;
use switchboard_actors::domain::account::users::declare::DeclareUser;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::domain::installation::accounts::declare::DeclareAccount;
use switchboard_actors::domain::installation::accounts::settings::AccountSettings;
use switchboard_actors::{Ports, System, SystemConfig, Threads};
use switchboard_bench::server::{ACCOUNT, HOST, Home, Server, TOKEN, away, config};
use switchboard_worlds::Receiver;

/// Users of a page: the most that fit.
const PAGE: usize = 250;
/// Users that are declared at once, so that they share a sync.
const AT_ONCE: usize = 250;

/// List many users
#[derive(Debug, Parser)]
struct Args {
    /// Number of users of the account
    #[arg(long, default_value_t = 10_000)]
    users: usize,
    /// Number of pages requested
    #[arg(long, default_value_t = 4_000)]
    requests: usize,
    /// Few of both, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// The flag that cargo passes to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let mut args = Args::parse();
    if args.quick {
        (args.users, args.requests) = (500, 50);
    }
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let home = Home::below(parent, config(0, &away())).expect("the build directory is there");
    let fill_time = actix::System::new().block_on(fill(&home, args.users));
    let server = Server::start(&home, Path::new(env!("CARGO_BIN_EXE_switchboard")))
        .expect("the server starts");
    let mut connection = TcpStream::connect(server.address).expect("the server accepts");
    connection.set_nodelay(true).expect("TCP knows no delay");
    let pages = args.users.div_ceil(PAGE).max(1);
    let mut latencies = Histogram::<u64>::new(3).expect("three digits are possible");
    let mut bytes = 0;
    for number in 0..args.requests {
        let page = number % pages + 1;
        let target = format!("/api/v4/users?limit={PAGE}&page={page}&with=role,group");
        let start = Instant::now();
        let answer = get(&mut connection, &target);
        let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        latencies.record(micros).expect("the histogram grows");
        let users = answer.matches("\"email\":").count();
        let users_of_page = PAGE.min(args.users - (page - 1) * PAGE);
        assert_eq!(users, users_of_page, "page {page}");
        bytes = bytes.max(answer.len());
    }
    println!(
        "{:>7} {:>13} {:>14} {:>9} {:>8} {:>8} {:>8}",
        "users", "declare us/1", "ready after ms", "page KiB", "p50 us", "p99 us", "max us"
    );
    println!(
        "{:>7} {:>13.0} {:>14.0} {:>9} {:>8} {:>8} {:>8}",
        args.users,
        fill_time.as_secs_f64() * 1e6 / f64::from(u32::try_from(args.users).unwrap_or(u32::MAX)),
        server.ready_after.as_secs_f64() * 1e3,
        bytes / 1_024,
        latencies.value_at_quantile(0.5),
        latencies.value_at_quantile(0.99),
        latencies.max()
    );
    server.stop().expect("the server stops");
}

/// Declares the users, every second of whom holds no role and no rights, and returns how long that took.
async fn fill(home: &Home, users: usize) -> Duration {
    let ports = Ports::files(&home.data(), Arc::new(Receiver::default()));
    let config = SystemConfig {
        threads: Threads::Own(1),
        ..SystemConfig::default()
    };
    let system = System::start(config, ports.expect("the disk can be used")).expect("a start");
    let account: AccountId = ACCOUNT.parse().expect("an account id");
    let declared = DeclareAccount {
        id: account,
        settings: AccountSettings::new("Benchmark".parse().expect("a name")),
    };
    system
        .declare_account(declared)
        .await
        .expect("it is stored");
    let role = NewRole {
        name: "Role".parse().expect("a name"),
        rights: Rights::all(),
    };
    system
        .create_roles(account, By::Operator, vec![role])
        .await
        .expect("it is stored");
    let start = Instant::now();
    for first in (0..users).step_by(AT_ONCE) {
        let batch = (first..users.min(first + AT_ONCE)).map(|number| {
            let user = DeclareUser {
                id: None,
                name: format!("User {number}").parse().expect("a name"),
                email: format!("user{number}@example.com")
                    .parse()
                    .expect("an address"),
                is_admin: number == 0,
                password: None,
                token: (number == 0).then(|| TokenHash::new(TOKEN)),
            };
            system.declare_user(account, user)
        });
        for declared in join_all(batch).await {
            declared.expect("it is stored");
        }
    }
    let time = start.elapsed();
    let report = system.shutdown(Duration::from_secs(60)).await;
    assert!(report.answered, "the system stops in time");
    time
}

/// The body of a page.
fn get(connection: &mut TcpStream, target: &str) -> String {
    let request =
        format!("GET {target} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
    let wrote = connection.write_all(request.as_bytes());
    wrote.expect("the server reads");
    let mut answer = Vec::with_capacity(1 << 20);
    let mut piece = vec![0; 1 << 18];
    loop {
        let read = connection.read(&mut piece).expect("the server answers");
        assert!(read > 0, "the server closed the connection");
        answer.extend_from_slice(&piece[..read]);
        if let Some(body) = body(&answer) {
            return body;
        }
    }
}

/// The body, once all of it is there.
fn body(answer: &[u8]) -> Option<String> {
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let text = std::str::from_utf8(&answer[..head]).expect("heads are text");
    assert!(text.starts_with("HTTP/1.1 200 "), "{text}");
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|digits| digits.parse::<usize>().ok())
        .expect("every answer has its length");
    let body = &answer[head + 4..];
    (body.len() >= length).then(|| String::from_utf8_lossy(body).into_owned())
}
