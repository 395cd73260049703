//! Order and repetition.

use futures_util::future::join_all;
use serde_json::Value;

use crate::support::client::message;
use crate::support::receiver::{Callback, Receiver};
use crate::support::server::Server;

fn texts(callbacks: &[Callback]) -> Vec<&str> {
    callbacks
        .iter()
        .map(|callback| {
            callback.json["message"]["message"]["text"]
                .as_str()
                .unwrap()
        })
        .collect()
}

async fn conversation(server: &Server, name: &str) -> String {
    let new_message = server.client().sent(&message("m", name)).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn callbacks_of_a_conversation_arrive_in_order() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let answers: Vec<_> = (0..20).map(|number| format!("answer {number}")).collect();
    for text in &answers {
        server.client().replied(&conversation, text).await;
    }
    assert_eq!(texts(&receiver.callbacks(20).await), answers);
}

#[tokio::test]
async fn callbacks_of_many_conversations_all_arrive_each_in_order() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut conversations = Vec::new();
    for number in 0..8 {
        conversations.push(conversation(&server, &format!("c{number}")).await);
    }
    let write = async |conversation: &String| {
        for number in 0..5 {
            client.replied(conversation, &number.to_string()).await;
        }
    };
    join_all(conversations.iter().map(write)).await;
    let callbacks = receiver.callbacks(40).await;
    for conversation in &conversations {
        let own: Vec<_> = callbacks
            .iter()
            .filter(|callback| {
                callback.json["message"]["conversation"]["id"] == conversation.as_str()
            })
            .cloned()
            .collect();
        assert_eq!(texts(&own), ["0", "1", "2", "3", "4"]);
    }
}

#[tokio::test]
async fn a_failed_callback_is_retried_with_its_id_before_the_next() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 500);
    let server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let first = server.client().replied(&conversation, "first").await;
    server.client().replied(&conversation, "second").await;
    let callbacks = receiver.callbacks(3).await;
    assert_eq!(texts(&callbacks), ["first", "first", "second"]);
    let ids: Vec<_> = callbacks
        .iter()
        .map(|it| it.request.header("webhook-id").unwrap())
        .collect();
    assert_eq!(ids[..2], [first.as_str(), first.as_str()]);
    let untimed = |callback: &Callback| {
        let mut body = callback.json.clone();
        body["time"] = Value::Null;
        body
    };
    assert_eq!(
        untimed(&callbacks[0]),
        untimed(&callbacks[1]),
        "only the time differs"
    );
    let view = server
        .client()
        .callback_is(&conversation, &first, "delivered")
        .await;
    assert_eq!(view["callback"]["attempts"], 2);
    assert_eq!(view["delivery"]["status"], "sent");
}

#[tokio::test]
async fn any_2xx_is_success() {
    for status in [200, 201, 202, 204, 299] {
        let receiver = Receiver::answering(status).await;
        let server = Server::calling(&receiver).await;
        server.client().connect("v2").await;
        let conversation = conversation(&server, "c").await;
        let message = server.client().replied(&conversation, "hello").await;
        let view = server
            .client()
            .callback_is(&conversation, &message, "delivered")
            .await;
        assert_eq!(view["callback"]["attempts"], 1, "{status}");
    }
}
