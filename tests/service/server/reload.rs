//! SIGHUP: the service reads its settings again.

use rustix::process::Signal;
use serde_json::json;

use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::server::{SECRET, Server, TOKEN};

/// Replaces a text in the configuration of a running service.
fn rewrite(server: &Server, old: &str, new: &str) {
    let path = server.directory().join("switchboard.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(old), "{old}");
    std::fs::write(&path, text.replace(old, new)).unwrap();
}

/// Sends SIGHUP and waits for a line of the log that begins with it and has this text.
async fn reload(server: &Server, expected: &str) {
    let before = server.log().len();
    server.signal(Signal::HUP);
    eventually(expected, async || {
        let log = server.log();
        log.get(before..)?.contains(expected).then_some(())
    })
    .await;
}

async fn status_of(client: &Client, token: &str) -> u16 {
    let request = client.request("GET", "/inbox/v1/me").bearer(token);
    request.send().await.status
}

#[tokio::test]
async fn secrets_change_beside_requests() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let other = "0123456789abcdef0123456789abcdef01234567";
    rewrite(&server, SECRET, other);
    rewrite(&server, TOKEN, "another-token-of-ada");
    reload(&server, "SIGHUP: the users, channels").await;
    assert_eq!(status_of(client, TOKEN).await, 401);
    assert_eq!(status_of(client, "another-token-of-ada").await, 200);
    client.send(&message("m1", "c")).await.is(403);
    let log = server.log();
    assert!(!log.contains("reloading:"), "requests went on: {log}");
    assert!(!log.contains(other), "the log has the secret");
    reload(&server, "SIGHUP: no other setting has changed").await;
}

#[tokio::test]
async fn other_settings_hold_from_the_next_round_on() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    server.client().send(&message("m1", "c")).await.is(200);
    server.change(|setup| setup.setting("server", "body_limit_bytes = 2048"));
    reload(&server, "is ready on").await;
    let client = server.client();
    let mut long = message("m2", "c");
    long["payload"]["message"]["text"] = json!("x".repeat(3_000));
    client.send(&long).await.is(413);
    client.send(&message("m1", "c")).await.is(200);
    assert_eq!(server.terminate().await, Some(0));
}

#[tokio::test]
async fn wrong_settings_change_nothing_and_are_all_named() {
    let server = Server::start().await;
    rewrite(&server, TOKEN, "another-token-of-ada");
    rewrite(&server, "workers = 2", "workers = \"two\"\nnonsense = 1");
    reload(&server, "SIGHUP: the settings stay as they are").await;
    let log = server.log();
    for problem in ["server.workers", "nonsense"] {
        assert!(log.contains(problem), "{problem}: {log}");
    }
    assert_eq!(status_of(server.client(), TOKEN).await, 200);
}

#[tokio::test]
async fn settings_of_the_process_need_a_restart_and_are_named() {
    let server = Server::start().await;
    rewrite(&server, "127.0.0.1:0", "127.0.0.1:1");
    reload(&server, "server.listen changed; restart the service").await;
    assert_eq!(status_of(server.client(), TOKEN).await, 200);
}
