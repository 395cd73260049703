//! The commands of the README and of the pages it links to, run as they stand there: only the ports differ, so that
//! tests can run beside a service.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use serde_json::Value;
use tokio::net::TcpSocket;

use crate::support::PATIENCE;
use crate::support::limit::Limited as _;
use crate::support::skip::skipped;

const BINARY: &str = env!("CARGO_BIN_EXE_switchboard");

/// The pages whose commands are run, in their order: one service serves all of them.
const PAGES: [&str; 4] = [
    "README.md",
    "docs/quick-start.md",
    "docs/operating.md",
    "docs/users-and-roles.md",
];

/// These pages and the shipped configuration, on ports of their own.
struct Place {
    folder: tempfile::TempDir,
    readme: String,
    ports: [Port; 2],
}

/// A port that stands in the README, and the one that is used in its place.
struct Port {
    written: &'static str,
    used: String,
    /// Bound, and never listening: a program that asks for any free port gets another one, and one that asks for this
    /// port gets it.
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
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_reuseaddr(true).unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Self {
            written,
            used: socket.local_addr().unwrap().port().to_string(),
            _held: socket,
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
        for page in PAGES {
            place.readme += &std::fs::read_to_string(root.join(page)).unwrap();
        }
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

    /// The marks of all blocks that have one, in their order.
    fn marks(&self) -> Vec<String> {
        let fences = self
            .readme
            .lines()
            .filter_map(|line| line.strip_prefix("```"));
        let marks = fences.filter(|mark| mark.contains(" readme-"));
        marks.map(str::to_owned).collect()
    }

    fn output_of(&self, mark: &str) -> String {
        self.output_of_script(&self.block(mark))
    }

    fn output_of_script(&self, script: &str) -> String {
        let output = self.shell(script).limited_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
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
    let until = Instant::now() + PATIENCE;
    loop {
        let rest = until.saturating_duration_since(Instant::now());
        let line = heard
            .recv_timeout(rest)
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
    let has_curl = Command::new("curl")
        .arg("--version")
        .limited_output()
        .is_ok();
    if !has_curl {
        skipped("there is no curl", "install curl");
    }
    has_curl
}

/// The JSON documents that stand one behind the other.
fn documents(text: &str) -> Vec<Value> {
    let documents = serde_json::Deserializer::from_str(text).into_iter();
    documents.collect::<Result<_, _>>().unwrap()
}

#[track_caller]
fn has_lines(text: &str, lines: &[&str]) {
    // The width of a column is that of its longest cell.
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in lines {
        let is_there = text.lines().any(|known| words(known) == words(line));
        assert!(is_there, "{line}: {text}");
    }
}

/// Everything in the order of the README, in one service that is used all the time.
#[test]
fn the_readme_works_from_its_first_command_to_its_last() {
    if !has_curl() {
        return;
    }
    let place = Place::new();
    let mut run = Run::start(&place);
    for mark in place.marks() {
        run.block(&mark);
    }
    assert_eq!(run.done, STEPS, "a block was added, taken away or moved");
    // What came behind has broken nothing of what came first.
    let listened = run.talk();
    assert!(listened.contains("Yes, it is!"), "{listened}");
}

/// The blocks that are run, in their order.
const STEPS: [&str; 12] = [
    "sh readme-listen",
    "sh readme-talk",
    "text readme-output",
    "sh readme-lead",
    "sh readme-signed",
    "json readme-wrong",
    "sh readme-events",
    "sh readme-operator",
    "sh readme-rotate",
    "sh readme-people",
    "sh readme-users",
    "sh readme-seller",
];

/// Sends the body whose answer the README shows.
const WRONG: &str = r#"
BODY='{"event_type":"new_message","payload":{"timestamp":1639604761,"conversation_id":"c-clara","silent":"no",
  "sender":{"id":"u-clara","name":"Clara","avatar":"https://example.com/c.png"},"message":{"type":"text","text":"Hi"}}}'
SIGNATURE=$(printf %s "$BODY" | cargo run -q -- sign -)
SCOPE=f90ba33d-c9d9-44da-b76c-c349b0ecbe41_af9945ff-1490-4cad-807d-945c15d88bec
curl -s -H 'Content-Type: application/json' -H "X-Signature: $SIGNATURE" --data-raw "$BODY" \
  http://127.0.0.1:8080/v2/origin/custom/$SCOPE
"#;

/// One service, one receiver, and what was done so far.
struct Run<'a> {
    place: &'a Place,
    _service: Running,
    listener: Option<(Running, Receiver<String>)>,
    talked: String,
    done: Vec<String>,
}

impl<'a> Run<'a> {
    fn start(place: &'a Place) -> Self {
        let (service, said) = place.start(BINARY);
        line_with(&said, "is ready on");
        for told in [
            "ada@example.com with the password Passw0rd",
            "reply \"Hello!\"",
        ] {
            line_with(&said, told);
        }
        Self {
            place,
            _service: service,
            listener: None,
            talked: String::new(),
            done: Vec::new(),
        }
    }

    fn heard(&self) -> &Receiver<String> {
        &self.listener.as_ref().unwrap().1
    }

    /// Runs the block of the first conversation, and returns its output.
    fn talk(&self) -> String {
        let script = format!("exec 2>&1\n{}", self.place.block("```sh readme-talk"));
        let text = self.place.output_of_script(&script);
        masked(&text) + &masked(&line_with(self.heard(), "Yes, it is!"))
    }

    fn block(&mut self, mark: &str) {
        self.done.push(mark.to_owned());
        let place = self.place;
        let fence = format!("```{mark}");
        match mark {
            "sh readme-listen" => {
                let process = place.start(&place.block(&fence));
                line_with(&process.1, "listening on");
                self.listener = Some(process);
            }
            "sh readme-talk" => self.talked = self.talk(),
            "text readme-output" => assert_eq!(self.talked, place.block(&fence)),
            "json readme-wrong" => {
                let answers = documents(&place.output_of_script(&place.moved(WRONG)));
                assert_eq!(answers, documents(&place.block(&fence)));
            }
            _ => self.checked(mark, &place.output_of(&fence)),
        }
    }

    /// Checks the output of a block that ends by itself.
    fn checked(&self, mark: &str, printed: &str) {
        match mark {
            "sh readme-lead" => {
                let lead = &documents(printed)[0]["_embedded"]["leads"][0];
                let stage = (lead["pipeline_id"].as_u64(), lead["status_id"].as_u64());
                assert_eq!(stage, (Some(1), Some(1)), "{lead}");
            }
            "sh readme-signed" => {
                assert_eq!(documents(printed)[0]["hook_api_version"], "v2");
            }
            "sh readme-operator" => {
                has_lines(
                    printed,
                    &[
                        "state               callbacks are sent",
                        "generation          current",
                        "delivered  yes",
                        "status     200",
                    ],
                );
                let secrets = printed.matches("\nsecret       ").count();
                assert_eq!(secrets, 2, "{printed}");
                line_with(self.heard(), "This is a test callback.");
            }
            "sh readme-rotate" => {
                let secrets = printed.lines().filter(|line| line.starts_with("secret  "));
                assert_eq!(secrets.count(), 2, "{printed}");
            }
            "sh readme-people" => {
                has_lines(printed, &["admin   true", "name     nightly report"]);
            }
            "sh readme-users" => {
                let bo = &documents(printed)[2]["_embedded"]["users"][2];
                assert_eq!(bo["_embedded"]["roles"][0]["name"], "Sellers", "{bo}");
            }
            "sh readme-seller" => {
                // The customer of the first screen, taken by a seller.
                let answers = documents(printed);
                let lead = &answers[0]["_embedded"]["unsorted"][0];
                assert_eq!(lead["metadata"]["from"], "Clara", "{answers:?}");
                assert_eq!(answers[1]["uid"], "1", "{answers:?}");
            }
            "sh readme-events" => {
                has_lines(
                    printed,
                    &["typing callbacks     yes", "reaction callbacks   yes"],
                );
            }
            other => panic!("nothing is known of the block {other}"),
        }
    }
}
