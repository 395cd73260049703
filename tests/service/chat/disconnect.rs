//! `DELETE <channel_id>/disconnect`.

use serde_json::json;

use crate::support::client::{message, scope};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, Server};

#[tokio::test]
async fn disconnecting_is_200_without_a_body_and_idempotent() {
    let server = Server::start().await;
    let client = server.client();
    for _never_connected in 0..2 {
        assert_eq!(client.disconnect_account(ACCOUNT).await.is(200).body, "");
    }
    client.connect("v2").await;
    for _connected_then_not in 0..2 {
        assert_eq!(client.disconnect_account(ACCOUNT).await.is(200).body, "");
    }
}

#[tokio::test]
async fn a_disconnected_account_gets_no_messages_and_others_do() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    client.disconnect().await;
    let refusal = client.send(&message("m", "c")).await.is(404);
    assert_eq!(refusal.error_type(), "ORIGIN_NOT_REGISTERED");
    assert_eq!(refusal.json["error_description"], "NOT_FOUND");
    let other = scope(CHANNEL, OTHER_ACCOUNT);
    client.post(&other, &message("m", "c")).await.is(200);
    assert!(client.conversations().await.is_empty());
}

#[tokio::test]
async fn conversations_continue_after_reconnecting() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let before = client.sent(&message("m1", "c")).await;
    client.disconnect().await;
    assert_eq!(client.conversations().await.len(), 1, "history stays");
    client.connect("v2").await;
    let after = client.sent(&message("m2", "c")).await;
    assert_eq!(after["conversation_id"], before["conversation_id"]);
    assert_eq!(client.leads().await.len(), 1);
}

#[tokio::test]
async fn a_post_to_disconnect_is_405_with_allow_and_has_no_effect() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let body = json!({ "account_id": ACCOUNT });
    let answer = client
        .post(&format!("{CHANNEL}/disconnect"), &body)
        .await
        .is(405);
    assert_eq!(answer.error_type(), "METHOD_NOT_ALLOWED");
    assert_eq!(answer.header("allow"), "DELETE");
    assert!(answer.json["hint"].as_str().unwrap().contains("DELETE"));
    client.send(&message("m", "c")).await.is(200);
}

#[tokio::test]
async fn a_captured_callback_is_no_valid_disconnect() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    client.replied(conversation, "hello").await;
    let captured = receiver.callbacks(1).await.remove(0).request.body;
    let answer = client
        .signed("DELETE", &format!("{CHANNEL}/disconnect"), captured)
        .send()
        .await
        .is(400);
    let paths: Vec<_> = answer.wrong().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["message", "time"]);
    client.send(&message("m2", "c")).await.is(200);
}

#[tokio::test]
async fn a_body_in_the_query_is_no_body() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let tail = format!("{CHANNEL}/disconnect?account_id={ACCOUNT}");
    client.signed("DELETE", &tail, "").send().await.is(400);
    client.send(&message("m", "c")).await.is(200);
}
