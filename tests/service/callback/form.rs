//! The form of a callback, in both versions.

use serde_json::{Value, json};

use crate::support::client::{message, scope};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, Server, TOKEN};

#[tokio::test]
async fn v1_has_the_eight_keys_of_the_interface() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v1").await;
    let new_message = client.sent(&message("m", "my-chat")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    client.replied(conversation, "Guten Tag 😀").await;
    let callback = receiver.callbacks(1).await.remove(0);
    assert_eq!(
        callback.request.target,
        format!("/v1/{}", scope(CHANNEL, ACCOUNT))
    );
    assert_eq!(
        str::from_utf8(&callback.request.body).unwrap(),
        "{\"receiver\":\"customer of my-chat\",\"conversation_id\":\"my-chat\",\"type\":\"text\",\
         \"text\":\"Guten Tag 😀\",\"media\":\"\",\"thumbnail\":\"\",\"file_name\":\"\",\"file_size\":0}"
    );
}

#[tokio::test]
async fn v2_has_the_ids_of_both_sides() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut event = message("m", "my-chat");
    event["payload"]["sender"]["profile"] =
        json!({ "phone": "+4930", "email": "grace@example.com" });
    let new_message = client.sent(&event).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let reply = client.reply(conversation, "hello").await.is(201).json;
    let callback = receiver.callbacks(1).await.remove(0);
    assert_eq!(
        callback.request.target,
        format!("/v2/{}", scope(CHANNEL, ACCOUNT))
    );
    let mut body = callback.json;
    assert!(body["time"].as_u64() >= reply["timestamp"].as_u64());
    body["time"] = Value::Null;
    assert_eq!(
        body,
        json!({
            "account_id": ACCOUNT,
            "time": null,
            "message": {
                "receiver": {
                    "id": new_message["sender_id"],
                    "name": "Grace",
                    "phone": "+4930",
                    "email": "grace@example.com",
                    "client_id": "customer of my-chat",
                },
                "sender": { "id": reply["sender"]["id"], "name": "Ada" },
                "conversation": { "id": conversation, "client_id": "my-chat" },
                "timestamp": reply["timestamp"],
                "msec_timestamp": reply["msec_timestamp"],
                "message": {
                    "id": reply["id"],
                    "type": "text",
                    "text": "hello",
                    "markup": null,
                    "tag": "",
                    "media": "",
                    "thumbnail": "",
                    "file_name": "",
                    "file_size": 0,
                },
            },
        })
    );
    assert_eq!(callback.request.header("webhook-id"), reply["id"].as_str());
}

#[tokio::test]
async fn the_version_of_the_last_connect_decides() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v1").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    client.replied(conversation, "first").await;
    receiver.callbacks(1).await;
    client.connect("v2").await;
    client.replied(conversation, "second").await;
    let callbacks = receiver.callbacks(2).await;
    assert_eq!(callbacks[0].json["text"], "first");
    assert_eq!(callbacks[1].json["message"]["message"]["text"], "second");
}

#[tokio::test]
async fn no_callback_header_reveals_a_token() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    client
        .replied(new_message["conversation_id"].as_str().unwrap(), "hello")
        .await;
    let callback = receiver.callbacks(1).await.remove(0);
    for (name, value) in &callback.request.headers {
        assert!(!value.contains(TOKEN) && !name.eq_ignore_ascii_case("cookie"));
    }
}
