//! The operator's commands, as processes beside the service, in a directory without a configuration.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::limit::Limit;
use super::server::{OPERATOR_TOKEN, Server};

/// Runs a command to its end; the thread waits.
pub fn run_here(server: &Server, args: &[&str], input: &str) -> Output {
    run_to_end(command(server, args), input)
}

/// As [`run_here`], for a test whose receiver of callbacks lives on this thread.
pub async fn run_aside(server: &Server, args: &[&str]) -> Output {
    let command = command(server, args);
    let run = move || run_to_end(command, "");
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// Returns the output of a command, which must have succeeded.
pub fn printed_by(output: Output, args: &[&str]) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the output of a command with `--json`: one line.
pub fn json_in(printed: &str) -> Value {
    assert_eq!(printed.lines().count(), 1, "{printed}");
    serde_json::from_str(printed).unwrap()
}

fn command(server: &Server, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command
        .args(args)
        .args(["--url", server.url()])
        .env("SWITCHBOARD_OPERATOR__TOKEN", OPERATOR_TOKEN)
        .current_dir(server.data())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run_to_end(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().unwrap();
    let _limit = Limit::on(&child);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}
