//! `switchboard import`: a history, silently, without a duplicate.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::client::{message, scope, signature};
use crate::support::eventually;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup};

/// A history of this many messages, dealt out to ten conversations in turn.
fn history(count: usize) -> Vec<Value> {
    (0..count)
        .map(|number| message(&format!("m{number}"), &format!("c{}", number % 10)))
        .collect()
}

fn written(server: &Server, lines: &[Value]) -> PathBuf {
    let file = server.directory().join("history.jsonl");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, text).unwrap();
    file
}

fn import(server: &Server, file: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command
        .args(["import", "--url", server.url(), "--secret", SECRET])
        .args(["--scope", &scope(CHANNEL, ACCOUNT)])
        .args(more)
        .arg(file)
        .current_dir(server.directory())
        .stdin(Stdio::null());
    command
}

/// The summary of an import that ended with this code, and what it said.
fn ended(output: &Output, code: i32) -> (Value, String) {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    (
        serde_json::from_slice(&output.stdout).unwrap_or_default(),
        said,
    )
}

fn imported(server: &Server, file: &Path, more: &[&str], code: i32) -> (Value, String) {
    let more = [more, &["--json"]].concat();
    ended(&import(server, file, &more).output().unwrap(), code)
}

/// The msgids of each conversation, oldest first.
async fn stored(server: &Server) -> Vec<Vec<String>> {
    let client = server.client();
    let mut all = Vec::new();
    for conversation in client.conversations().await {
        let messages = client.messages(conversation["id"].as_str().unwrap()).await;
        let ids = messages
            .iter()
            .rev()
            .map(|it| it["client_id"].as_str().unwrap().to_owned());
        all.push((
            conversation["client_id"].to_string(),
            ids.collect::<Vec<_>>(),
        ));
    }
    all.sort();
    all.into_iter().map(|(_, ids)| ids).collect()
}

fn expected(count: usize) -> Vec<Vec<String>> {
    let of = |conversation| {
        let numbers = (0..count).filter(move |number| number % 10 == conversation);
        numbers.map(|number| format!("m{number}")).collect()
    };
    (0..10).map(of).collect()
}

#[tokio::test]
async fn a_history_comes_in_silently_and_in_order_and_a_second_time_nothing_does() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let mut lines = history(1_000);
    for (number, line) in lines.iter_mut().enumerate() {
        if number % 2 == 0 {
            *line = line["payload"].take();
        }
    }
    let file = written(&server, &lines);
    let (summary, _) = imported(&server, &file, &[], 0);
    assert_eq!(summary["messages"], 1_000);
    assert_eq!(stored(&server).await, expected(1_000));
    assert!(server.client().deals().await.is_empty());
    assert_eq!(server.client().conversations().await[0]["unread"], 0);
    let (summary, _) = imported(&server, &file, &[], 0);
    assert_eq!(
        (&summary["messages"], &summary["skipped"]),
        (&json!(0), &json!(1_000))
    );
    assert_eq!(stored(&server).await, expected(1_000));
}

#[tokio::test]
async fn every_bad_line_is_reported_with_its_number_and_path_and_the_others_come_in() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let mut lines = history(20);
    lines[3]["payload"]["timestamp"] = json!("1639604761");
    lines[3]["payload"]["sender"]["avatar"] = json!("nowhere");
    lines[7]["event_type"] = json!("edit_message");
    // Only the service can know this one.
    lines[9]["payload"]["conversation_ref_id"] = json!("b0c8b1a4-2d5e-4c59-9d0c-0f6a4b3c2d1e");
    let file = written(&server, &lines);
    let (summary, said) = imported(&server, &file, &[], 1);
    assert_eq!(
        (&summary["messages"], &summary["refused"]),
        (&json!(17), &json!(3))
    );
    for line in [
        ":4: payload.timestamp (InvalidType): ",
        ":4: payload.sender.avatar (InvalidValue): ",
        ":8: event_type (NotSupportedChoice): ",
        ":10: payload.conversation_ref_id (InvalidValue): ",
    ] {
        assert!(
            said.contains(&format!("history.jsonl{line}")),
            "{line} in {said}"
        );
    }
    assert_eq!(stored(&server).await.concat().len(), 17);
}

#[tokio::test]
async fn a_message_that_is_there_with_other_content_is_skipped_and_counted_apart() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    // Both were heard before, loud; one of them was edited since.
    client.sent(&message("m0", "c0")).await;
    client.sent(&message("m1", "c1")).await;
    let mut lines = history(10);
    lines[1]["payload"]["message"]["text"] = json!("another text");
    let file = written(&server, &lines);
    let (summary, _) = imported(&server, &file, &[], 0);
    let counted = ["messages", "skipped", "skipped_with_other_content"].map(|key| &summary[key]);
    assert_eq!(counted, [&json!(8), &json!(1), &json!(1)]);
    assert_eq!(client.deals().await.len(), 2);
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap_or_default();
        self.0.wait().unwrap();
    }
}

#[tokio::test]
async fn an_import_that_was_killed_goes_on_without_a_duplicate() {
    // So slow that it is seen in the middle on any machine.
    let server = Setup::default()
        .setting("limits", "channel_requests_per_second = 250")
        .start()
        .await;
    server.client().connect("v2").await;
    let file = written(&server, &history(2_500));
    let mark = server.directory().join("history.jsonl.import-mark");
    let mut first = import(&server, &file, &["--in-flight", "2"]);
    let first = Killed(
        first
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap(),
    );
    eventually("a part is imported", async || mark.exists().then_some(())).await;
    drop(first);
    assert!(mark.exists(), "it was killed before its end");
    let (summary, said) = imported(&server, &file, &[], 0);
    assert!(said.contains("was imported up to line "), "{said}");
    let count = |key: &str| summary[key].as_u64().unwrap();
    // What was under way at the kill may be stored without being counted, or repeated.
    assert!(count("messages") + count("skipped") >= 2_500, "{summary}");
    assert_eq!(stored(&server).await, expected(2_500));
    assert!(!mark.exists());
}

#[tokio::test]
async fn a_file_that_changed_since_the_interruption_is_refused_until_restarted() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let mut lines = history(10);
    let file = written(&server, &lines);
    let url = format!("{}/", server.url());
    let tally = json!({ "stored": 1, "repeated": 0, "differing": 0, "refused": 0 });
    let mark = json!({ "form": 1, "url": url, "scope": scope(CHANNEL, ACCOUNT), "lines": 1,
        "bytes": lines[0].to_string().len() + 1, "digest": signature("no digest", b"of it"), "tally": tally });
    let beside = server.directory().join("history.jsonl.import-mark");
    std::fs::write(&beside, mark.to_string()).unwrap();
    lines.truncate(5);
    let (_, said) = imported(&server, &file, &[], 1);
    assert!(said.contains("has changed before line 2"), "{said}");
    assert!(server.client().conversations().await.is_empty());
    let (summary, _) = imported(&server, &file, &["--restart"], 0);
    assert_eq!(summary["messages"], 10);
    assert!(!beside.exists());
}

#[tokio::test]
async fn a_dry_run_checks_every_line_and_sends_none() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let mut lines = history(10);
    let file = written(&server, &lines);
    let (summary, _) = imported(&server, &file, &["--dry-run"], 0);
    assert_eq!(summary["messages"], 10);
    lines[4]["payload"]["msgid"] = json!(7);
    let file = written(&server, &lines);
    let (summary, said) = imported(&server, &file, &["--dry-run"], 1);
    assert_eq!(
        (&summary["messages"], &summary["refused"]),
        (&json!(9), &json!(1))
    );
    assert!(said.contains(":5: payload.msgid (InvalidType): "), "{said}");
    assert!(server.client().conversations().await.is_empty());
}

#[tokio::test]
async fn what_cannot_work_ends_with_1_and_what_is_asked_wrongly_with_2() {
    let server = Server::start().await;
    let file = written(&server, &history(10));
    let (_, said) = imported(&server, &file, &[], 1);
    assert!(said.contains("if the account is not connected"), "{said}");
    server.client().connect("v2").await;
    let mut wrong = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    let scope = scope(CHANNEL, ACCOUNT);
    wrong
        .args([
            "import",
            "--url",
            server.url(),
            "--secret",
            "wrong",
            "--scope",
            &scope,
        ])
        .arg(&file)
        .current_dir(server.directory());
    let (_, said) = ended(&wrong.output().unwrap(), 1);
    assert!(said.contains("403") && !said.contains("goes on"), "{said}");
    let missing = server.directory().join("nothing.jsonl");
    imported(&server, &missing, &[], 2);
    imported(&server, &file, &["--in-flight", "0"], 2);
    assert!(server.client().conversations().await.is_empty());
}
