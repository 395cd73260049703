//! Templates in messages of account users: filled once, with buttons and files, in callbacks of version 2.

use image::ImageFormat;
use serde_json::{Value, json};

use crate::inbox::setting::question;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::oauth::{does, installed};
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server, TOKEN};
use crate::support::upload::{picture, uploaded};

const TEMPLATES: &str = "/api/v4/chats/templates";

async fn create(client: &Client, template: &Value) -> u64 {
    let answer = floor::admin(client, "POST", TEMPLATES, template).await;
    let id = &answer.is(200).json["_embedded"]["chat_templates"][0]["id"];
    id.as_u64().unwrap()
}

async fn sends(client: &Client, conversation: &str, template: u64) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let body = json!({ "type": "template", "template_id": template });
    floor::admin(client, "POST", &target, &body).await
}

async fn listed(client: &Client, conversation: &str) -> Vec<Value> {
    let target = format!("/inbox/v1/conversations/{conversation}/templates");
    let list = client.read(&target).await;
    list["templates"].as_array().unwrap().clone()
}

/// The message of the newest of this many callbacks.
async fn said(receiver: &Receiver, count: usize) -> Value {
    let callbacks = receiver.callbacks(count).await;
    callbacks.last().unwrap().json["message"]["message"].clone()
}

async fn shows_buttons(client: &Client) {
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let change = json!({ "buttons": true });
    client.operates("PATCH", &target, &change).await.is(200);
}

#[tokio::test]
async fn a_template_is_one_callback_with_its_parts() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    shows_buttons(client).await;
    let conversation = question(client, "Hello, write to ada@example.org or +49 30 1234567.").await;
    let picture = uploaded(client, "cat.png", &picture(8, 8, ImageFormat::Png)).await;
    let template = create(
        client,
        &json!({
            "name": "Paid", "external_id": "order-paid",
            "content": "Dear {{contact.name}}, lead {{lead.id}}: {{message_text.email}} {{message_text.phone}} {{nothing}}{{contact.name}}",
            "buttons": [{ "type": "inline", "text": "Yes" }, { "type": "inline", "text": "No" }],
            "attachment": { "id": picture["id"], "name": "cat.png", "type": "picture" },
        }),
    )
    .await;
    let list = listed(client, &conversation).await;
    let contact = client.read("/api/v4/contacts/1").await;
    let name = contact["name"].as_str().unwrap();
    let text = format!("Dear {name}, lead 1: ada@example.org 49301234567 {name}");
    assert_eq!(list[0]["text"], text);
    assert_eq!(list[0]["empty"], json!(["{{nothing}}"]));
    assert_eq!(list[0]["file_name"], "cat.png");
    let answer = sends(client, &conversation, template).await.is(201);
    let buttons = json!([{ "text": "Yes" }, { "text": "No" }]);
    assert_eq!(answer.json["template"]["buttons"], buttons);
    assert_eq!(answer.json["type"], "picture");
    let message = said(&receiver, 1).await;
    assert_eq!(message["text"], text);
    assert!(message["media"].as_str().unwrap().contains("cat.png"));
    let rows = json!([[{ "text": "Yes" }], [{ "text": "No" }]]);
    assert_eq!(
        message["markup"],
        json!({ "mode": "inline", "buttons": rows })
    );
    assert_eq!(message["template"]["id"], template);
    assert_eq!(message["template"]["external_id"], "order-paid");
    let keys: Vec<_> = message["template"]["params"].as_array().unwrap().to_vec();
    let param = |key: &str, value: &str| json!({ "key": key, "value": value });
    let expected = [
        param("{{contact.name}}", name),
        param("{{lead.id}}", "1"),
        param("{{message_text.email}}", "ada@example.org"),
        param("{{message_text.phone}}", "49301234567"),
        param("{{nothing}}", ""),
    ];
    assert_eq!(keys, expected);
}

#[tokio::test]
async fn a_channel_without_buttons_gets_them_as_text() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = question(client, "Hello").await;
    let url = "https://shop.example/a";
    let template = create(
        client,
        &json!({ "name": "T", "content": "Choose:", "buttons": [
            { "type": "url", "text": "Shop", "url": url }, { "type": "url", "text": "Help", "url": url },
        ] }),
    )
    .await;
    sends(client, &conversation, template).await.is(201);
    let message = said(&receiver, 1).await;
    assert_eq!(
        message["text"],
        format!("Choose:\n1. Shop: {url}\n2. Help: {url}")
    );
    assert_eq!(message["markup"], Value::Null);
    assert_eq!(message["template"]["params"], json!([]));
    assert!(message["template"].get("external_id").is_none());
    shows_buttons(client).await;
    sends(client, &conversation, template).await.is(201);
    let message = said(&receiver, 2).await;
    assert_eq!(message["text"], "Choose:");
    assert_eq!(message["markup"]["buttons"][0][0]["url"], url);
}

#[tokio::test]
async fn a_marker_that_a_customer_wrote_is_never_filled() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = question(client, "{{lead.id}} {{contact.cf.5}}").await;
    let template = create(
        client,
        &json!({ "name": "T", "content": "You wrote: {{message_text}}" }),
    )
    .await;
    sends(client, &conversation, template).await.is(201);
    let message = said(&receiver, 1).await;
    assert_eq!(message["text"], "You wrote: {{lead.id}} {{contact.cf.5}}");
}

#[tokio::test]
async fn a_repeated_request_sends_one_template() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = question(client, "Hello").await;
    let template = create(client, &json!({ "name": "T", "content": "{{rand}}" })).await;
    let other = create(client, &json!({ "name": "T", "content": "{{rand}}" })).await;
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let send = async |body: Value| {
        let request = client.request("POST", &target).bearer(TOKEN);
        request
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "k")
            .body(body.to_string())
            .send()
            .await
    };
    let of_template = |id: u64| json!({ "type": "template", "template_id": id });
    let first = send(of_template(template)).await.is(201).json;
    let second = send(of_template(template)).await.is(201).json;
    assert_eq!(first["id"], second["id"]);
    assert_eq!(first["text"], second["text"]);
    send(of_template(other)).await.is(409);
    let plain = json!({ "type": "text", "text": first["text"] });
    send(plain).await.is(409);
}

#[tokio::test]
async fn only_templates_that_fit_the_conversation_are_sent() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let conversation = question(client, "Hello").await;
    let (token, _) = installed(client).await;
    let waba = json!({ "name": "T", "content": "Hi", "type": "waba" });
    let answer = does(client, &token, "POST", TEMPLATES, &waba).await.is(200);
    let id = answer.json["_embedded"]["chat_templates"][0]["id"]
        .as_u64()
        .unwrap();
    let refusal = sends(client, &conversation, id).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "template_id");
    assert!(listed(client, &conversation).await.is_empty());
    let review = format!("{TEMPLATES}/{id}/review");
    let reviews = does(client, &token, "POST", &review, &json!({})).await;
    let number = &reviews.is(200).json["_embedded"]["reviews"][0]["id"];
    let answers = async |status: &str| {
        let target = format!("{review}/{number}");
        let body = json!({ "status": status });
        does(client, &token, "POST", &target, &body).await.is(200);
    };
    answers("approved").await;
    sends(client, &conversation, id).await.is(201);
    answers("paused").await;
    assert!(listed(client, &conversation).await.is_empty());
    sends(client, &conversation, id).await.is(400);
    answers("approved").await;
    assert_eq!(listed(client, &conversation).await.len(), 1);
    let empty = create(client, &json!({ "name": "T", "content": "{{nothing}}" })).await;
    sends(client, &conversation, empty).await.is(400);
    let with_file = json!({ "name": "T", "content": "Hi", "attachment": {
        "id": "2b9c6e0a-5d1f-4c3b-8a7e-9f0d1c2b3a49", "name": "a.png", "type": "file",
    } });
    let foreign = create(client, &with_file).await;
    let refusal = sends(client, &conversation, foreign).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "template_id");
    sends(client, &conversation, 99).await.is(400);
    assert_eq!(receiver.callbacks(1).await.len(), 1);
}

#[tokio::test]
async fn the_value_of_a_chosen_row_is_kept_and_shown() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let chosen = |data: &str| {
        let mut event = message("m-1", "c-ada");
        event["payload"]["message"]["text"] = "09:00".into();
        event["payload"]["message"]["callback_data"] = data.into();
        event
    };
    let refusal = client.send_today(&chosen(&"x".repeat(257))).await.is(400);
    let path = "payload/message/callback_data";
    assert!(
        refusal.wrong()[0].0.replace('.', "/").contains(path),
        "{refusal:?}"
    );
    let slot = "s".repeat(256);
    let sent = client.sent_today(&chosen(&slot)).await;
    // Posted twice, it is one message.
    client.sent_today(&chosen(&slot)).await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let conversation = sent["conversation_id"].as_str().unwrap();
    let messages = client.messages(conversation).await;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0]["callback_data"], slot);
    assert_eq!(messages[0]["text"], "09:00");
    let history = client.history(conversation, "").await.is(200).json;
    assert!(history.to_string().contains(&slot), "{history}");
}
