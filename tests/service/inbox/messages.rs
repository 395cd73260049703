//! The messages of a conversation.

use serde_json::Value;

use crate::support::client::{message, silent_message};
use crate::support::receiver::Receiver;
use crate::support::rounds::Rounds;
use crate::support::server::Server;

fn ids(list: &Value) -> Vec<String> {
    let list = list["messages"].as_array().unwrap();
    list.iter()
        .map(|it| it["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn messages_are_paged_newest_first_without_gaps_or_repeats() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut messages = Vec::new();
    let mut conversation = String::new();
    for number in 0..7 {
        let answer = client.sent(&message(&format!("m{number}"), "c")).await;
        conversation = answer["conversation_id"].as_str().unwrap().to_owned();
        messages.insert(0, answer["msgid"].as_str().unwrap().to_owned());
    }
    for limit in [1, 2, 3, 6, 7, 250] {
        let base = format!("/inbox/v1/conversations/{conversation}/messages?limit={limit}");
        let mut ids_read = Vec::new();
        let mut target = base.clone();
        let mut rounds = Rounds::default();
        loop {
            rounds.note();
            let list = client.read(&target).await;
            ids_read.extend(ids(&list));
            let Some(next) = list["next"].as_str() else {
                break;
            };
            // Both names of the parameter go on, whichever a client sends.
            let name = if ids_read.len().is_multiple_of(2) {
                "before"
            } else {
                "cursor"
            };
            target = format!("{base}&{name}={next}");
        }
        assert_eq!(ids_read, messages, "{limit} at a time");
    }
}

#[tokio::test]
async fn before_with_a_foreign_message_is_404_and_with_no_id_is_400() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let here = client.sent(&message("m", "c1")).await;
    let there = client.sent(&message("m", "c2")).await;
    let base = format!(
        "/inbox/v1/conversations/{}/messages",
        here["conversation_id"].as_str().unwrap()
    );
    let foreign = there["msgid"].as_str().unwrap();
    client
        .get(&format!("{base}?before={foreign}"))
        .await
        .is(404);
    client.get(&format!("{base}?before=x")).await.is(400);
    client.get(&format!("{base}?cursor=x")).await.is(400);
    let own = here["msgid"].as_str().unwrap();
    let both = format!("{base}?before={own}&cursor={foreign}");
    client.get(&both).await.is(400);
    let both = format!("{base}?before={own}&cursor={own}");
    client.get(&both).await.is(200);
    let list = client.get(&format!("{base}?before={own}")).await.is(200);
    assert_eq!(list.body, "{\"messages\":[],\"next\":null}");
}

#[tokio::test]
async fn incoming_and_outgoing_messages_are_distinguished() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&silent_message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let answer = client.replied(conversation, "hello").await;
    client.callback_is(conversation, &answer, "delivered").await;
    let messages = client.messages(conversation).await;
    let [out, incoming] = messages.as_slice() else {
        panic!("two messages: {messages:?}");
    };
    assert_eq!(out["direction"], "out");
    assert_eq!(out["type"], "text");
    assert_eq!(out["text"], "hello");
    assert_eq!(out["sender"]["name"], "Ada");
    assert_eq!(out.get("client_id"), None);
    assert_eq!(out["delivery"]["status"], "sent");
    assert_eq!(out["callback"]["attempts"], 1);
    assert_eq!(incoming["direction"], "in");
    assert_eq!(incoming["client_id"], "m");
    assert_eq!(incoming["silent"], true);
    assert_eq!(incoming["timestamp"], 1_639_604_761);
    assert_eq!(incoming["sender"]["id"], new_message["sender_id"]);
    assert_eq!(incoming.get("delivery"), None);
}

#[tokio::test]
async fn the_feed_keeps_the_order_of_arrival_despite_timestamps() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut conversation = String::new();
    for (msgid, timestamp) in [("m1", 300), ("m2", 100), ("m3", 200)] {
        let mut event = message(msgid, "c");
        event["payload"]["timestamp"] = timestamp.into();
        let new_message = client.sent(&event).await;
        conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    }
    let messages = client.messages(&conversation).await;
    let order: Vec<_> = messages
        .iter()
        .map(|it| it["client_id"].as_str().unwrap())
        .collect();
    assert_eq!(order, ["m3", "m2", "m1"]);
    assert_eq!(messages[1]["timestamp"], 100);
}
