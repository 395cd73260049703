//! `switchboard import`: a history, silently, without a duplicate.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::client::{message, scope, signature};
use crate::support::eventually;
use crate::support::limit::Limited as _;
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
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    (
        serde_json::from_slice(&output.stdout).unwrap_or_default(),
        stderr,
    )
}

fn imported(server: &Server, file: &Path, more: &[&str], code: i32) -> (Value, String) {
    let more = [more, &["--json"]].concat();
    ended(&import(server, file, &more).limited_output().unwrap(), code)
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

/// A history is imported silently and in order, and a second import adds nothing.
#[tokio::test]
async fn an_import_is_silent_ordered_and_idempotent() {
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
    assert!(server.client().leads().await.is_empty());
    assert_eq!(server.client().conversations().await[0]["unread"], 0);
    let (summary, _) = imported(&server, &file, &[], 0);
    assert_eq!(
        (&summary["messages"], &summary["skipped"]),
        (&json!(0), &json!(1_000))
    );
    assert_eq!(stored(&server).await, expected(1_000));
}

/// Every bad line is reported with its number and path, and the others are imported.
#[tokio::test]
async fn every_bad_line_is_reported_with_number_and_path() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let mut lines = history(20);
    lines[3]["payload"]["timestamp"] = json!("1639604761");
    lines[3]["payload"]["sender"]["name"] = json!(7);
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
        ":4: payload.sender.name (InvalidType): ",
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

/// A message that exists with other content is skipped and counted apart.
#[tokio::test]
async fn an_existing_message_with_other_content_is_skipped() {
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
    let counts = ["messages", "skipped", "skipped_with_other_content"].map(|key| &summary[key]);
    assert_eq!(counts, [&json!(8), &json!(1), &json!(1)]);
    assert_eq!(client.leads().await.len(), 2);
}

/// A line that was written to the customer of a conversation, in the form of the current generation.
fn written_to(conversation: &str, msgid: &str, sender: Value) -> Value {
    let mut line = message(msgid, conversation);
    let customer = line["payload"]["sender"].take();
    line["payload"]["sender"] = sender;
    line["payload"]["receiver"] = json!({ "id": customer["id"], "name": customer["name"] });
    line
}

/// Messages to customers are imported as outgoing, and leave them the customers of their conversations.
#[tokio::test]
async fn messages_to_customers_are_imported_as_outgoing() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let bot = &server.ready()["bots"][0];
    let lines = [
        message("m0", "c0"),
        written_to("c0", "m1", json!({ "ref_id": bot })),
        // A manager with an id of the integration, whom the rules of 2019 would take for the customer.
        written_to(
            "c1",
            "m2",
            json!({ "id": "mgr-7", "ref_id": bot, "name": "Max", "avatar": "https://example.com/m.png" }),
        ),
        message("m3", "c1")["payload"].take(),
        // A sender unknown to the account: the error names the line, and no other person is taken for the customer.
        written_to(
            "c0",
            "m4",
            json!({ "id": "mgr-8", "name": "Moe", "avatar": "https://example.com/m.png" }),
        ),
    ];
    let file = written(&server, &lines);
    let (summary, said) = imported(&server, &file, &[], 1);
    assert_eq!(
        (&summary["messages"], &summary["refused"]),
        (&json!(4), &json!(1))
    );
    assert!(said.contains("history.jsonl:5: payload.receiver"), "{said}");
    for conversation in client.conversations().await {
        assert_eq!(conversation["customer"]["name"], "Grace", "{conversation}");
        let id = conversation["id"].as_str().unwrap();
        let mut messages = client.messages(id).await;
        messages.reverse();
        let directions: Vec<_> = messages.iter().map(|it| it["direction"].clone()).collect();
        let first_is_ours = conversation["client_id"] == "c1";
        assert_eq!(
            directions,
            if first_is_ours {
                ["out", "in"]
            } else {
                ["in", "out"]
            }
        );
        // What was said elsewhere is not called back.
        assert!(messages.iter().all(|it| it.get("callback").is_none()));
    }
    let (summary, _) = imported(&server, &file, &[], 1);
    assert_eq!(summary["skipped"], 4);
}

/// A channel that accepts the 2019 generation alone is named as the reason for refusing an outgoing line.
#[tokio::test]
async fn an_outgoing_line_needs_a_channel_of_the_current_generation() {
    let server = Setup::default()
        .variable("SWITCHBOARD_CHANNELS__0__GENERATION", "2019")
        .start()
        .await;
    server.client().connect("v2").await;
    let bot = &server.ready()["bots"][0];
    let file = written(&server, &[message("m0", "c0")]);
    imported(&server, &file, &[], 0);
    let lines = [
        message("m0", "c0"),
        written_to("c0", "m1", json!({ "ref_id": bot })),
    ];
    let file = written(&server, &lines);
    let (_, said) = imported(&server, &file, &[], 1);
    assert!(said.contains("403"), "{said}");
    assert!(
        said.contains("channel update c0ffee00-1111-4222-8333-444455556666 --generation any"),
        "{said}"
    );
    assert_eq!(stored(&server).await.concat(), ["m0"]);
}

/// The conversations as the list has them: what the integration calls them, and when something last happened in them.
async fn listed(server: &Server) -> Vec<(String, u64)> {
    let all = server.client().conversations().await.into_iter();
    all.map(|it| {
        let name = it["client_id"].as_str().unwrap().to_owned();
        (name, it["active_at"].as_u64().unwrap())
    })
    .collect()
}

/// A history keeps its own times in the list, also when the index is rebuilt.
#[tokio::test]
async fn an_imported_history_keeps_its_times_after_an_index_rebuild() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("now", "today")).await;
    let at = |msgid: &str, conversation: &str, timestamp: u64| {
        let mut line = message(msgid, conversation);
        line["payload"]["timestamp"] = json!(timestamp);
        line
    };
    let lines = [
        at("a1", "a", 1_500_000_000),
        at("b1", "b", 1_600_000_000),
        at("a2", "a", 1_650_000_000),
        // Out of its order: what happened last stays what happened last.
        at("b2", "b", 1_400_000_000),
        // Today's conversation gets its past.
        at("t0", "today", 1_300_000_000),
    ];
    let file = written(&server, &lines);
    imported(&server, &file, &["--in-flight", "1"], 0);
    let before = listed(&server).await;
    let now = before[0].1;
    assert!(now > 1_700_000_000, "{before:?}");
    let times = [("today", now), ("a", 1_650_000_000), ("b", 1_600_000_000)];
    assert_eq!(before, times.map(|(name, at)| (name.to_owned(), at)));
    // From the states that are read again, and from an index that is made of the journal alone.
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    assert_eq!(listed(&server).await, before);
    assert_eq!(server.terminate().await, Some(0));
    let mut verify = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    verify
        .args(["verify", "--rebuild-index", "--data-dir"])
        .arg(server.data());
    ended(&verify.limited_output().unwrap(), 0);
    server.restart().await;
    assert_eq!(listed(&server).await, before);
    // A word of today raises it.
    server.client().sent(&message("b3", "b")).await;
    let after = listed(&server).await;
    let names: Vec<_> = after.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["b", "today", "a"]);
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap_or_default();
        self.0.wait().unwrap();
    }
}

#[tokio::test]
async fn a_killed_import_resumes_without_duplicates() {
    // So slow that it is seen in the middle on any machine.
    let server = Setup::default()
        .setting("limits", "channel_requests_per_second = 250")
        .start()
        .await;
    server.client().connect("v2").await;
    let file = written(&server, &history(2_500));
    let mark = server.directory().join("history.jsonl.import-mark");
    let mut first_import = import(&server, &file, &["--in-flight", "2"]);
    let first = Killed(
        first_import
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
    // What was in progress at the kill may be stored without being counted, or repeated.
    assert!(count("messages") + count("skipped") >= 2_500, "{summary}");
    assert_eq!(stored(&server).await, expected(2_500));
    assert!(!mark.exists());
}

#[tokio::test]
async fn a_file_changed_since_the_interruption_needs_a_restart() {
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
async fn an_impossible_import_ends_with_1_and_a_wrong_command_with_2() {
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
    let (_, said) = ended(&wrong.limited_output().unwrap(), 1);
    assert!(said.contains("403") && !said.contains("goes on"), "{said}");
    let missing = server.directory().join("nothing.jsonl");
    imported(&server, &missing, &[], 1);
    imported(&server, &file, &["--in-flight", "0"], 2);
    assert!(server.client().conversations().await.is_empty());
}
