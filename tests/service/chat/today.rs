//! The operations that only the current generation has, one module each.

mod chats;
mod copied_samples;
mod edit;
mod history;
mod identity;
mod import;
mod message;
mod react;
mod statuses;
mod typing;

use serde_json::{Value, json};

use crate::support::server::Server;

async fn connected() -> Server {
    let server = Server::start().await;
    server.client().connect("v2").await;
    server
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A message as the vendor's page has it: no avatar, nothing that may be left out.
fn message(msgid: &str, conversation: &str) -> Value {
    json!({
        "event_type": "new_message",
        "payload": {
            "timestamp": 1_639_604_761,
            "msec_timestamp": 1_639_604_761_694_u64,
            "msgid": msgid,
            "conversation_id": conversation,
            "sender": { "id": format!("customer of {conversation}"), "name": "Grace" },
            "message": { "type": "text", "text": format!("text of {msgid}") },
        },
    })
}

/// The account user as the chat knows them, and a conversation in which they have answered.
async fn answered(server: &Server) -> (Value, Value) {
    let client = server.client();
    let new_message = client.sent_today(&message("first", "c")).await;
    let conversation = new_message["conversation_id"].clone();
    let answer = client.reply(text(&conversation), "Yes?").await.is(201);
    (answer.json["sender"]["id"].clone(), new_message)
}
