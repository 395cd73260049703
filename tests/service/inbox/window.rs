//! The time window of a channel: outside of it users send templates only, and programs anything.

use image::ImageFormat;
use serde_json::{Value, json};

use crate::inbox::presses::{set_channel, template};
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message, scope, silent_message};
use crate::support::oauth::{does, installed};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, Server};
use crate::support::upload::{picture, uploaded};

/// A chat that the integration opened, in which its customer has not written.
async fn opened(client: &Client) -> String {
    client.connect("v2").await;
    set_channel(client, &json!({ "window_hours": 24 })).await;
    let tail = format!("{}/chats", scope(CHANNEL, ACCOUNT));
    let chat = json!({ "conversation_id": "c-ada", "user": { "id": "customer of c-ada", "name": "Grace" } });
    let answer = client.post_today(&tail, &chat).await.is(200);
    answer.json["id"].as_str().unwrap().to_owned()
}

fn target(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/messages")
}

async fn sends(client: &Client, conversation: &str, body: &Value) -> Answer {
    floor::admin(client, "POST", &target(conversation), body).await
}

async fn closes_at(client: &Client, conversation: &str) -> Value {
    let path = format!("/inbox/v1/conversations/{conversation}");
    client.read(&path).await["window_closes_at"].clone()
}

#[tokio::test]
async fn a_closed_window_lets_templates_through_only() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = opened(client).await;
    client.sent(&silent_message("m-0", "c-ada")).await;
    assert_eq!(closes_at(client, &conversation).await, 0);
    let text = json!({ "type": "text", "text": "Hello?" });
    let refusal = sends(client, &conversation, &text).await.is(409);
    assert_eq!(refusal.json["window_closed_at"], 0);
    let detail = refusal.json["detail"].as_str().unwrap();
    assert!(detail.contains("has not written yet"), "{detail}");
    let file = uploaded(client, "cat.png", &picture(8, 8, ImageFormat::Png)).await;
    let picture = json!({ "type": "picture", "media_id": file["id"] });
    sends(client, &conversation, &picture).await.is(409);
    // Nothing was written: the message that was refused is none.
    assert_eq!(client.messages(&conversation).await.len(), 1);
    let number = template(client, &json!([])).await;
    let body = json!({ "type": "template", "template_id": number });
    sends(client, &conversation, &body).await.is(201);
    assert_eq!(receiver.callbacks(1).await.len(), 1);
    client.sent(&message("m-1", "c-ada")).await;
    assert!(closes_at(client, &conversation).await.as_u64() > Some(86_400));
    sends(client, &conversation, &text).await.is(201);
    sends(client, &conversation, &picture).await.is(201);
    assert_eq!(receiver.callbacks(3).await.len(), 3);
}

#[tokio::test]
async fn a_window_is_no_limit_for_programs() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = opened(client).await;
    let (token, _) = installed(client).await;
    let text = json!({ "type": "text", "text": "Your parcel is here." });
    let sent = does(client, &token, "POST", &target(&conversation), &text).await;
    sent.is(201);
    sends(client, &conversation, &text).await.is(409);
    assert_eq!(receiver.callbacks(1).await.len(), 1);
}

#[tokio::test]
async fn an_integration_switches_the_window_off() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = opened(client).await;
    let tail = format!("{CHANNEL}/connect");
    let connect = |is_disabled: bool| json!({ "account_id": ACCOUNT, "hook_api_version": "v2", "is_time_window_disabled": is_disabled });
    let text = json!({ "type": "text", "text": "Hello?" });
    client.post_today(&tail, &connect(true)).await.is(200);
    assert_eq!(closes_at(client, &conversation).await, Value::Null);
    sends(client, &conversation, &text).await.is(201);
    client.post_today(&tail, &connect(false)).await.is(200);
    sends(client, &conversation, &text).await.is(409);
    set_channel(client, &json!({ "window_hours": null })).await;
    assert_eq!(closes_at(client, &conversation).await, Value::Null);
    sends(client, &conversation, &text).await.is(201);
}

/// A conversation that a user would begin has no message of its customer.
#[tokio::test]
async fn no_user_writes_first_where_a_window_is() {
    let mut server = Server::start().await;
    let client = server.client();
    opened(client).await;
    let first = json!({ "scope_id": scope(CHANNEL, ACCOUNT), "phone": "+7 916 123-45-67", "text": "Good day!" });
    let start = async |client: &Client| {
        floor::admin(client, "POST", "/inbox/v1/conversations", &first).await
    };
    let refusal = start(client).await.is(409);
    assert_eq!(refusal.json["window_closed_at"], 0);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    start(client).await.is(409);
    set_channel(client, &json!({ "window_hours": null })).await;
    start(client).await.is(201);
}

#[tokio::test]
async fn a_window_is_a_whole_number_of_hours() {
    let server = Server::start().await;
    let client = server.client();
    let channel = format!("/admin/v1/channels/{CHANNEL}");
    for hours in [json!(0), json!(721), json!(1.5), json!("24")] {
        let change = json!({ "window_hours": hours, "lists": 1 });
        let refusal = client.operates("PATCH", &channel, &change).await.is(400);
        let wrong = refusal.wrong();
        let paths: Vec<_> = wrong.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["lists", "window_hours"], "{hours}");
    }
    let change = json!({ "window_hours": 720, "lists": true });
    let answer = client.operates("PATCH", &channel, &change).await.is(200);
    assert_eq!(answer.json["window_hours"], 720);
    assert_eq!(answer.json["lists"], true);
}
