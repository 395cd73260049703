//! `GET /api/v4/talks/{id}/messages`: what was said about one lead.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, entries, message, silent_message};
use crate::support::server::{CHANNEL, Server};

const MESSAGES: &str = "/api/v4/talks/1/messages";

async fn texts(client: &Client, target: &str) -> Vec<String> {
    let page = client.read(target).await;
    let messages = entries(&page, "messages");
    let texts = messages.iter().map(|it| it["text"].as_str().unwrap());
    texts.map(str::to_owned).collect()
}

/// A customer's picture.
fn picture(msgid: &str) -> Value {
    let mut event = message(msgid, "c1");
    event["payload"]["message"] = json!({
        "type": "picture", "text": "look", "media": "https://example.com/tulips.png",
        "file_name": "tulips.png", "file_size": 1_200,
    });
    event
}

/// A message that was written to the customer elsewhere.
fn imported(msgid: &str, user: &str) -> Value {
    let mut event = message(msgid, "c1");
    let customer = event["payload"]["sender"].take();
    event["payload"]["receiver"] = customer;
    event["payload"]["sender"] = json!({ "id": "ada", "name": "Ada", "ref_id": user });
    event
}

#[tokio::test]
async fn messages_in_both_directions_have_the_counterparts_keys() {
    let mut server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let answer = client.replied(&chats[0], "Good day").await;
    let delivered = json!({ "msgid": answer, "delivery_status": 2 });
    client.delivery_status(&answer, &delivered).await.is(200);
    client.sent(&picture("m2")).await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let page = client.get(MESSAGES).await.is(200);
    assert_eq!(page.header("content-type"), "application/hal+json");
    let messages = entries(&page.json, "messages");
    let customer = &messages[2]["author"];
    assert_eq!(customer["id"].as_str().unwrap().len(), 36);
    assert_eq!(
        *customer,
        json!({
            "id": customer["id"], "type": "external", "name": "Grace",
            "avatar_url": "https://example.com/avatar.png",
        })
    );
    let user = &messages[1]["author"];
    assert_eq!(
        *user,
        json!({ "id": user["id"], "type": "internal", "name": "Ada", "avatar_url": null, "user_id": 1 })
    );
    let at = messages[1]["msec_created_at"].as_u64().unwrap();
    let incoming = json!({
        "chat_id": chats[0], "type": "incoming", "author": customer, "recipient": null,
        "created_at": 1_639_604_761, "msec_created_at": 1_639_604_761_000_u64,
        "origin": CHANNEL, "delivery_status": null,
    });
    let with = |mut message: Value, more: Value| {
        let message_object = message.as_object_mut().unwrap();
        message_object.extend(more.as_object().unwrap().clone());
        message
    };
    let expected = [
        with(
            incoming.clone(),
            json!({
                "id": messages[0]["id"], "message_type": "picture", "text": "look",
                "attachment": {
                    "type": "picture", "link": "https://example.com/tulips.png",
                    "file_name": "tulips.png",
                },
            }),
        ),
        json!({
            "id": answer, "chat_id": chats[0], "type": "outgoing", "message_type": "text",
            "author": user, "recipient": customer, "text": "Good day",
            "created_at": at / 1_000, "msec_created_at": at,
            "origin": CHANNEL, "delivery_status": 2, "attachment": null,
        }),
        with(
            incoming,
            json!({
                "id": messages[2]["id"], "message_type": "text", "text": "text of m",
                "attachment": null,
            }),
        ),
    ];
    assert_eq!(messages, expected);
}

#[tokio::test]
async fn an_imported_answer_has_its_writer() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let answer = client.replied(&chats[0], "Good day").await;
    let first = client.read(MESSAGES).await;
    let ada = entries(&first, "messages")[0]["author"]["id"].clone();
    client
        .sent_today(&imported("m2", ada.as_str().unwrap()))
        .await;
    let page = client.read(MESSAGES).await;
    let newest = entries(&page, "messages")
        .into_iter()
        .find(|it| it["text"] == "text of m2")
        .unwrap();
    assert_ne!(newest["id"], answer);
    assert_eq!(newest["type"], "outgoing");
    assert_eq!(newest["author"]["user_id"], 1);
    assert_eq!(newest["recipient"]["name"], "Grace");
    assert_eq!(newest["delivery_status"], 0);
}

#[tokio::test]
async fn a_talk_has_the_messages_from_its_lead_to_the_next() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&silent_message("m0", "c1")).await;
    client.sent(&message("m1", "c1")).await;
    client.sent(&message("m2", "c1")).await;
    floor::place(client, 1, 142, None).await;
    client.sent(&silent_message("m3", "c1")).await;
    client.sent(&message("m4", "c1")).await;
    client.sent(&message("m5", "c1")).await;
    client.sent(&message("other", "c2")).await;
    let first = ["text of m3", "text of m2", "text of m1", "text of m0"];
    assert_eq!(texts(client, MESSAGES).await, first);
    let second = "/api/v4/talks/2/messages";
    assert_eq!(texts(client, second).await, ["text of m5", "text of m4"]);
    // A user who answers for the first lead alone reads nothing of the second.
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    floor::place(client, 1, 142, Some(mia.id)).await;
    let page = mia.reads(client, MESSAGES).await.is(200);
    assert_eq!(entries(&page.json, "messages").len(), 4);
    let refusal = mia.reads(client, second).await.is(404);
    assert_eq!(refusal.json["detail"], "Requested entity not found");
    for never in ["0", "9", "x"] {
        let target = format!("/api/v4/talks/{never}/messages");
        client.get(&target).await.is(404);
    }
}

#[tokio::test]
async fn pages_and_times_of_messages() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for number in 1..=5_u64 {
        let mut event = message(&format!("m{number}"), "c1");
        event["payload"]["timestamp"] = json!(1_700_000_000 + number);
        client.sent(&event).await;
    }
    let page = |query: &str| format!("{MESSAGES}?{query}");
    let second = texts(client, &page("limit=2&page=2")).await;
    assert_eq!(second, ["text of m3", "text of m2"]);
    let mut next = Some(page("limit=2"));
    let mut all = Vec::new();
    while let Some(target) = next {
        all.extend(texts(client, &target).await);
        let link = client.read(&target).await["_links"]["next"]["href"].clone();
        next = link
            .as_str()
            .map(|link| link.trim_start_matches(server.url()).to_owned());
    }
    assert_eq!(
        all,
        [5, 4, 3, 2, 1].map(|number| format!("text of m{number}"))
    );
    let from = page("filter[created_at][from]=1700000004");
    assert_eq!(texts(client, &from).await, ["text of m5", "text of m4"]);
    for empty in ["page=9", "filter[created_at][from]=1800000000"] {
        client.get(&page(empty)).await.is(204);
    }
    for wrong in [
        "filter[created_at][from]=soon",
        "filter[created_at][from]=2&filter[created_at][to]=1",
        "filter[author]=1",
        "limit=x",
        "after=x",
    ] {
        client.get(&page(wrong)).await.is(400);
    }
    client.request("GET", MESSAGES).send().await.is(401);
    // The text of a customer is text.
    let mut event = message("m6", "c1");
    event["payload"]["message"]["text"] = json!("\u{202e}<b>\"\\u0000\\\u{1f600}");
    client.sent(&event).await;
    assert_eq!(
        texts(client, &page("limit=1")).await,
        ["\u{202e}<b>\"\\u0000\\\u{1f600}"]
    );
}
