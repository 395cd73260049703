//! A disconnected scope gets nothing.

use crate::support::client::message;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

#[tokio::test]
async fn disconnecting_a_scope_cancels_queued_callbacks() {
    let receiver = Receiver::answering(500).await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let first = client.replied(conversation, "first").await;
    let second = client.replied(conversation, "second").await;
    receiver.callbacks(1).await;
    client.disconnect().await;
    for message in [first, second] {
        let view = client
            .callback_is(conversation, &message, "cancelled")
            .await;
        let reason = view["callback"]["reason"].as_str().unwrap();
        assert!(reason.contains("disconnected"), "{reason}");
        assert_eq!(view["delivery"]["status"], "queued");
    }
}

#[tokio::test]
async fn a_reply_in_a_disconnected_scope_is_refused_with_a_remedy() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    client.disconnect().await;
    let refusal = client.reply(conversation, "hello").await.is(409);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("connect it again")
    );
    assert_eq!(client.messages(conversation).await.len(), 1);
}
