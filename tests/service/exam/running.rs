//! `switchboard exam --webhook`: a bridge that runs already.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use super::rules_with;
use crate::clients::run;
use crate::support::limit::{Limit, Limited as _};
use crate::support::port::HeldPort;
use crate::support::skip::skipped;

/// Rules whose faults strike what the program does late, one with ids that the bridge remembers, and some that need a program of
/// the exam's own.
const RULES: &str = "9,12,20,21,28,31";
const HELD: [u64; 4] = [9, 20, 21, 28];
const NOT_TRIED: [u64; 2] = [12, 31];
/// The end of the lines that say what the program has to have.
const LAST: &str = "SWITCHBOARD_USER_TOKEN=";

/// A bridge on a port of its own, in a directory of its own.
struct Bridge {
    child: Child,
    _limit: Limit,
}

impl Bridge {
    fn start(port: u16, directory: &Path, values: &[(String, String)]) -> Self {
        let variables = values.iter().map(|(name, value)| (name, value));
        let child = Command::new("python3")
            .arg("examples/python/bridge.py")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("PORT", port.to_string())
            .env("SWITCHBOARD_EXAM_DIRECTORY", directory)
            .envs(variables)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            _limit: Limit::of_a_test(&child),
            child,
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The exam of whatever listens at the port.
fn command(port: u16, world_port: u16, directory: &Path) -> Command {
    let key = directory.join("worlds.key");
    std::fs::write(&key, "a key of enough bytes").unwrap();
    let mut exam = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    exam.args(["exam", "--only", RULES, "--webhook"])
        .arg(format!("http://127.0.0.1:{port}/in"))
        .arg("--worlds-key")
        .arg(key)
        .args(["--world-port", &world_port.to_string(), "--json"])
        .arg(directory.join("exam.json"));
    exam
}

fn document(directory: &Path, output: &Output) -> Value {
    let text = std::fs::read_to_string(directory.join("exam.json")).unwrap_or_default();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why}: {errors}"))
}

/// The values that the exam says: the lines from one on, up to the last one.
fn values<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<(String, String)> {
    let pairs = lines.filter_map(|line| line.split_once('='));
    let named = pairs.filter(|(name, _)| name.starts_with("SWITCHBOARD_"));
    named
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The exam says the values for the bridge, and they are the same the next time. The bridge keeps its memory.
#[test]
fn a_bridge_that_runs_already_is_examined_again_and_again() {
    if let Err(why) = run(Command::new("python3").arg("--version")) {
        return skipped(&why, "install Python 3");
    }
    let directory = tempfile::tempdir().unwrap();
    let places = [HeldPort::take(), HeldPort::take()];
    let [port, world_port] = places.each_ref().map(HeldPort::number);
    let mut first = command(port, world_port, directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = Limit::of_a_test(&first);
    let mut errors = BufReader::new(first.stderr.take().unwrap());
    let mut text = String::new();
    while !text.contains(LAST) && errors.read_line(&mut text).unwrap() > 0 {}
    let first_values = values(text.lines());
    assert_eq!(first_values.len(), 6, "{text}");
    let url = format!("http://127.0.0.1:{world_port}");
    assert_eq!(first_values[0], ("SWITCHBOARD_URL".to_owned(), url));
    let memory = tempfile::tempdir().unwrap();
    let _bridge = Bridge::start(port, memory.path(), &first_values);
    let reader = std::thread::spawn(move || errors.lines().map_while(Result::ok).last());
    let output = first.wait_with_output().unwrap();
    reader.join().unwrap();
    let report = document(directory.path(), &output);
    assert_eq!(rules_with(&report, "holds"), HELD, "{report:#}");
    assert_eq!(rules_with(&report, "not_tried"), NOT_TRIED, "{report:#}");
    let rules = report["rules"].as_array().unwrap().iter();
    for rule in rules.filter(|rule| rule["verdict"] == "not_tried") {
        let why = rule["why"].as_str().unwrap();
        assert!(why.contains("give its command line by --command"), "{why}");
    }
    let output = command(port, world_port, directory.path())
        .test_output()
        .unwrap();
    let report = document(directory.path(), &output);
    assert_eq!(rules_with(&report, "holds"), HELD, "{report:#}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(values(errors.lines()), first_values);
}

#[test]
fn a_webhook_and_a_command_exclude_each_other_and_one_is_needed() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let key = &file("worlds.key", "a key of enough bytes")[..];
    let short_key = &file("short.key", "short")[..];
    let at_home = "http://127.0.0.1:9/in";
    for (flags, sentence) in [
        (&[][..], "--command <COMMAND>"),
        (
            &[
                "--webhook",
                at_home,
                "--worlds-key",
                key,
                "--command",
                "false",
            ],
            "cannot be used with",
        ),
        (&["--webhook", at_home], "--worlds-key <FILE>"),
        (
            &["--command", "false", "--worlds-key", key],
            "cannot be used with",
        ),
        (
            &[
                "--webhook",
                "http://bridge.example:9/in",
                "--worlds-key",
                key,
            ],
            "expected an address of this machine",
        ),
        (
            &["--webhook", at_home, "--worlds-key", short_key],
            "has 16 to 4096 bytes",
        ),
        (
            &[
                "--webhook",
                at_home,
                "--worlds-key",
                key,
                "--profile",
                "bot",
            ],
            "--webhook is for bridges",
        ),
    ] {
        let mut exam = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        let output = exam.arg("exam").args(flags).limited_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
}
