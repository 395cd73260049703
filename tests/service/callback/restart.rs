//! The queue of callbacks outlives the process.

use crate::support::client::message;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

#[tokio::test]
async fn queued_callbacks_survive_a_restart() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 500);
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let new_message = server.client().sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let mut ids = Vec::new();
    for number in 0..3 {
        ids.push(
            server
                .client()
                .replied(conversation, &number.to_string())
                .await,
        );
    }
    receiver.callbacks(1).await;
    server.kill_9();
    server.restart().await;
    for message in &ids {
        server
            .client()
            .callback_is(conversation, message, "delivered")
            .await;
    }
    // A kill between the answer and its record may repeat a callback; it never loses or reorders one.
    let mut arrived: Vec<_> = receiver
        .so_far()
        .iter()
        .map(|callback| callback.request.header("webhook-id").unwrap().to_owned())
        .collect();
    arrived.dedup();
    assert_eq!(arrived, ids);
}

#[tokio::test]
async fn delivered_callbacks_are_not_sent_again_after_a_restart() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let new_message = server.client().sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let first = server.client().replied(conversation, "first").await;
    server
        .client()
        .callback_is(conversation, &first, "delivered")
        .await;
    assert_eq!(server.terminate().await, Some(0));
    server.restart().await;
    let second = server.client().replied(conversation, "second").await;
    server
        .client()
        .callback_is(conversation, &second, "delivered")
        .await;
    let requests = receiver.so_far();
    let arrived: Vec<_> = requests
        .iter()
        .map(|it| it.request.header("webhook-id").unwrap())
        .collect();
    assert_eq!(arrived, [first, second]);
}
