//! The same msgid once more: what may differ in a retry, and what makes it another message.

use serde_json::{Value, json};

use crate::support::client::{Client, message};
use crate::support::server::Server;

fn changed(event: &Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let mut event = event.clone();
    event.pointer_mut(parent).unwrap()[key] = value;
    event
}

/// Returns the same message with the fields that client libraries stamp anew, and with those that people change of
/// themselves.
fn retries(event: &Value) -> Vec<Value> {
    let profile = json!({ "phone": "+1", "email": "new@example.com" });
    vec![
        changed(event, "/payload/timestamp", json!(1_639_604_762)),
        changed(
            event,
            "/payload/msec_timestamp",
            json!(1_639_604_761_999_u64),
        ),
        changed(event, "/payload/silent", json!(true)),
        changed(event, "/payload/sender/name", json!("Grace Hopper")),
        changed(
            event,
            "/payload/sender/avatar",
            json!("https://example.com/new.png"),
        ),
        changed(event, "/payload/sender/profile", profile),
        changed(
            event,
            "/payload/sender/profile_link",
            json!("https://example.com/g"),
        ),
    ]
}

#[derive(Clone, Copy, Debug)]
enum Signed {
    Raw,
    Canonically,
}

async fn send(client: &Client, signed: Signed, event: &Value) -> crate::support::answer::Answer {
    match signed {
        Signed::Raw => client.send(event).await,
        Signed::Canonically => client.send_today(event).await,
    }
}

/// A retry that is stamped anew is the same message, in both generations.
#[tokio::test]
async fn a_retry_with_a_new_timestamp_is_the_same_message() {
    let mut server = Server::start().await;
    server.client().connect("v2").await;
    for signed in [Signed::Raw, Signed::Canonically] {
        let event = message("m", &format!("c {signed:?}"));
        let first = send(server.client(), signed, &event).await.is(200);
        let before = server.client().conversations().await;
        let check = async |client: &Client| {
            for retry in retries(&event) {
                let again = send(client, signed, &retry).await.is(200);
                assert_eq!(again.json, first.json, "{retry}");
                assert_eq!(again.header("idempotent-replayed"), "true");
            }
        };
        check(server.client()).await;
        server.kill_9();
        server.restart().await;
        check(server.client()).await;
        assert_eq!(
            server.client().conversations().await,
            before,
            "nothing is changed"
        );
        let conversation = first.json["new_message"]["conversation_id"]
            .as_str()
            .unwrap();
        assert_eq!(server.client().messages(conversation).await.len(), 1);
    }
}

#[tokio::test]
async fn a_repeated_msgid_with_other_sender_or_content_is_409() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let event = message("m", "c");
    let first = client.sent(&event).await;
    let file = json!({
        "type": "file", "media": "https://example.com/f", "file_name": "f", "file_size": 1,
    });
    for (pointer, value) in [
        ("/payload/message/text", json!("another text")),
        ("/payload/message/callback_data", json!("button")),
        ("/payload/message", file),
        ("/payload/sender/id", json!("somebody else")),
    ] {
        for signed in [Signed::Raw, Signed::Canonically] {
            let other = changed(&event, pointer, value.clone());
            let refusal = send(client, signed, &other).await.is(409);
            assert_eq!(refusal.error_type(), "MESSAGE_ALREADY_EXISTS");
        }
    }
    let conversation = first["conversation_id"].as_str().unwrap();
    assert_eq!(client.messages(conversation).await.len(), 1);
}

#[tokio::test]
async fn a_retry_of_an_outgoing_message_compares_both_people() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let bot = server.ready()["bots"][0].clone();
    let mut event = message("m", "c");
    event["payload"]["sender"] = json!({ "id": "bot", "ref_id": bot, "name": "Bot" });
    event["payload"]["receiver"] = json!({ "id": "u", "name": "Uma" });
    let first = client.sent_today(&event).await;
    // The same people, named otherwise.
    for (pointer, value) in [
        ("/payload/timestamp", json!(1_639_604_762)),
        ("/payload/receiver", json!({ "id": "u" })),
        (
            "/payload/receiver",
            json!({ "ref_id": first["receiver_id"] }),
        ),
        ("/payload/sender", json!({ "ref_id": bot })),
        ("/payload/sender", json!({ "id": "bot" })),
    ] {
        let retry = changed(&event, pointer, value);
        assert_eq!(client.sent_today(&retry).await, first, "{retry}");
    }
    let other = changed(
        &event,
        "/payload/receiver",
        json!({ "id": "v", "name": "Vera" }),
    );
    client.send_today(&other).await.is(409);
}
