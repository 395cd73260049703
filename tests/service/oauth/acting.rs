//! Clients that act for users: beside each author stands the client that acted for them.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::support::client::{Client, message};
use crate::support::oauth::{Browser, OAUTH_CLIENT, does, installed};
use crate::support::server::{ACCOUNT, Server, TOKEN};

fn bridge() -> Value {
    json!({ "id": OAUTH_CLIENT, "name": "Bridge" })
}

/// The entries of the account's audit log, oldest first.
async fn entries(client: &Client) -> Vec<Value> {
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}&limit=250");
    let log = client.operate("GET", &target).send().await.is(200).json;
    let mut entries = log["entries"].as_array().unwrap().clone();
    entries.reverse();
    entries
}

/// The changes that leave an entry in the audit log, in their order.
fn changes() -> Vec<(&'static str, &'static str, Value)> {
    let user = json!([{ "name": "Eve", "email": "eve@example.com", "password": "aBcde1@345" }]);
    let source = json!([{ "name": "Shop", "external_id": "shop" }]);
    let note = json!([{ "note_type": "common", "params": { "text": "x" } }]);
    let one = json!([{ "id": 1 }]);
    vec![
        ("POST", "/api/v4/users", user),
        ("POST", "/api/v4/users/deactivate", json!([{ "id": 2 }])),
        ("POST", "/api/v4/users/activate", json!([{ "id": 2 }])),
        ("POST", "/api/v4/roles", json!({ "name": "One" })),
        ("PATCH", "/api/v4/roles/1", json!({ "name": "Two" })),
        ("DELETE", "/api/v4/roles/1", Value::Null),
        ("POST", "/api/v4/sources", source),
        ("PATCH", "/api/v4/sources/1", json!({ "name": "Desk" })),
        ("DELETE", "/api/v4/sources", one),
        ("POST", "/api/v4/leads/tags", json!([{ "name": "red" }])),
        ("POST", "/api/v4/leads", json!([{ "name": "New" }])),
        ("PATCH", "/api/v4/leads/1", json!({ "name": "Tulips" })),
        ("POST", "/api/v4/contacts", json!([{ "name": "New" }])),
        ("PATCH", "/api/v4/contacts/1", json!({ "name": "Ann" })),
        ("POST", "/api/v4/leads/1/notes", note),
        ("POST", "/api/v4/leads/unsorted/1/accept", json!({})),
        ("POST", "/api/v4/talks/1/close", json!({})),
    ]
}

#[tokio::test]
async fn the_audit_log_names_the_client_that_acted_for_a_user() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let (access, _) = installed(client).await;
    let before = entries(client).await.len();
    let chat = new_message["conversation_id"].clone();
    let links = json!([{ "contact_id": 2, "chat_id": chat }]);
    let last = ("POST", "/api/v4/contacts/chats", links);
    let mut entries_before = before;
    for (method, target, body) in changes().into_iter().chain([last]) {
        let answer = does(client, &access, method, target, &body).await;
        assert!(
            (200..300).contains(&answer.status),
            "{target}: {}",
            answer.body
        );
        let entries = entries(client).await.len();
        assert!(entries > entries_before, "{method} {target} left no entry");
        entries_before = entries;
    }
    let by_client = entries(client).await.split_off(before);
    for entry in &by_client {
        let by = json!({
            "kind": "user", "account_id": ACCOUNT, "user_id": 1, "name": "Ada", "client": bridge(),
        });
        assert_eq!(entry["by"], by, "{entry}");
    }
    // The client is named as it was called at the time, also after a crash.
    let renamed = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}");
    let name = json!({ "name": "Renamed" });
    client.operates("PATCH", &renamed, &name).await.is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let after = entries(client).await;
    assert_eq!(after[before..before + by_client.len()], by_client);
    // What the user does names no client.
    let note = json!([{ "note_type": "common", "params": { "text": "y" } }]);
    does(client, TOKEN, "POST", "/api/v4/leads/1/notes", &note)
        .await
        .is(200);
    let last = entries(client).await.pop().unwrap();
    assert_eq!(last["by"]["user_id"], 1);
    assert_eq!(last["by"]["client"], Value::Null, "{last}");
}

#[tokio::test]
async fn messages_reactions_and_events_name_the_acting_client() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c")).await;
    let conversation = format!(
        "/inbox/v1/conversations/{}",
        new_message["conversation_id"].as_str().unwrap()
    );
    let all = format!("{conversation}/messages");
    let (access, _) = installed(client).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let bridge_does =
        async |target: &str, body: &Value| does(client, &access, "POST", target, body).await;

    bridge_does(&format!("{conversation}/typing"), &Value::Null)
        .await
        .is(204);
    let typing = stream.upto("typing").await.pop().unwrap().data;
    assert_eq!(
        typing["user"],
        json!({ "id": 1, "name": "Ada", "client": bridge() })
    );
    bridge_does(&format!("{conversation}/read"), &Value::Null)
        .await
        .is(204);
    let read = stream.upto("read").await.pop().unwrap().data;
    assert_eq!(read["user"], json!({ "id": 1, "client": bridge() }));
    let text = |text: &str| json!({ "type": "text", "text": text });
    let reply = bridge_does(&all, &text("by the bridge")).await.is(201).json;
    let event = stream.upto("message").await.pop().unwrap().data;
    assert_eq!(event["message"]["sender"]["client"], bridge());
    let id = reply["id"].as_str().unwrap();
    let reaction = json!({ "type": "react", "emoji": "+" });
    bridge_does(&format!("{all}/{id}/reactions"), &reaction)
        .await
        .is(200);
    // Ada answers the message of the bridge by herself.
    let mut answer = text("by Ada");
    answer["reply_to"] = json!(id);
    does(client, TOKEN, "POST", &all, &answer).await.is(201);

    for _ in 0..2 {
        let client = server.client();
        let messages = client.read(&all).await["messages"].clone();
        let [ada, bridged] = [0, 1].map(|place| &messages[place]);
        assert_eq!(bridged["sender"]["name"], "Ada");
        assert_eq!(bridged["sender"]["client"], bridge());
        assert_eq!(bridged["reactions"][0]["client"], bridge());
        assert_eq!(ada["sender"]["client"], Value::Null);
        assert_eq!(ada["reply_to"]["sender"]["client"], bridge());
        server.kill_9();
        server.restart().await;
    }
}

#[tokio::test]
async fn a_note_names_the_clients_of_its_author_and_last_change() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m", "c")).await;
    let (access, _) = installed(client).await;
    let text = |text: &str| json!({ "note_type": "common", "params": { "text": text } });
    let all = "/api/v4/leads/1/notes";
    does(client, &access, "POST", all, &json!([text("a")]))
        .await
        .is(200);
    does(client, TOKEN, "POST", all, &json!([text("b")]))
        .await
        .is(200);
    let change = async |token: &str, note: u64| {
        let target = format!("{all}/{note}");
        does(client, token, "PATCH", &target, &text("c"))
            .await
            .is(200);
        let note = client.read(&target).await;
        (
            note["created_by_client"].clone(),
            note["updated_by_client"].clone(),
        )
    };
    let first = client.read("/api/v4/leads/1/notes/1").await;
    assert_eq!(first["updated_by_client"], bridge());
    assert_eq!(change(TOKEN, 1).await, (bridge(), Value::Null));
    assert_eq!(change(&access, 2).await, (Value::Null, bridge()));
}

/// A reaction that a client has set for a user is the user's: the user removes it.
#[tokio::test]
async fn a_reaction_through_a_client_is_the_users_own() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c")).await;
    let (access, _) = installed(client).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let message = client.messages(conversation).await[0]["id"].clone();
    let target = format!(
        "/inbox/v1/conversations/{conversation}/messages/{}/reactions",
        message.as_str().unwrap()
    );
    let react = |kind: &str| json!({ "type": kind, "emoji": "+" });
    let reactions = async || client.messages(conversation).await[0]["reactions"].clone();
    for token in [&*access, TOKEN] {
        does(client, token, "POST", &target, &react("react"))
            .await
            .is(200);
        assert_eq!(reactions().await.as_array().unwrap().len(), 1);
    }
    does(client, TOKEN, "POST", &target, &react("unreact"))
        .await
        .is(200);
    assert_eq!(reactions().await, Value::Null);
}

/// A client that floods the service uses up its own share, not that of the user for whom it acts.
#[tokio::test]
async fn a_client_does_not_use_up_the_rate_of_its_user() {
    let setup =
        crate::support::server::Setup::default().setting("limits", "user_requests_per_second = 10");
    let server = setup.start().await;
    let client = server.client();
    let (access, _) = installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let mut is_over = false;
    for _ in 0..200 {
        is_over |= client.get_as(&access, "/inbox/v1/me").await.status == 429;
    }
    assert!(is_over, "the client was never too fast");
    ada.asks("GET", "/inbox/v1/me", &Value::Null).await.is(200);
}
