//! The README's commands, run as they stand there: only the ports differ, so that tests can run beside a service.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a test binary: its helpers may fail like its tests"
)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tokio::net::TcpSocket;

const DEADLINE: Duration = Duration::from_secs(120);
const BINARY: &str = env!("CARGO_BIN_EXE_switchboard");

/// The README and the shipped configuration, on ports of their own.
struct Place {
    folder: tempfile::TempDir,
    readme: String,
    ports: [Port; 2],
}

/// A port that stands in the README, and the one that is used in its place.
struct Port {
    written: &'static str,
    used: String,
    /// Bound, and never listening: whoever asks for any free port gets another one, and who asks for this one gets it.
    _held: TcpSocket,
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap_or_default();
        self.0.wait().ok();
    }
}

impl Port {
    fn in_place_of(written: &'static str) -> Self {
        let held = TcpSocket::new_v4().unwrap();
        held.set_reuseaddr(true).unwrap();
        held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self {
            written,
            used: held.local_addr().unwrap().port().to_string(),
            _held: held,
        }
    }
}

impl Place {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let ports = ["8080", "9001"].map(Port::in_place_of);
        let mut place = Self {
            folder: tempfile::tempdir().unwrap(),
            readme: String::new(),
            ports,
        };
        place.readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        let config = place.moved(&std::fs::read_to_string(root.join("config.toml")).unwrap());
        std::fs::write(place.folder.path().join("config.toml"), config).unwrap();
        place
    }

    fn moved(&self, text: &str) -> String {
        self.ports.iter().fold(text.to_owned(), |text, port| {
            text.replace(&format!(":{}", port.written), &format!(":{}", port.used))
        })
    }

    /// The text of the fenced block with this mark.
    fn block(&self, mark: &str) -> String {
        let (_, behind) = self
            .readme
            .split_once(&format!("{mark}\n"))
            .unwrap_or_else(|| panic!("no block {mark}"));
        self.moved(behind.split_once("\n```").unwrap().0)
    }

    /// A shell that runs a block of the README with the binary that was built for this test.
    fn shell(&self, script: &str) -> Command {
        let script = script
            .replace("cargo run -q --", BINARY)
            .replace("cargo run --", BINARY);
        let mut shell = Command::new("sh");
        shell
            .args(["-ec", &script])
            .env("no_proxy", "*")
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        shell
    }

    fn output_of(&self, mark: &str) -> String {
        let done = self.shell(&self.block(mark)).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{mark}: {told}");
        String::from_utf8(done.stdout).unwrap()
    }

    /// Starts a block that runs on; its lines come one by one.
    fn start(&self, script: &str) -> (Running, Receiver<String>) {
        // exec: ending the shell ends the command.
        let mut child = self
            .shell(&format!("exec {script} 2>&1"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (lines, heard) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            output
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| lines.send(line))
        });
        (Running(child), heard)
    }
}

/// The next line that contains `wanted`.
#[track_caller]
fn line_with(heard: &Receiver<String>, wanted: &str) -> String {
    let until = Instant::now() + DEADLINE;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let line = heard
            .recv_timeout(left)
            .unwrap_or_else(|_| panic!("nobody said «{wanted}»"));
        if line.contains(wanted) {
            return line;
        }
    }
}

/// Puts `<uuid>` in place of every UUID.
fn masked(text: &str) -> String {
    let is_uuid =
        |word: &str| word.len() == 36 && word.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    let mut masked = String::new();
    for piece in text.split_inclusive(|c: char| !(c == '-' || c.is_ascii_alphanumeric())) {
        let word = piece.trim_end_matches(|c: char| !(c == '-' || c.is_ascii_alphanumeric()));
        masked.push_str(if is_uuid(word) { "<uuid>" } else { word });
        masked.push_str(&piece[word.len()..]);
    }
    masked
}

/// The README's blocks use curl, which a machine with only a Rust toolchain may lack.
fn has_curl() -> bool {
    let found = Command::new("curl").arg("--version").output().is_ok();
    if !found {
        assert!(
            std::env::var_os("REQUIRE_ALL").is_none_or(|value| value != "1"),
            "curl is needed with REQUIRE_ALL=1"
        );
        println!("skipped: there is no curl");
    }
    found
}

#[test]
fn the_first_screen_gives_a_delivered_callback_and_an_unsorted_deal() {
    if !has_curl() {
        return;
    }
    let place = Place::new();
    let (_service, said) = place.start(BINARY);
    line_with(&said, "is ready on");
    let (_listener, heard) = place.start(&place.block("```sh readme-listen"));
    line_with(&heard, "listening on");
    let mut seen = masked(&place.output_of("```sh readme-talk"));
    seen.push_str(&masked(&line_with(&heard, "Yes, it is!")));
    assert_eq!(seen, place.block("```text readme-output"));

    let leads: serde_json::Value =
        serde_json::from_str(&place.output_of("```sh readme-deal")).unwrap();
    let lead = &leads["_embedded"]["leads"][0];
    assert_eq!(
        (lead["pipeline_id"].as_u64(), lead["status_id"].as_u64()),
        (Some(1), Some(1)),
        "{leads}"
    );

    let connected: serde_json::Value =
        serde_json::from_str(&place.output_of("```sh readme-signed")).unwrap();
    assert_eq!(connected["hook_api_version"], "v2", "{connected}");

    let people = place.output_of("```sh readme-people");
    for line in ["admin   true", "name     nightly report"] {
        assert!(
            people.lines().any(|known| known == line),
            "{line}: {people}"
        );
    }

    let answers = place.output_of("```sh readme-users");
    let answers: Vec<serde_json::Value> = serde_json::Deserializer::from_str(&answers)
        .into_iter()
        .collect::<Result<_, _>>()
        .unwrap();
    let bo = &answers[2]["_embedded"]["users"][2];
    assert_eq!(
        bo["_embedded"]["roles"][0]["name"], "Sellers",
        "{answers:?}"
    );

    let operated = place.output_of("```sh readme-operator");
    for line in [
        "state        callbacks are sent",
        "delivered  yes",
        "status     200",
    ] {
        assert!(
            operated.lines().any(|known| known == line),
            "{line}: {operated}"
        );
    }
    let told = place.output_of("```sh readme-told");
    for line in [
        "also told    who is typing, reactions",
        "generation   current",
    ] {
        assert!(told.lines().any(|known| known == line), "{line}: {told}");
    }
    assert_eq!(operated.matches("\nsecret       ").count(), 2, "{operated}");
    // The integration still knows the old secret only.
    line_with(&heard, "This is a test callback.");
}
