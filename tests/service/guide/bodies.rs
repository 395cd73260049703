//! The callback bodies of the guide and of the document have the keys and the types of those that are sent.

use std::collections::BTreeMap;

use image::ImageFormat;
use serde_json::{Value, json};

use super::block;
use crate::support::client::{Client, message};
use crate::support::described::DOCUMENT;
use crate::support::receiver::{Callback, Receiver};
use crate::support::server::{CHANNEL, Server, TOKEN};
use crate::support::upload::{picture, uploaded};

/// The type of each value by its path.
fn shape(value: &Value) -> BTreeMap<String, &'static str> {
    let mut shape = BTreeMap::new();
    describe(value, String::new(), &mut shape);
    shape
}

fn describe(value: &Value, path: String, shape: &mut BTreeMap<String, &'static str>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(fields) => {
            for (key, value) in fields {
                describe(value, format!("{path}.{key}"), shape);
            }
            "object"
        }
    };
    shape.insert(path, kind);
}

/// Checks that the guide and the example of the document have the keys and the types of a callback.
#[track_caller]
fn is_described(callback: &Callback, mark: &str) {
    let described: Value = serde_json::from_str(block(&format!("json {mark}"))).unwrap();
    assert_eq!(shape(&callback.json), shape(&described), "{mark}");
    let (webhook, kind) = match mark.split_once('-') {
        Some(("v1", kind)) => ("messageV1", kind),
        Some((_, kind)) => ("messageV2", kind),
        None => (mark, mark),
    };
    let body = &DOCUMENT["webhooks"][webhook]["post"]["requestBody"]["content"]["application/json"];
    let example = &body["examples"][kind]["value"];
    assert_eq!(
        shape(&callback.json),
        shape(example),
        "{mark}, openapi.json"
    );
}

/// A customer's conversation in a channel that has all its callbacks on: ids of the conversation and of the message.
async fn begun(client: &Client, version: &str) -> (String, String) {
    let on = json!({ "reaction_callbacks": true, "typing_callbacks": true });
    let target = format!("/admin/v1/channels/{CHANNEL}");
    client.operates("PATCH", &target, &on).await.is(200);
    client.connect(version).await;
    let mut event = message("m", "c");
    event["payload"]["sender"]["profile"] = json!({ "phone": "+4930" });
    let new_message = client.sent(&event).await;
    let text = |key: &str| new_message[key].as_str().unwrap().to_owned();
    (text("conversation_id"), text("msgid"))
}

async fn post(client: &Client, tail: &str, body: &Value) -> u16 {
    let target = format!("/inbox/v1/conversations/{tail}");
    let request = client
        .request("POST", &target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await.status
}

/// A text, a picture and a file; their callbacks in this order.
async fn writes(client: &Client, receiver: &Receiver, conversation: &str) -> Vec<Callback> {
    client.replied(conversation, "Yes, it is!").await;
    let photo = uploaded(client, "photo.png", &picture(8, 8, ImageFormat::Png)).await;
    let offer = uploaded(client, "offer.pdf", b"%PDF-1.4 an offer").await;
    for (kind, media) in [("picture", photo), ("file", offer)] {
        let body = json!({ "type": kind, "media_id": media["id"] });
        assert_eq!(
            post(client, &format!("{conversation}/messages"), &body).await,
            201
        );
    }
    receiver.callbacks(3).await
}

#[tokio::test]
async fn bodies_of_both_versions_are_as_described() {
    for version in ["v1", "v2"] {
        let receiver = Receiver::start().await;
        let server = Server::calling(&receiver).await;
        let (conversation, _) = begun(server.client(), version).await;
        let callbacks = writes(server.client(), &receiver, &conversation).await;
        for (callback, kind) in callbacks.iter().zip(["text", "picture", "file"]) {
            is_described(callback, &format!("{version}-{kind}"));
        }
    }
}

#[tokio::test]
async fn typing_and_a_reaction_are_as_described() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let (conversation, message) = begun(client, "v2").await;
    assert_eq!(
        post(client, &format!("{conversation}/typing"), &json!({})).await,
        204
    );
    is_described(&receiver.callbacks(1).await[0], "typing");
    let sign = json!({ "type": "react", "emoji": "😍" });
    let target = format!("{conversation}/messages/{message}/reactions");
    assert_eq!(post(client, &target, &sign).await, 200);
    is_described(&receiver.callbacks(2).await[1], "reaction");
}
