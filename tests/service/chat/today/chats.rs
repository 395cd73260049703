//! `POST …/chats`: conversations before their first message.

use serde_json::{Value, json};

use super::{answered, connected, message, text};
use crate::support::client::scope;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

async fn chat(server: &Server, body: &Value) -> crate::support::answer::Answer {
    let tail = format!("{}/chats", scope(CHANNEL, ACCOUNT));
    server.client().post_today(&tail, body).await
}

fn wanted(conversation: &str) -> Value {
    json!({
        "conversation_id": conversation,
        "source": { "external_id": "78001234567" },
        "user": {
            "id": format!("customer of {conversation}"), "name": "Grace", "avatar": "https://example.com/a.png",
            "profile": { "phone": "+79151112233", "email": "grace@example.com" },
            "profile_link": "https://example.com/grace",
        },
    })
}

#[tokio::test]
async fn the_answer_is_flat_and_omits_absent_values() {
    let server = connected().await;
    let answer = chat(&server, &wanted("c")).await.is(200);
    let id = text(&answer.json["id"]).to_owned();
    let user = text(&answer.json["user"]["id"]).to_owned();
    let body = format!(
        r#"{{"id":"{id}","user":{{"id":"{user}","client_id":"customer of c","name":"Grace","avatar":"https://example.com/a.png","phone":"+79151112233","email":"grace@example.com"}}}}"#
    );
    assert_eq!(answer.body, body);
    let mut bare = wanted("bare");
    bare["user"] = json!({ "id": "u", "name": "Alan", "avatar": null, "profile": null });
    let answer = chat(&server, &bare).await.is(200);
    let keys: Vec<&String> = answer.json["user"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["client_id", "id", "name"]);
}

/// A created chat is in no list before its first message, and is the same chat afterwards.
#[tokio::test]
async fn a_created_chat_is_listed_only_after_its_first_message() {
    let server = connected().await;
    let client = server.client();
    let first = chat(&server, &wanted("c")).await.is(200);
    assert!(client.conversations().await.is_empty());
    assert!(client.leads().await.is_empty() && client.contacts().await.is_empty());
    client.history(text(&first.json["id"]), "").await.is(204);
    let mut renamed = wanted("c");
    renamed["user"]["name"] = json!("Another");
    assert_eq!(
        chat(&server, &renamed).await.is(200).json["id"],
        first.json["id"]
    );
    let new_message = client.sent_today(&message("m", "c")).await;
    assert_eq!(new_message["conversation_id"], first.json["id"]);
    assert_eq!(new_message["sender_id"], first.json["user"]["id"]);
    let conversation = client.conversations().await.remove(0);
    assert_eq!(
        conversation["customer"]["phone"], "+79151112233",
        "what was known is kept"
    );
    assert_eq!(conversation["source"], "78001234567");
    assert_eq!(client.leads().await.len(), 1);
}

#[tokio::test]
async fn an_account_user_can_write_first_in_a_created_chat() {
    let mut server = connected().await;
    let response = chat(&server, &wanted("c")).await.is(200).json;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let conversation = text(&response["id"]);
    let message = client.replied(conversation, "Hello").await;
    let stored_message = client.messages(conversation).await.remove(0);
    assert_eq!(stored_message["id"], message);
    assert_eq!(client.conversations().await.len(), 1);
}

#[tokio::test]
async fn an_account_user_may_be_named_alone_but_not_an_unknown_id() {
    let server = connected().await;
    let (user, _) = answered(&server).await;
    let mut body = wanted("later");
    body["user"] = json!({ "ref_id": user });
    let response = chat(&server, &body).await.is(200).json;
    assert_eq!(response["user"], json!({ "id": user }));
    // The customer is the first person who writes.
    server.client().sent_today(&message("m", "later")).await;
    let list = server.client().conversations().await;
    assert_eq!(list[0]["id"], response["id"]);
    assert_eq!(list[0]["customer"]["client_id"], "customer of later");
    body["user"] = json!({ "ref_id": "deadbeef-0000-4000-8000-000000000000" });
    let wrong = chat(&server, &body).await.is(400).wrong();
    assert_eq!(
        wrong,
        [("user.ref_id".to_owned(), "InvalidValue".to_owned())]
    );
}

#[tokio::test]
async fn every_error_is_reported_at_once() {
    let server = connected().await;
    let body = json!({ "source": "x", "user": { "id": "", "profile": { "email": "no" } } });
    let wrong = chat(&server, &body).await.is(400).wrong();
    let errors = [
        ("conversation_id", "FieldMissing"),
        ("source", "InvalidType"),
        ("user.id", "InvalidValue"),
        ("user.name", "FieldMissing"),
    ];
    assert_eq!(
        wrong,
        errors.map(|(path, code)| (path.to_owned(), code.to_owned()))
    );
    server.client().disconnect().await;
    chat(&server, &wanted("c")).await.is(404);
}
