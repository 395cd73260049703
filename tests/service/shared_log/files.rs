//! Files that account users upload are there after a takeover.

use serde_json::json;
use tempfile::tempdir;

use super::Log;
use super::pair::Pair;
use crate::archive::Place;
use crate::support::client::{Client, message};
use crate::support::server::{Setup, TOKEN};
use crate::support::upload::uploaded;

/// Sends an uploaded file to a customer; gives the address of the file.
async fn send(client: &Client, conversation: &str, media: &str) -> String {
    let body = json!({ "type": "file", "media_id": media });
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    let response = request.body(body.to_string()).send().await.is(201).json;
    let address = response["media"].as_str().unwrap();
    let (_, path) = address.split_once("/media/").unwrap();
    format!("/media/{path}")
}

#[tokio::test]
async fn files_survive_the_loss_of_the_node_that_took_them() {
    let place = tempdir().unwrap();
    let log = Log::in_archive(Place::directory(&place.path().join("archive")));
    let mut pair = Pair::start(&log, &Setup::default()).await;
    let client = pair.client();
    client.connect("v2").await;
    let talk = client.sent(&message("m1", "c1")).await["conversation_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let bytes = b"%PDF-1.7 and so on";
    let upload = uploaded(&client, "sent.pdf", bytes).await;
    let address = send(&client, &talk, upload["id"].as_str().unwrap()).await;
    let unsent = uploaded(&client, "unsent.pdf", bytes).await;
    pair.is_current().await;
    pair.kill_owner().await;

    // A file that a message refers to is served, and one that was only uploaded can be sent.
    let client = pair.client();
    let answer = client.request("GET", &address).send().await;
    assert_eq!(answer.is(200).body.as_bytes(), bytes);
    let address = send(&client, &talk, unsent["id"].as_str().unwrap()).await;
    assert_eq!(client.request("GET", &address).send().await.status, 200);
    let none = client.request("GET", &address.replace(|it: char| it.is_ascii_digit(), "0"));
    assert_eq!(none.send().await.status, 404);

    // The node that took it has it, too.
    pair.is_current().await;
    pair.kill_owner().await;
    assert_eq!(
        pair.client().request("GET", &address).send().await.status,
        200
    );
}
