//! A paused channel: nothing leaves, everything is kept, and it leaves in order afterwards.

use serde_json::{Value, json};
use switchboard_worlds::sink::Behaviour;

use crate::operator::{act, again, done, shown};
use crate::support::client::message;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

async fn conversation(server: &Server, name: &str) -> String {
    let new_message = server.client().sent(&message("m", name)).await;
    new_message["conversation_id"].as_str().unwrap().to_owned()
}

/// Replies are accepted during a pause, held with a reason, and sent in order after it.
#[tokio::test]
async fn replies_during_a_pause_are_held_and_sent_in_order_later() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let paused = act(&server, "pause", &json!({})).await;
    assert_eq!(paused["paused"], true);
    assert!(paused["paused_at"].as_u64().unwrap() > 1_700_000_000);
    let answers: Vec<String> = (0..5).map(|number| format!("answer {number}")).collect();
    let mut replies = Vec::new();
    for text in &answers[..3] {
        replies.push(server.client().replied(&conversation, text).await);
    }
    again(&mut server).await;
    assert_eq!(shown(&server).await, paused);
    for text in &answers[3..] {
        replies.push(server.client().replied(&conversation, text).await);
    }
    for reply in &replies {
        let message = server
            .client()
            .callback_is(&conversation, reply, "held")
            .await;
        assert_eq!(
            message["callback"]["reason"],
            "an operator paused the channel"
        );
        assert_eq!(message["callback"]["attempts"], 0);
    }
    assert!(receiver.so_far().is_empty());
    let resumed = act(&server, "resume", &json!({})).await;
    assert_eq!(
        (&resumed["paused"], &resumed["paused_at"]),
        (&json!(false), &Value::Null)
    );
    let callbacks = receiver.callbacks(5).await;
    let texts: Vec<_> = callbacks
        .iter()
        .map(|callback| callback.json["message"]["message"]["text"].clone())
        .collect();
    assert_eq!(texts, answers);
    for (place, reply) in replies.iter().enumerate() {
        let client = server.client();
        let message_view = client.callback_is(&conversation, reply, "delivered").await;
        // Whether a callback was attempted before is unknown if it was queued when the process ended.
        let inherited = place < 3;
        let attempts = if inherited { 2 } else { 1 };
        assert_eq!(message_view["callback"]["attempts"], attempts);
    }
    assert_eq!(done(&server).await, ["channel.pause", "channel.resume"]);
}

#[tokio::test]
async fn failed_callbacks_are_held_by_a_pause_and_keep_their_attempts() {
    let receiver = Receiver::answering(500).await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let reply = client.replied(&conversation, "answer").await;
    client.callback_is(&conversation, &reply, "waiting").await;
    act(&server, "pause", &json!({})).await;
    let message = client.callback_is(&conversation, &reply, "held").await;
    assert_eq!(
        message["callback"]["reason"],
        "an operator paused the channel"
    );
    assert_eq!(message["callback"]["next_attempt_at"], Value::Null);
    receiver.script([Behaviour::status(200)]);
    act(&server, "resume", &json!({})).await;
    let message_view = client.callback_is(&conversation, &reply, "delivered").await;
    let count = receiver.so_far().len();
    assert!(count >= 2);
    assert_eq!(message_view["callback"]["attempts"], count);
}

#[tokio::test]
async fn repeating_a_pause_changes_nothing_and_is_not_audited() {
    let server = Server::start().await;
    let first = act(&server, "pause", &json!({})).await;
    assert_eq!(act(&server, "pause", &json!({})).await, first);
    act(&server, "resume", &json!({})).await;
    act(&server, "resume", &json!({})).await;
    assert_eq!(done(&server).await, ["channel.pause", "channel.resume"]);
}
