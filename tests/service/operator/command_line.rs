//! `switchboard channel`, as a process beside the service.

use std::process::{Command, Output};

use serde_json::Value;

use crate::operator::done;
use crate::support::limit::Limited as _;
use crate::support::operating::{json_in, printed_by, run_aside};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server};

async fn channel(server: &Server, args: &[&str]) -> Output {
    run_aside(server, &[&["channel"], args].concat()).await
}

async fn printed(server: &Server, args: &[&str]) -> String {
    printed_by(channel(server, args).await, args)
}

async fn json(server: &Server, args: &[&str]) -> Value {
    json_in(&printed(server, &[args, &["--json"]].concat()).await)
}

/// The value behind a name, where there is one line for each.
fn value<'a>(printed: &'a str, name: &str) -> Option<&'a str> {
    let lines = printed.lines();
    let mut values = lines.filter_map(|line| line.strip_prefix(name));
    values.next().map(str::trim)
}

#[tokio::test]
async fn a_channel_is_created_shown_and_changed() {
    let server = Server::start().await;
    let args = [
        "create",
        "Mine",
        "--id",
        "mine",
        "--webhook-v2",
        "https://example.com/:scope_id",
    ];
    let output = channel(
        &server,
        &[&args[..], &["--timeout-seconds", "5", "--account", ACCOUNT]].concat(),
    )
    .await;
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("not shown again"), "{stderr}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(value(&stdout, "secret").unwrap().len(), 40);
    assert_eq!(value(&stdout, "accounts"), Some(ACCOUNT));
    let list = printed(&server, &["list"]).await;
    assert_eq!(list.lines().count(), 4);
    let line = list.lines().find(|line| line.starts_with("mine ")).unwrap();
    assert!(line.contains("Mine") && line.ends_with("https://example.com/:scope_id"));
    let text = printed(&server, &["get", "mine"]).await;
    assert_eq!(value(&text, "secret"), None);
    assert_eq!(value(&text, "timeout seconds"), Some("5"));
    let changes = [
        "--webhook-v2",
        "none",
        "--timeout-seconds",
        "none",
        "--all-accounts",
        "--name",
        "Ours",
        "--kind",
        "telegram",
        "--page",
        "https://bridge.example.com/",
        "--generation",
        "current",
        "--typing-callbacks",
        "true",
    ];
    let set = json(&server, &[&["update", "mine"], &changes[..]].concat()).await;
    assert_eq!(
        (&set["webhook_v2"], &set["timeout_seconds"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&set["name"], &set["accounts"][0]),
        (&"Ours".into(), &"*".into())
    );
    assert_eq!(
        (&set["generation"], &set["typing_callbacks"]),
        (&"current".into(), &true.into())
    );
    assert_eq!(json(&server, &["get", "mine"]).await, set);
    let text = printed(&server, &["get", "mine"]).await;
    assert_eq!(value(&text, "generation"), Some("current"));
    assert_eq!(value(&text, "typing callbacks"), Some("yes"));
    assert_eq!(value(&text, "kind"), Some("telegram"));
    assert_eq!(value(&text, "page"), Some("https://bridge.example.com/"));
    let any = printed(
        &server,
        &["update", "mine", "--generation", "any", "--page", "none"],
    )
    .await;
    assert_eq!(value(&any, "generation"), Some("any"));
    assert_eq!(value(&any, "page"), Some("none"));
}

#[tokio::test]
async fn a_secret_is_rotated_and_callbacks_are_paused() {
    let server = Server::start().await;
    let rotated = printed(&server, &["rotate-secret", CHANNEL, "--grace", "2h"]).await;
    assert!(
        value(&rotated, "rotation")
            .unwrap()
            .contains("both are taken")
    );
    let secret = value(&rotated, "secret").unwrap();
    assert!(secret.len() == 40 && !rotated.contains(SECRET));
    let channel_json = json(&server, &["end-rotation", CHANNEL]).await;
    assert_eq!(channel_json["rotation"], Value::Null);
    let paused = printed(&server, &["pause", CHANNEL]).await;
    assert!(
        value(&paused, "state")
            .unwrap()
            .starts_with("paused since 20")
    );
    let resumed = printed(&server, &["resume", CHANNEL]).await;
    assert_eq!(value(&resumed, "state"), Some("callbacks are sent"));
    let actions = ["rotate-secret", "end-rotation", "pause", "resume"];
    assert_eq!(
        done(&server).await,
        actions.map(|action| format!("channel.{action}"))
    );
}

#[tokio::test]
async fn a_test_send_ends_with_0_on_arrival_and_with_1_otherwise() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 500);
    let server = Server::calling(&receiver).await;
    let failed = channel(&server, &["test", CHANNEL]).await;
    assert_eq!(failed.status.code(), Some(1));
    let stdout = String::from_utf8(failed.stdout).unwrap();
    assert_eq!(
        (value(&stdout, "delivered"), value(&stdout, "status")),
        (Some("no"), Some("500"))
    );
    let came = json(&server, &["test", CHANNEL, "--version", "v1"]).await;
    assert_eq!(
        (&came["delivered"], &came["version"]),
        (&true.into(), &"v1".into())
    );
}

#[tokio::test]
async fn a_refusal_is_printed_as_sent_by_the_service_and_ends_with_1() {
    let server = Server::start().await;
    let cases: [(&[&str], &str); 4] = [
        (
            &["get", "nothing"],
            "answered 404: there is no such channel",
        ),
        (
            &["create", "Again", "--id", CHANNEL],
            "answered 409: there is a channel",
        ),
        (
            &["rotate-secret", CHANNEL, "--secret", SECRET],
            "secret (InvalidValue): ",
        ),
        (
            &["list", "--token", "wrong"],
            "answered 401: send the operator's token",
        ),
    ];
    for (args, expected) in cases {
        let output = channel(&server, args).await;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(
            stderr.contains(expected) && output.stdout.is_empty(),
            "{stderr}"
        );
    }
}

#[tokio::test]
async fn a_wrong_command_line_ends_with_2() {
    let server = Server::start().await;
    let cases: [(&[&str], &str); 8] = [
        (&["update", CHANNEL], "nothing to change"),
        (
            &["update", CHANNEL, "--webhook-v1", "x"],
            "absolute address",
        ),
        (&["update", CHANNEL, "--name", ""], "1 to 255 characters"),
        (&["get", "a/b"], "a channel id"),
        (&["rotate-secret", CHANNEL, "--grace", "5"], "as in 90s"),
        (
            &["update", CHANNEL, "--account", ACCOUNT, "--all-accounts"],
            "cannot be used with",
        ),
        (&["test", CHANNEL, "--version", "v3"], "possible values"),
        (&["lst"], "unrecognized subcommand"),
    ];
    for (args, expected) in cases {
        let output = channel(&server, args).await;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[tokio::test]
async fn a_missing_token_is_answered_with_where_to_find_one() {
    let server = Server::start().await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command
        .args(["channel", "list", "--url", server.url()])
        .current_dir(server.data());
    let output = tokio::task::spawn_blocking(move || command.limited_output().unwrap())
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("--token") && stderr.contains("SWITCHBOARD_OPERATOR__TOKEN"),
        "{stderr}"
    );
}
