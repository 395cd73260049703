//! `switchboard dev attach`: programs that share one process.

use std::fs::Permissions;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::Value;

use crate::support::eventually;
use crate::support::limit::{Limit, Limited as _};

/// A program that is attached; its standard input is open until it is dropped.
struct Attached {
    child: Child,
    _limit: Limit,
    ready: Value,
    _output: BufReader<ChildStdout>,
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn command(directory: &Path, name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.args(["dev", "attach", name]);
    command.env("XDG_RUNTIME_DIR", directory);
    // Not the configuration of this project.
    command.current_dir(directory);
    command
}

fn attach(directory: &Path, name: &str) -> Attached {
    let mut command = command(directory, name);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let limit = Limit::of_a_test(&child);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    Attached {
        child,
        _limit: limit,
        ready: serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}")),
        _output: output,
    }
}

fn pid(attached: &Attached) -> Pid {
    let pid = attached.ready["pid"].as_i64().unwrap();
    Pid::from_raw(i32::try_from(pid).unwrap()).unwrap()
}

async fn has_ended(pid: Pid) {
    eventually("the process has ended", async || {
        test_kill_process(pid).is_err().then_some(())
    })
    .await;
}

/// Programs that come at once get one process. It outlives each of them, even one that is killed, and ends after the last.
#[tokio::test]
async fn programs_share_a_process_until_the_last_has_ended() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let at_once: Vec<Attached> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| attach(path, "shared")))
            .collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let of_first = pid(&at_once[0]);
    assert!(at_once.iter().all(|it| pid(it) == of_first));
    let other = attach(path, "other");
    assert_ne!(pid(&other), of_first);
    let late = attach(path, "shared");
    drop(at_once);
    // The lease of one that is left keeps it for those that come.
    let later = attach(path, "shared");
    assert_eq!((pid(&late), pid(&later)), (of_first, of_first));
    drop((late, later, other));
    has_ended(of_first).await;
    let again = attach(path, "shared");
    assert_ne!(pid(&again), of_first);
    let of_again = pid(&again);
    drop(again);
    has_ended(of_again).await;
}

/// The command ends when its standard input is closed, and fails when the process ends first.
#[tokio::test]
async fn a_lease_ends_with_its_program_or_the_process() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = attach(directory.path(), "a");
    drop(first.child.stdin.take());
    assert!(first.child.wait().unwrap().success());
    let mut second = attach(directory.path(), "a");
    // Waiting for a child closes its standard input, unless it is kept.
    let open = second.child.stdin.take();
    rustix::process::kill_process(pid(&second), rustix::process::Signal::KILL).unwrap();
    assert_eq!(second.child.wait().unwrap().code(), Some(1));
    drop(open);
    // The files of a process that was killed are in nobody's way.
    let third = attach(directory.path(), "a");
    assert_ne!(pid(&third), pid(&second));
    let of_third = pid(&third);
    drop(third);
    has_ended(of_third).await;
}

/// The file that a program asked for is complete and, since it has a token, for its user alone, even if it was there before.
#[tokio::test]
async fn a_ready_file_is_written_for_the_user_alone() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.json");
    std::fs::write(&file, "").unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let mut child = command(directory.path(), "a");
    child.arg("--ready-file").arg(&file).stdin(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let _limit = Limit::on(&child);
    let json = eventually("the file is written", async || {
        let text = std::fs::read_to_string(&file).ok();
        text.filter(|text| !text.is_empty())
    })
    .await;
    let ready: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
    assert!(child.wait().unwrap().success());
    assert!(!file.exists());
    let pid = i32::try_from(ready["pid"].as_i64().unwrap()).unwrap();
    has_ended(Pid::from_raw(pid).unwrap()).await;
}

/// A file of an earlier command would lead a program that waits for it to a process that has ended.
#[tokio::test]
async fn a_ready_file_is_there_while_the_lease_is_held() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mine.json");
    std::fs::write(&file, "of yesterday").unwrap();
    let mut process = command(directory.path(), "no name");
    let second = process
        .arg("--ready-file")
        .arg(&file)
        .limited_output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(!file.exists(), "a command that failed leaves none");
    std::fs::write(&file, "of yesterday").unwrap();
    let mut child = command(directory.path(), "a");
    child.arg("--ready-file").arg(&file).stdin(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let _limit = Limit::on(&child);
    let stdin = child.stdin.take();
    let ready: Value = eventually("the file is written", async || {
        let text = std::fs::read_to_string(&file).ok()?;
        serde_json::from_str(&text).ok()
    })
    .await;
    let own = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(own, Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(!file.exists());
    drop(stdin);
    let pid = i32::try_from(ready["pid"].as_i64().unwrap()).unwrap();
    has_ended(Pid::from_raw(pid).unwrap()).await;
}

#[test]
fn wrong_names_and_directories_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let stderr_of = |name: &str| {
        let mut child = command(directory.path(), name)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let _limit = Limit::on(&child);
        let mut stderr = String::new();
        let mut errors = child.stderr.take().unwrap();
        errors.read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{stderr}");
        stderr
    };
    for name in ["", "../x", "a/b", ".hidden", "a b", &"x".repeat(65)] {
        assert!(stderr_of(name).contains("1 to 64 letters"), "{name}");
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    // A directory that others can write to may hold a ready file of theirs.
    let open = directory.path().join("switchboard");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, Permissions::from_mode(0o777)).unwrap();
    assert!(stderr_of("name").contains("not a directory of this user alone"));
}
