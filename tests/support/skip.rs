//! Tests that need more than every machine has, and the list of them at the end of a run.
//!
//! A test that is skipped says so, and the harness keeps what passing tests say to itself. So each is noted in a file of
//! the run too, which the last test program of the workspace (`actors/tests/what_was_skipped.rs`) prints. All programs of
//! a run have one parent, Cargo: its process names the file.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, getppid};

/// Says why a test cannot run here, and `how` it could. Where everything has to run (`REQUIRE_ALL=1`), that is a failure.
pub fn skipped(why: &str, how: &str) {
    let all = std::env::var_os("REQUIRE_ALL").is_some_and(|value| value == "1");
    assert!(
        !all,
        "REQUIRE_ALL is set, but this cannot run: {why} ({how})"
    );
    left_out(why, how);
}

/// As [`skipped`], of a test that only `tests/long` can run, because it makes there what the test needs: it is no failure anywhere.
pub fn left_to_long(why: &str, step: &str) {
    left_out(why, &format!("tests/long {step}"));
}

/// As [`skipped`], of a test that needs what neither Debian nor `PyPI` nor npm has: it is no failure anywhere.
pub fn left_to_others(why: &str, how: &str) {
    left_out(why, how);
}

fn left_out(why: &str, how: &str) {
    println!("skipped: {why} ({how})");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default();
    note(
        &folder(),
        &this_run(),
        [env!("CARGO_CRATE_NAME"), test, how, why],
    );
}

/// Returns the skipped tests of this run, and forgets them, as it forgets what is left of runs that have ended.
pub fn list() -> String {
    taken(&folder(), &this_run())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped")
}

/// Returns the name of this run: its process, and the start of that.
fn this_run() -> String {
    let parent = getppid().map_or(0, |parent| Pid::as_raw(Some(parent)));
    run_of(&parent.to_string())
}

fn run_of(process: &str) -> String {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the process stands in parentheses and may hold anything; the 20th value behind it is the start.
    let (_, values) = stat.rsplit_once(')').unwrap_or_default();
    let began = values.split_whitespace().nth(19).unwrap_or("ended");
    format!("{process}-{began}")
}

/// Notes a skipped test: its program, its name, how it could run, and why it does not.
pub fn note(folder: &Path, run: &str, skipped: [&str; 4]) {
    let plain = skipped.map(|text| {
        let line = text.lines().next().unwrap_or_default().replace('\t', " ");
        line.chars().take(300).collect::<String>()
    });
    fs::create_dir_all(folder).unwrap();
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(folder.join(run));
    // One write: tests of a program run side by side.
    let line = format!("{}\n", plain.join("\t"));
    file.unwrap().write_all(line.as_bytes()).unwrap();
}

/// As [`list`], of this folder and run.
pub fn taken(folder: &Path, run: &str) -> String {
    let text = fs::read_to_string(folder.join(run)).unwrap_or_default();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.split('-').next().unwrap_or_default();
        if name == run || run_of(process) != name {
            fs::remove_file(entry.path()).unwrap_or_default();
        }
    }
    if text.is_empty() {
        return "No test was skipped.".to_owned();
    }
    let mut reasons: BTreeMap<[&str; 3], Vec<&str>> = BTreeMap::new();
    for line in text.lines() {
        if let [program, test, how, why] = line.split('\t').collect::<Vec<_>>()[..] {
            reasons.entry([program, how, why]).or_default().push(test);
        }
    }
    let mut report = format!("Skipped tests: {}", text.lines().count());
    for ([program, how, why], mut tests) in reasons {
        tests.sort_unstable();
        report.push_str(&format!("\n  {program}: {why}\n    to run them: {how}"));
        for test in tests {
            report.push_str(&format!("\n    - {test}"));
        }
    }
    report
}
