//! Declarations of the configuration at each start, and the operator's changes in between.

use serde_json::json;

use crate::operator::{act, again, change, shown};
use crate::support::client::{message, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup};

/// The status of a customer's message that is signed with this secret.
async fn status(server: &Server, secret: &str, msgid: &str) -> u16 {
    let body = message(msgid, "c").to_string();
    let request = server
        .client()
        .signed("POST", &scope(CHANNEL, ACCOUNT), body.clone())
        .header("X-Signature", &signature(secret, body.as_bytes()));
    request.send().await.status
}

/// Changes the configuration of a server that has stopped by a variable of the first channel.
fn declare(server: &mut Server, key: &str, value: &str) {
    let name = format!("SWITCHBOARD_CHANNELS__0__{key}");
    server.change(|setup: Setup| setup.variable(&name, value));
}

#[tokio::test]
async fn a_restart_undoes_nothing_that_the_operator_changed() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    change(&server, &json!({ "name": "Renamed", "webhook_v1": null })).await;
    let rotate = json!({ "secret": "rotated", "grace_seconds": 0 });
    act(&server, "rotate-secret", &rotate).await;
    let paused = act(&server, "pause", &json!({})).await;
    for round in 0..2 {
        again(&mut server).await;
        assert_eq!(shown(&server).await, paused);
        assert_eq!(status(&server, SECRET, &format!("old {round}")).await, 403);
        assert_eq!(
            status(&server, "rotated", &format!("new {round}")).await,
            200
        );
    }
}

#[tokio::test]
async fn a_field_edited_in_the_file_counts_and_others_stay() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    change(&server, &json!({ "name": "Renamed" })).await;
    let rotate = json!({ "secret": "rotated" });
    act(&server, "rotate-secret", &rotate).await;
    assert_eq!(server.terminate().await, Some(0));
    declare(&mut server, "WEBHOOK_V1", "http://127.0.0.1:9/edited");
    declare(&mut server, "TIMEOUT_SECONDS", "7");
    server.restart().await;
    let after = shown(&server).await;
    assert_eq!(after["name"], "Renamed");
    assert_eq!(after["webhook_v1"], "http://127.0.0.1:9/edited");
    assert_eq!(after["timeout_seconds"], 7);
    assert_eq!(status(&server, "rotated", "m-1").await, 200);
    assert_eq!(status(&server, SECRET, "m-2").await, 200);
    // A secret that is edited counts at once, and ends the rotation.
    assert_eq!(server.terminate().await, Some(0));
    declare(&mut server, "SECRET", "edited-in-the-file");
    server.restart().await;
    for (secret, expected) in [(SECRET, 403), ("rotated", 403), ("edited-in-the-file", 200)] {
        assert_eq!(status(&server, secret, secret).await, expected, "{secret}");
    }
    assert_eq!(shown(&server).await["name"], "Renamed");
}

/// Writing the rotated secret into the file does not end the secret rotation.
#[tokio::test]
async fn declaring_the_rotated_secret_does_not_end_the_rotation() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    let rotated = act(&server, "rotate-secret", &json!({ "secret": "rotated" })).await;
    assert_eq!(server.terminate().await, Some(0));
    declare(&mut server, "SECRET", "rotated");
    server.restart().await;
    assert_eq!(shown(&server).await, rotated);
    assert_eq!(status(&server, SECRET, "m-1").await, 200);
}

#[tokio::test]
async fn changes_by_the_configuration_are_audited_once() {
    let mut server = Server::start().await;
    again(&mut server).await;
    let log = server
        .client()
        .operate("GET", "/admin/v1/audit")
        .send()
        .await
        .is(200)
        .json;
    let entries = log["entries"].as_array().unwrap();
    let by_configuration = json!({ "kind": "configuration" });
    assert!(entries.iter().all(|entry| entry["by"] == by_configuration));
    let creations = entries
        .iter()
        .filter(|entry| entry["action"] == "channel.create");
    assert_eq!(creations.count(), 2);
}
