//! `POST /inbox/v1/conversations`: from the first word to a chat that both sides know.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message, scope};
use crate::support::receiver::Receiver;
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, Server, TOKEN};

fn first(phone: &str) -> Value {
    json!({ "scope_id": scope(CHANNEL, ACCOUNT), "phone": phone, "name": "Grace", "text": "Good day!" })
}

async fn start(client: &Client, body: &Value) -> Answer {
    let request = client
        .request("POST", "/inbox/v1/conversations")
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await
}

/// The first callback with this text. After a kill, others may be repeated before it.
async fn callback_saying(receiver: &Receiver, text: &str) -> Value {
    let mut count = 1;
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let came = receiver.callbacks(count).await;
        count = came.len() + 1;
        let mut messages = came
            .into_iter()
            .map(|callback| callback.json["message"].clone());
        if let Some(message) = messages.find(|message| message["message"]["text"] == text) {
            return message;
        }
    }
}

#[tokio::test]
async fn a_started_conversation_works_in_both_directions_once_bound() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let response = start(server.client(), &first("+7 916 123-45-67"))
        .await
        .is(201)
        .json;
    let conversation = response["conversation"]["id"].as_str().unwrap().to_owned();
    assert_eq!(response["conversation"]["client_id"], Value::Null);
    assert_eq!(
        response["conversation"]["customer"]["phone"],
        "+7 916 123-45-67"
    );

    let callback = callback_saying(&receiver, "Good day!").await;
    assert_eq!(
        callback["conversation"],
        json!({ "id": conversation, "client_id": "" })
    );
    let to = &callback["receiver"];
    assert_eq!(
        (&to["client_id"], &to["phone"]),
        (&json!(""), &json!("+7 916 123-45-67"))
    );
    assert_eq!(
        (&to["name"], &callback["message"]["text"]),
        (&json!("Grace"), &json!("Good day!"))
    );
    let status = json!({ "msgid": callback["message"]["id"], "delivery_status": 1 });
    let id = callback["message"]["id"].as_str().unwrap();
    server.client().delivery_status(id, &status).await.is(200);

    // What is not bound yet survives a crash as well.
    server.kill_9();
    server.restart().await;
    let client = server.client();
    client.replied(&conversation, "are you there?").await;
    let again = callback_saying(&receiver, "are you there?").await;
    assert_eq!(again["conversation"], callback["conversation"]);

    let mut answer = message("m1", "their chat");
    answer["payload"]["conversation_ref_id"] = json!(conversation);
    answer["payload"]["sender"]["id"] = json!("their person");
    answer["payload"]["sender"]["ref_id"] = to["id"].clone();
    let new_message = client.sent(&answer).await;
    assert_eq!(new_message["conversation_id"], conversation.as_str());
    assert_eq!(new_message["sender_id"], to["id"]);
    assert_eq!(client.leads().await.len(), 1);

    client.replied(&conversation, "wonderful").await;
    let bound = callback_saying(&receiver, "wonderful").await;
    assert_eq!(
        bound["conversation"],
        json!({ "id": conversation, "client_id": "their chat" })
    );
    assert_eq!(bound["receiver"]["id"], to["id"]);
    assert_eq!(bound["receiver"]["client_id"], "their person");
    assert_eq!(bound["receiver"]["phone"], "+7 916 123-45-67");

    // From now on the integration's ids are enough.
    let mut later = message("m2", "their chat");
    later["payload"]["sender"]["id"] = json!("their person");
    let new_message = client.sent(&later).await;
    assert_eq!(
        (&new_message["conversation_id"], &new_message["sender_id"]),
        (&json!(conversation), &to["id"])
    );
    assert_eq!(client.conversations().await.len(), 1);
    assert_eq!(client.messages(&conversation).await.len(), 5);
}

#[tokio::test]
async fn one_phone_number_is_one_conversation_in_any_spelling() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let one = start(client, &first("+7 (916) 123-45-67"))
        .await
        .is(201)
        .json;
    let same = start(client, &first("79161234567")).await.is(201).json;
    let other = start(client, &first("79161234568")).await.is(201).json;
    assert_eq!(one["conversation"]["id"], same["conversation"]["id"]);
    assert_ne!(one["conversation"]["id"], other["conversation"]["id"]);
    assert_eq!(client.conversations().await.len(), 2);
}

/// Version 1, a disconnected scope and bad bodies are refused and write nothing.
#[tokio::test]
async fn starting_needs_version_2_a_connection_and_a_valid_body() {
    let server = Server::start().await;
    let client = server.client();
    let refusal = start(client, &first("1")).await.is(409);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("not connected")
    );
    client.connect("v1").await;
    let refusal = start(client, &first("1")).await.is(409);
    assert!(
        refusal.json["detail"]
            .as_str()
            .unwrap()
            .contains("hook_api_version v2")
    );
    client.connect("v2").await;
    let mut theirs = first("1");
    theirs["scope_id"] = json!(scope(CHANNEL, OTHER_ACCOUNT));
    for (body, named) in [
        (json!({}), &["phone", "scope_id", "text"][..]),
        (theirs, &["scope_id"]),
        (first("no digits"), &["phone"]),
        (first(""), &["phone"]),
        (
            json!({ "scope_id": "x", "phone": 7, "text": "", "who": 1 }),
            &["phone", "scope_id", "text", "who"],
        ),
    ] {
        let answer = start(client, &body).await.is(400);
        let wrong: Vec<_> = answer.wrong().into_iter().map(|(path, _)| path).collect();
        assert_eq!(wrong, named, "{body}");
    }
    assert!(client.conversations().await.is_empty());
}

#[tokio::test]
async fn a_request_repeated_by_its_idempotency_key_is_one_message() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    let response = start(server.client(), &first("7")).await.is(201).json;
    let conversation = response["conversation"]["id"].as_str().unwrap();
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    async fn say(client: &Client, target: &str, key: &str, text: &str) -> Answer {
        let request = client
            .request("POST", target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key);
        request
            .body(json!({ "type": "text", "text": text }).to_string())
            .send()
            .await
    }
    let one = say(server.client(), &target, "k-1", "hello")
        .await
        .is(201)
        .json;
    server.kill_9();
    server.restart().await;
    let again = say(server.client(), &target, "k-1", "hello")
        .await
        .is(201)
        .json;
    assert_eq!(again["id"], one["id"]);
    say(server.client(), &target, "k-1", "something else")
        .await
        .is(409);
    say(server.client(), &target, "", "hello").await.is(400);
    let other = say(server.client(), &target, "k-2", "hello")
        .await
        .is(201)
        .json;
    assert_ne!(other["id"], one["id"]);
    assert_eq!(server.client().messages(conversation).await.len(), 3);
}
