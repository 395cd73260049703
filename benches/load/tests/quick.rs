//! The load generator as a real process: what it measures, what it writes, and that nothing of it is left.
//!
//! It needs the service's program, which `cargo test --workspace` builds into the same directory.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    unreachable_pub,
    reason = "an integration test binary"
)]

#[path = "../../../tests/support/skip.rs"]
mod skip;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The time that a test waits for a state before it fails: far longer than any machine needs that is only slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program that is measured is of another package, which `cargo test --workspace` builds first.
fn service_is_built() {
    let service = Path::new(env!("CARGO_BIN_EXE_switchboard-bench")).with_file_name("switchboard");
    assert!(
        service.is_file(),
        "{} is not there: run `cargo build` first, or `cargo test --workspace`",
        service.display()
    );
}

fn bench(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard-bench"))
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The values of a field, each once.
fn several(lines: &Value, field: &str) -> BTreeSet<String> {
    let lines = lines.as_array().unwrap().iter();
    lines.map(|line| line[field].to_string()).collect()
}

/// A quick run measures everything and leaves nothing but the picture.
#[test]
fn a_quick_run_measures_every_target_and_leaves_no_files() {
    service_is_built();
    let directory = tempfile::tempdir().unwrap();
    let args = ["--quick", "--aims", "--json", "--plot", "bench.svg"];
    let output = bench(directory.path(), &args);
    let stderr = text(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("conversations connections"), "{stderr}");
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lines = &figures["lines"];
    let mut targets = several(lines, "target");
    // Without PostgreSQL there is nothing to compare with.
    for skipped in figures["skipped"].as_array().unwrap() {
        assert_eq!(skipped["target"], "postgres");
        skip::skipped(skipped["why"].as_str().unwrap(), "install postgresql");
        assert!(stderr.contains("skipped: postgres: "), "{stderr}");
        assert!(targets.insert(skipped["target"].to_string()));
    }
    let all = [
        "bare", "floor", "hooked", "interval", "noop", "postgres", "reply", "send", "users",
        "verified",
    ];
    assert_eq!(targets, all.map(|it| format!("\"{it}\"")).into());
    assert_eq!(several(lines, "connections").len(), 2);
    for line in lines.as_array().unwrap() {
        assert!(
            line["requests_per_second"].as_f64().unwrap() > 0.0,
            "{line}"
        );
        assert!(
            line["p50_us"].as_f64() <= line["p999_us"].as_f64(),
            "{line}"
        );
        let target = line["target"].as_str().unwrap();
        let is_server = target != "bare";
        assert_eq!(
            line["server_cpu_us_per_request"].is_number(),
            is_server,
            "{line}"
        );
        let is_one_process = !["bare", "postgres"].contains(&target);
        assert_eq!(
            line["server_peak_mib"].is_number(),
            is_one_process,
            "{line}"
        );
        assert!(line["of_floor"].is_number(), "{line}");
    }
    assert_eq!(figures["half_load"].as_array().unwrap().len(), 1);
    let promises = figures["promises"].as_array().unwrap();
    let skipped = figures["skipped"].as_array().unwrap().len();
    assert_eq!(promises.len(), 7 - skipped, "{promises:?}");
    for promise in promises {
        let verdict = if promise["met"] == true {
            ", met"
        } else {
            ", NOT MET"
        };
        let line = stderr.lines().find(|line| {
            let what = promise["what"].as_str().unwrap();
            line.starts_with(what) && line.ends_with(verdict)
        });
        assert!(line.is_some(), "{promise}: {stderr}");
    }
    let entries = std::fs::read_dir(directory.path()).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["bench.svg"]);
    let picture = std::fs::read_to_string(directory.path().join("bench.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("reply"));
}

#[test]
fn the_aims_of_the_project_are_judged_on_request() {
    service_is_built();
    let directory = tempfile::tempdir().unwrap();
    let args = [
        "--quick",
        "--targets",
        "noop",
        "send",
        "--connections",
        "64",
    ];
    let output = bench(directory.path(), &args);
    let stdout = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(
        stdout.contains("send") && !stdout.contains("NOT MET"),
        "{stdout}"
    );
    assert!(!stdout.contains(", met"), "{stdout}");
}

/// A signal while the servers start ends all of them, and removes what they stored.
#[test]
fn an_interrupted_run_leaves_no_files_and_no_processes() {
    service_is_built();
    let directory = tempfile::tempdir().unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_switchboard-bench"))
        .args(["--targets", "floor", "postgres", "--rounds", "1000"])
        .current_dir(directory.path())
        .env_remove("REQUIRE_ALL")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let entries = || std::fs::read_dir(directory.path()).unwrap().count();
    let start = Instant::now();
    while entries() == 0 {
        assert_eq!(run.try_wait().unwrap(), None);
        assert!(start.elapsed() < PATIENCE, "nothing is measured");
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = Pid::from_raw(i32::try_from(run.id()).unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    let output = run.wait_with_output().unwrap();
    assert_eq!(text(&output.stderr), "error: interrupted\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(entries(), 0);
    let directory = directory.path().to_str().unwrap();
    for process in std::fs::read_dir("/proc").unwrap() {
        let path = process.unwrap().path().join("cmdline");
        let command = text(&std::fs::read(path).unwrap_or_default());
        assert!(!command.contains(directory), "still runs: {command}");
    }
}

#[test]
fn an_impossible_measurement_is_an_error_without_figures() {
    service_is_built();
    let directory = tempfile::tempdir().unwrap();
    let output = bench(directory.path(), &["--quick", "--dir", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert!(
        stderr.starts_with("error: cannot make a directory in nowhere"),
        "{stderr}"
    );
    let output = bench(directory.path(), &["--connections", "0"]);
    assert_eq!(output.status.code(), Some(2));
}
