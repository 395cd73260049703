//! `POST …/typing`: the inbox shows for a while that a person is writing.

use serde_json::{Value, json};

use super::{connected, message, text};
use crate::support::answer::Answer;
use crate::support::client::scope;
use crate::support::eventually;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

async fn typing(server: &Server, body: &Value) -> Answer {
    let tail = format!("{}/typing", scope(CHANNEL, ACCOUNT));
    server.client().post_today(&tail, body).await
}

#[tokio::test]
async fn typing_is_204_and_shown_until_it_expires() {
    let server = connected().await;
    let client = server.client();
    let new_message = client.sent_today(&message("m", "c")).await;
    let state = async || client.conversations().await[0]["typing"].clone();
    assert_eq!(state().await, Value::Null);
    let long = json!({ "conversation_id": "c", "sender": { "id": "customer of c" }, "duration_ms": 60_000 });
    assert_eq!(typing(&server, &long).await.is(204).body, "");
    assert_eq!(state().await["id"], new_message["sender_id"]);
    let short = json!({
        "conversation_ref_id": new_message["conversation_id"], "sender": { "ref_id": new_message["sender_id"] }, "duration_ms": 1,
    });
    typing(&server, &short).await.is(204);
    eventually("nobody is shown as writing", async || {
        state().await.is_null().then_some(())
    })
    .await;
    let messages = client.messages(text(&new_message["conversation_id"])).await;
    assert_eq!(messages.len(), 1, "nothing is stored");
}

#[tokio::test]
async fn an_unknown_target_and_every_error_are_reported() {
    let server = connected().await;
    let body = json!({ "conversation_id": "c", "sender": { "id": "u" } });
    let answer = typing(&server, &body).await.is(404);
    assert_eq!(answer.error_type(), "CONVERSATION_NOT_FOUND");
    server.client().sent_today(&message("m", "c")).await;
    let stranger = json!({ "conversation_id": "c", "sender": { "ref_id": "deadbeef-0000-4000-8000-000000000000" } });
    assert_eq!(
        typing(&server, &stranger).await.is(400).wrong()[0].0,
        "sender.ref_id"
    );
    let wrong = typing(&server, &json!({ "sender": {}, "duration_ms": 0 }))
        .await
        .is(400)
        .wrong();
    let errors = [
        ("conversation_id", "FieldMissing"),
        ("duration_ms", "InvalidValue"),
        ("sender.id", "FieldMissing"),
    ];
    assert_eq!(
        wrong,
        errors.map(|(path, code)| (path.to_owned(), code.to_owned()))
    );
    server.client().disconnect().await;
    typing(&server, &body).await.is(404);
}
