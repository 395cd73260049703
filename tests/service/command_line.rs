//! The commands that play the integration, as processes beside the service.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::client::message;
use crate::support::limit::{Limit, Limited as _};
use crate::support::operating::{json_in, printed_by, run_aside};
use crate::support::server::{ACCOUNT, CHANNEL, OPERATOR_TOKEN, SECRET, Server};

/// A configuration for commands: the service, its operator, and the first channel with this secret.
fn beside(server: &Server, secret: &str) -> PathBuf {
    let file = server.directory().join("beside.toml");
    let text = format!(
        "[server]\npublic_url = \"{}\"\n[operator]\ntoken = \"{OPERATOR_TOKEN}\"\n\
         [[accounts]]\nid = \"{ACCOUNT}\"\nname = \"First\"\n\
         [[channels]]\nid = \"{CHANNEL}\"\nname = \"First\"\nsecret = \"{secret}\"\n",
        server.url()
    );
    std::fs::write(&file, text).unwrap();
    file
}

/// Runs a command with the configuration that has this secret.
fn run(server: &Server, secret: &str, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command
        .args(args)
        .arg("--config")
        .arg(beside(server, secret))
        .current_dir(server.directory());
    command.limited_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn operated(server: &Server, args: &[&str]) -> String {
    printed_by(run_aside(server, args).await, args)
}

/// The paths that integrations posted to, newest first.
async fn posted(server: &Server) -> Vec<String> {
    let list = server
        .client()
        .operate("GET", "/admin/v1/requests")
        .send()
        .await
        .is(200);
    let requests = list.json["requests"].as_array().unwrap().iter();
    requests
        .map(|it| it["path"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn sending_leaves_the_connection_unchanged() {
    let server = Server::start().await;
    let version = async || {
        let test = ["channel", "test", CHANNEL, "--json"];
        let came = run_aside(&server, &test).await;
        json_in(&String::from_utf8(came.stdout).unwrap())["version"].clone()
    };
    let connect =
        json!({ "account_id": ACCOUNT, "title": "My messenger", "hook_api_version": "v1" });
    let tail = format!("{CHANNEL}/connect");
    server.client().post(&tail, &connect).await.is(200);
    let output = run(&server, SECRET, &["send", "Hello"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(version().await, "v1");
    let connects = |paths: Vec<String>| {
        let connects = paths.iter().filter(|path| path.ends_with("/connect"));
        connects.count()
    };
    assert_eq!(connects(posted(&server).await), 1);
    // On purpose.
    let output = run(&server, SECRET, &["send", "Hello", "--hook", "v2"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(version().await, "v2");
    server.client().disconnect().await;
    let command_output = run(&server, SECRET, &["send", "Hello", "--no-connect"]);
    assert_eq!(command_output.status.code(), Some(1));
    let output = run(&server, SECRET, &["send", "Hello"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        said(&output).starts_with("connected: account "),
        "{output:?}"
    );
}

#[tokio::test]
async fn messages_are_sent_and_imported_in_either_generation() {
    let server = Server::start().await;
    let history = server.directory().join("history.jsonl");
    for (number, generation) in ["2019", "current", "any"].into_iter().enumerate() {
        let set = ["channel", "update", CHANNEL, "--generation", generation];
        operated(&server, &set).await;
        let output = run(&server, SECRET, &["send", "Hello"]);
        assert_eq!(output.status.code(), Some(0), "{generation} {output:?}");
        let lines: String = (0..20)
            .map(|line| {
                let (msgid, said) = (format!("m-{number}-{line}"), format!("c-{line}"));
                format!("{}\n", message(&msgid, &said))
            })
            .collect();
        std::fs::write(&history, lines).unwrap();
        let imported = run(&server, SECRET, &["import", "history.jsonl", "--json"]);
        assert_eq!(imported.status.code(), Some(0), "{generation} {imported:?}");
        let summary: Value = serde_json::from_slice(&imported.stdout).unwrap();
        assert_eq!(summary["messages"], 20, "{generation} {summary}");
    }
}

#[tokio::test]
async fn an_outdated_secret_is_named_by_its_fingerprint() {
    let server = Server::start().await;
    server.client().connect("v2").await;
    let old = json_in(&operated(&server, &["channel", "get", CHANNEL, "--json"]).await);
    let rotate = ["channel", "rotate-secret", CHANNEL, "--json", "--grace"];
    let new = json_in(&operated(&server, &[&rotate[..], &["2h"]].concat()).await);
    let output = run(&server, SECRET, &["send", "Hello"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    operated(&server, &["channel", "end-rotation", CHANNEL]).await;
    let [old, new] = [old, new].map(|it| it["secret_fingerprint"].as_str().unwrap().to_owned());
    let why = format!(
        "the secret in {} is no longer the channel's (fingerprint {old}, the channel has {new})",
        server.directory().join("beside.toml").display()
    );
    std::fs::write(
        server.directory().join("history.jsonl"),
        message("m", "c").to_string(),
    )
    .unwrap();
    for args in [&["send", "Hello"][..], &["import", "history.jsonl"]] {
        let command_output = run(&server, SECRET, args);
        assert_eq!(command_output.status.code(), Some(1), "{command_output:?}");
        let text = said(&command_output);
        assert!(text.contains("403") && text.contains(&why), "{text}");
        assert!(text.contains("with --secret"), "{text}");
        // The integration goes on with the right secret, also if this command is run.
        assert!(
            text.contains("--grace 24h") && !text.contains("--grace 0s"),
            "{text}"
        );
        assert!(
            !text.contains("goes on") && !text.contains(SECRET),
            "{text}"
        );
    }
    // Without the operator's token, only the fingerprint is known.
    let args = ["send", "Hello", "--channel", CHANNEL];
    let bare = [&args[..], &["--account", ACCOUNT, "--secret", SECRET]].concat();
    let command_output = run_aside(&server, &bare).await;
    let text = said(&command_output);
    assert!(
        text.contains(&format!("its fingerprint is {old}")),
        "{text}"
    );

    let mut listener = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["listen", "--port", "0", "--config"])
        .arg(beside(&server, SECRET))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _limit = Limit::on(&listener);
    let mut lines = BufReader::new(listener.stderr.take().unwrap()).lines();
    let listening = lines.next().unwrap().unwrap();
    let address = listening.split(' ').nth(2).unwrap().to_owned();
    let webhook = ["channel", "update", CHANNEL, "--webhook-v2", &address];
    operated(&server, &webhook).await;
    let tested = run_aside(&server, &["channel", "test", CHANNEL]).await;
    assert_eq!(tested.status.code(), Some(1), "{tested:?}");
    assert_eq!(lines.next().unwrap().unwrap(), why);
    listener.kill().unwrap();
    listener.wait().unwrap();
}
