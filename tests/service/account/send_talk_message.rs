//! `POST /api/v4/talks/{id}/send_message`: programs write in their own name.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, entries, message};
use crate::support::oauth::{OAUTH_CLIENT, does, installed};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Server, TOKEN};

const SEND: &str = "/api/v4/talks/1/send_message";
const MESSAGES: &str = "/api/v4/talks/1/messages";

/// A program sends a text.
async fn sends(client: &Client, token: &str, text: &str) -> Answer {
    does(client, token, "POST", SEND, &json!({ "text": text })).await
}

async fn messages(client: &Client) -> Vec<Value> {
    entries(&client.read(MESSAGES).await, "messages")
}

#[tokio::test]
async fn a_program_writes_to_a_talk_as_a_bot() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let (access, _) = installed(client).await;
    // The loop of an agent: the talk, its messages, an answer.
    let talks = does(client, &access, "GET", "/api/v4/talks", &Value::Null).await;
    assert_eq!(entries(&talks.is(200).json, "talks")[0]["talk_id"], 1);
    let answer = does(client, &access, "GET", MESSAGES, &Value::Null).await;
    let history = entries(&answer.is(200).json, "messages");
    assert_eq!(history[0]["author"]["type"], "external");
    let sent = sends(client, &access, "We open at nine.").await.is(202);
    assert_eq!(sent.header("content-type"), "application/hal+json");
    let id = sent.json["id"].as_str().unwrap().to_owned();
    assert_eq!(sent.json, json!({ "id": id }));
    let callback = receiver.callbacks(1).await.remove(0).json;
    assert_eq!(callback["message"]["message"]["id"], id);
    assert_eq!(callback["message"]["message"]["text"], "We open at nine.");
    assert_eq!(callback["message"]["sender"]["name"], "Bridge");
    client.callback_is(&chats[0], &id, "delivered").await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let all = messages(client).await;
    assert_eq!(all.len(), 2, "{all:?}");
    let bot = &all[0]["author"];
    assert_eq!(all[0]["id"], id);
    assert_eq!(
        *bot,
        json!({ "id": bot["id"], "type": "bot", "name": "Bridge", "avatar_url": null })
    );
    assert_eq!(callback["message"]["sender"]["id"], bot["id"]);
    assert_eq!(all[0]["recipient"]["name"], "Grace");
    assert_eq!(all[0]["delivery_status"], 0);
    // The console shows it as that of the bot, once.
    let shown = client.messages(&chats[0]).await;
    assert_eq!(shown.len(), 2);
    assert_eq!(
        shown[0]["sender"],
        json!({
            "id": bot["id"], "name": "Bridge", "is_bot": true,
            "client": { "id": OAUTH_CLIENT, "name": "Bridge" },
        })
    );
    // What the customer wrote stays unread.
    assert_eq!(client.read("/api/v4/talks/1").await["is_read"], false);
    assert_eq!(receiver.so_far().len(), 1);
}

#[tokio::test]
async fn bots_and_people_answer_in_their_order() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    for number in 0..3 {
        sends(client, TOKEN, &format!("bot {number}")).await.is(202);
        client.replied(&chats[0], &format!("person {number}")).await;
    }
    let all = messages(client).await;
    let authors = all.iter().rev().skip(1).map(|it| {
        let author = &it["author"];
        assert_eq!(author["name"], "Ada", "a user's own token has no client");
        author["type"].as_str().unwrap()
    });
    assert_eq!(
        authors.collect::<Vec<_>>(),
        ["bot", "internal", "bot", "internal", "bot", "internal"]
    );
    let texts = receiver.callbacks(6).await.into_iter().map(|callback| {
        let text = &callback.json["message"]["message"]["text"];
        text.as_str().unwrap().to_owned()
    });
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [
            "bot 0", "person 0", "bot 1", "person 1", "bot 2", "person 2"
        ]
    );
}

#[tokio::test]
async fn a_request_with_the_same_key_is_the_same_message() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let ask = async |target: &str, body: Value| {
        client
            .request("POST", target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "once")
            .body(body.to_string())
            .send()
            .await
    };
    let first = ask(SEND, json!({ "text": "x" })).await.is(202);
    let again = ask(SEND, json!({ "text": "x" })).await.is(202);
    assert_eq!(first.json["id"], again.json["id"]);
    ask(SEND, json!({ "text": "y" })).await.is(409);
    // What a person writes is no repeat of what a bot wrote.
    let reply = format!("/inbox/v1/conversations/{}/messages", chats[0]);
    ask(&reply, json!({ "type": "text", "text": "x" }))
        .await
        .is(409);
    assert_eq!(messages(client).await.len(), 2);
}

#[tokio::test]
async fn a_closed_talk_takes_no_message_of_a_bot() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let close = "/api/v4/talks/1/close";
    floor::admin(client, "POST", close, &json!({}))
        .await
        .is(202);
    let refusal = sends(client, TOKEN, "x").await.is(422);
    assert_eq!(refusal.json["detail"], "Talk is closed");
    client.sent(&message("m2", "c1")).await;
    sends(client, TOKEN, "x").await.is(202);
    floor::place(client, 1, 142, None).await;
    sends(client, TOKEN, "x").await.is(422);
    client.sent(&message("m3", "c1")).await;
    sends(client, TOKEN, "x").await.is(422);
    let second = "/api/v4/talks/2/send_message";
    floor::admin(client, "POST", second, &json!({ "text": "x" }))
        .await
        .is(202);
}

#[tokio::test]
async fn a_message_to_a_talk_checks_rights_number_and_body() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    floor::place(client, 1, 2, None).await;
    let mut rights = floor::rights("A");
    for right in ["edit", "delete"] {
        rights["leads"][right] = json!("D");
    }
    let eve = floor::add(client, "Eve", &rights).await;
    let text = json!({ "text": "x" });
    eve.sends(client, "POST", SEND, &text).await.is(403);
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    for refusal in [
        dee.sends(client, "POST", SEND, &text).await,
        floor::admin(client, "POST", "/api/v4/talks/9/send_message", &text).await,
    ] {
        assert_eq!(refusal.is(404).json["detail"], "Requested entity not found");
    }
    client.request("POST", SEND).send().await.is(401);
    for wrong in [
        json!({}),
        json!([]),
        json!({ "text": "" }),
        json!({ "text": 1 }),
        json!({ "text": "x".repeat(65_537) }),
    ] {
        floor::admin(client, "POST", SEND, &wrong).await.is(400);
    }
    client.disconnect().await;
    floor::admin(client, "POST", SEND, &text).await.is(409);
    assert_eq!(messages(client).await.len(), 1);
}

/// The quota of messages of bots, and what is used of it.
async fn usage(client: &Client) -> Value {
    let account = format!("/admin/v1/accounts/{ACCOUNT}");
    let account = client.operate("GET", &account).send().await.is(200).json;
    account["usage"]["bot_messages_per_month"].clone()
}

#[tokio::test]
async fn a_bot_that_answers_itself_ends_with_its_quota() {
    let mut server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    sends(client, TOKEN, "before there is a quota")
        .await
        .is(202);
    let account = format!("/admin/v1/accounts/{ACCOUNT}");
    let quota = json!({ "bot_messages_per_month": 4 });
    client.operates("PATCH", &account, &quota).await.is(200);
    let mut answers = 1;
    let refusal = loop {
        let answer = sends(client, TOKEN, &format!("Again {answers}")).await;
        if answer.status != 202 {
            break answer;
        }
        answers += 1;
    };
    assert_eq!(answers, 4);
    let detail = refusal.is(402).json["detail"].clone();
    let detail = detail.as_str().unwrap();
    assert!(detail.starts_with("Over chat API limit"), "{detail}");
    server.kill_9();
    server.restart().await;
    let client = server.client();
    sends(client, TOKEN, "x").await.is(402);
    assert_eq!(usage(client).await, json!({ "used": 4, "quota": 4 }));
    // It counts for all talks of the account, and for no other account.
    let other = "/api/v4/talks/2/send_message";
    floor::admin(client, "POST", other, &json!({ "text": "x" }))
        .await
        .is(402);
    assert_eq!(messages(client).await.len(), 5);
    client.replied(&chats[0], "A person").await;
    client.sent(&message("m2", "c1")).await;
    let more = json!({ "bot_messages_per_month": 5 });
    client.operates("PATCH", &account, &more).await.is(200);
    sends(client, TOKEN, "x").await.is(202);
    sends(client, TOKEN, "x").await.is(402);
}
