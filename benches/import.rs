//! The speed of an import and its memory, and the proof that a killed import loses and repeats nothing.
//!
//! `cargo bench --bench import` has the real binary serve, and the same binary import a file of 100,000 messages of
//! ordinary length in 1,000 conversations. Then it does so again on a fresh directory, kills the import without a warning
//! once a third is done, starts it once more, and counts what is stored. `-- --messages N` chooses how many, `-- --quick`
//! is a smoke.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark talks on the terminal and ends when something is wrong"
)]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use clap::Parser;
use serde::Serialize;
use serde_json::Value;
use switchboard_bench::server::{
    ACCOUNT, CHANNEL, HOST, Home, SECRET, Server, TOKEN, away, config,
};
use switchboard_bench::{machine, report, requests};

/// The pause between two looks at the progress of the import that is to be killed.
const GLANCE: Duration = Duration::from_millis(2);

/// Import a history
#[derive(Debug, Parser)]
struct Args {
    /// Number of messages of the history
    #[arg(long, default_value_t = 100_000)]
    messages: u64,
    /// Over how many conversations they are spread
    #[arg(long, default_value_t = 1_000)]
    conversations: u64,
    /// Few messages, to see that it works
    #[arg(long, visible_alias = "test")]
    quick: bool,
    /// Also write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The flag that cargo passes to a benchmark
    #[arg(long, hide = true)]
    bench: bool,
}

/// The figures.
#[derive(Debug, Serialize)]
struct Figures {
    messages: u64,
    conversations: u64,
    file_mib: u64,
    /// The time of the service's start, with nothing stored.
    service_ready_ms: f64,
    seconds: f64,
    messages_per_second: f64,
    /// The most memory that the import ever had.
    import_peak_mib: u64,
    /// The most memory that the service ever had.
    service_peak_mib: f64,
    service_cpu_us_per_message: f64,
    /// The line up to which the killed import had noted that everything was done.
    killed_at_line: u64,
    /// The messages that the import after it sent although the service had them.
    repeated: u64,
    /// The messages that are stored in the end.
    stored: u64,
}

fn main() {
    let mut args = Args::parse();
    if args.quick {
        (args.messages, args.conversations) = (6_000, 100);
    }
    let whole = Run::start(&args);
    let cpu_time = |pid| machine::cpu_time(pid).expect("the service runs");
    let before = cpu_time(whole.server.pid());
    let summary = whole.import();
    let cpu = cpu_time(whole.server.pid()) - before;
    let number = |key: &str| summary[key].as_u64().expect("the summary has it");
    assert_eq!(number("messages"), args.messages);
    assert_eq!(whole.stored(), args.messages);
    let service_peak_mib = machine::peak_mib(whole.server.pid()).expect("the service runs");
    let service_ready_ms = whole.server.ready_after.as_secs_f64() * 1e3;
    whole.server.stop().expect("the service stops");

    // On a fast and busy machine, the import may end before the next check.
    let (killed, killed_at_line) = (0..10)
        .find_map(|_| {
            let run = Run::start(&args);
            let line = run.kill_after(args.messages / 3)?;
            Some((run, line))
        })
        .expect("an import is killed before it is through");
    let resumed = killed.import();
    let messages_stored = killed.stored();
    assert_eq!(
        messages_stored, args.messages,
        "nothing is lost and nothing is there twice"
    );
    killed.server.stop().expect("the service stops");

    let figures = Figures {
        messages: args.messages,
        conversations: args.conversations,
        file_mib: whole.file_bytes >> 20,
        service_ready_ms,
        seconds: summary["seconds"].as_f64().expect("the summary has it"),
        messages_per_second: summary["lines_per_second"]
            .as_f64()
            .expect("the summary has it"),
        import_peak_mib: number("memory_kib") >> 10,
        service_peak_mib,
        service_cpu_us_per_message: cpu.as_secs_f64() * 1e6 / as_float(args.messages),
        killed_at_line,
        repeated: resumed["skipped"].as_u64().expect("the summary has it"),
        stored: messages_stored,
    };
    figures.print();
    report::write(args.json.as_deref(), &figures).expect("the figures can be written");
}

impl Figures {
    fn print(&self) {
        println!(
            "{:>9} {:>13} {:>8} {:>7} {:>10} {:>10} {:>11} {:>10}",
            "messages",
            "conversations",
            "file MiB",
            "s",
            "messages/s",
            "import MiB",
            "service MiB",
            "CPU us/msg"
        );
        println!(
            "{:>9} {:>13} {:>8} {:>7.1} {:>10.0} {:>10} {:>11.0} {:>10.1}",
            self.messages,
            self.conversations,
            self.file_mib,
            self.seconds,
            self.messages_per_second,
            self.import_peak_mib,
            self.service_peak_mib,
            self.service_cpu_us_per_message
        );
        println!(
            "killed at line {}, begun again: {} sent twice and skipped, {} stored",
            self.killed_at_line, self.repeated, self.stored
        );
    }
}

/// A service on a directory of its own, and a history for it.
struct Run {
    home: Home,
    server: Server,
    file: PathBuf,
    file_bytes: u64,
}

impl Run {
    fn start(args: &Args) -> Self {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let home = Home::below(parent, config(1, &away())).expect("the build directory is there");
        let binary = Path::new(env!("CARGO_BIN_EXE_switchboard"));
        let server = Server::start(&home, binary).expect("the server starts");
        let connect = requests::connect(CHANNEL, ACCOUNT).expect("the secret is one");
        let connected = exchange(&server, &connect);
        assert!(connected.starts_with("HTTP/1.1 200 "), "{connected}");
        let file = home.path().join("history.jsonl");
        let mut text = String::new();
        for number in 0..args.messages {
            text.push_str(&requests::body(number, number % args.conversations));
            text.push('\n');
        }
        fs::write(&file, &text).expect("the history can be written");
        let file_bytes = u64::try_from(text.len()).expect("files have sizes");
        Self {
            home,
            server,
            file,
            file_bytes,
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command
            .arg("import")
            .arg(&self.file)
            .args(["--json", "--secret", SECRET, "--url"])
            .arg(format!("http://{}", self.server.address))
            .args(["--scope", &format!("{CHANNEL}_{ACCOUNT}")])
            .current_dir(self.home.path())
            .stdin(Stdio::null());
        command
    }

    /// Imports what is left of the history; gives the summary.
    fn import(&self) -> Value {
        let output = self.command().output().expect("the import can be started");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "the import failed: {stderr}");
        serde_json::from_slice(&output.stdout).expect("the summary is JSON")
    }

    /// Begins an import and kills it once so many lines are done; gives up to which line it had noted that, and `None` when
    /// it was through before.
    fn kill_after(&self, lines: u64) -> Option<u64> {
        let mut command = self.command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut import = command.spawn().expect("the import can be started");
        let mark = self.home.path().join("history.jsonl.import-mark");
        loop {
            if noted(&mark) >= lines {
                break;
            }
            if let Some(status) = import.try_wait().expect("the import can be waited for") {
                assert!(status.success(), "the import failed");
                return None;
            }
            thread::sleep(GLANCE);
        }
        import.kill().expect("the import can be killed");
        import.wait().expect("the import can be waited for");
        let lines_noted = noted(&mark);
        (lines_noted > 0).then_some(lines_noted)
    }

    /// Returns how many messages the service has, in all conversations.
    fn stored(&self) -> u64 {
        let mut total = 0;
        let mut cursor = String::new();
        loop {
            let target = format!("/inbox/v1/conversations?limit=250{cursor}");
            let request = format!(
                "GET {target} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
            );
            let answer = exchange(&self.server, request.as_bytes());
            let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
            assert!(head.starts_with("HTTP/1.1 200 "), "{answer}");
            let page: Value = serde_json::from_str(body).expect("pages are JSON");
            let conversations = page["conversations"].as_array().expect("a page is a list");
            let counts = conversations.iter().map(|it| it["messages"].as_u64());
            total += counts.map(|count| count.expect("a count")).sum::<u64>();
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return total,
            }
        }
    }
}

/// Up to which line the mark beside the file says that everything is done.
fn noted(mark: &Path) -> u64 {
    // It is written under another name and renamed, so it is whole whenever it is there.
    let text = fs::read_to_string(mark).unwrap_or_default();
    let mark: Value = serde_json::from_str(&text).unwrap_or_default();
    mark["lines"].as_u64().unwrap_or(0)
}

/// Sends a request on a connection of its own; gives the answer.
fn exchange(server: &Server, request: &[u8]) -> String {
    let mut connection = TcpStream::connect(server.address).expect("the server accepts");
    connection.write_all(request).expect("the server reads");
    let end = connection.shutdown(std::net::Shutdown::Write);
    end.expect("the connection can be closed in one direction");
    let mut answer = String::new();
    let read = connection.read_to_string(&mut answer);
    read.expect("the server answers and closes");
    answer
}

fn as_float(count: u64) -> f64 {
    f64::from(u32::try_from(count).expect("counts are small"))
}
