//! `POST conversations/{id}/read`: what is unread, and what is not any more.

use crate::support::answer::Answer;
use crate::support::client::{Client, message, silent_message};
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

async fn read(client: &Client, token: &str, conversation: &str) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/read");
    client.request("POST", &target).bearer(token).send().await
}

async fn unread(client: &Client, conversation: &str) -> u64 {
    let target = format!("/inbox/v1/conversations/{conversation}");
    client.read(&target).await["unread"].as_u64().unwrap()
}

#[tokio::test]
async fn messages_are_unread_until_a_user_reads_or_replies() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    let new_message = server.client().sent(&message("m1", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    server.client().sent(&message("m2", "c")).await;
    server.client().sent(&silent_message("m3", "c")).await;
    assert_eq!(unread(server.client(), conversation).await, 2);
    read(server.client(), TOKEN, conversation).await.is(204);
    assert_eq!(unread(server.client(), conversation).await, 0);
    read(server.client(), TOKEN, conversation).await.is(204);
    server.client().sent(&message("m4", "c")).await;
    server.kill_9();
    server.restart().await;
    assert_eq!(unread(server.client(), conversation).await, 1);
    server.client().replied(conversation, "hello").await;
    assert_eq!(unread(server.client(), conversation).await, 0);
}

#[tokio::test]
async fn another_account_and_an_unknown_conversation_are_404() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    read(client, OTHER_TOKEN, conversation).await.is(404);
    read(client, "nobody", conversation).await.is(401);
    for unknown in ["x", "30c362b9-9201-4864-8c24-1f637b1733ed"] {
        read(client, TOKEN, unknown).await.is(404);
    }
    assert_eq!(unread(client, conversation).await, 1);
}
