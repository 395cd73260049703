//! `POST …/react`: signs that people leave on messages.

use serde_json::{Value, json};

use super::{answered, connected, message, text};
use crate::support::answer::Answer;
use crate::support::client::scope;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

async fn react(server: &Server, body: &Value) -> Answer {
    let tail = format!("{}/react", scope(CHANNEL, ACCOUNT));
    server.client().post_today(&tail, body).await
}

fn by_customer(kind: &str, emoji: &str) -> Value {
    json!({
        "conversation_id": "c", "msgid": "first", "user": { "id": "customer of c" }, "type": kind, "emoji": emoji,
    })
}

#[tokio::test]
async fn reactions_are_set_and_removed_and_survive_a_restart() {
    let mut server = connected().await;
    let (user, sent) = answered(&server).await;
    let conversation = text(&sent["conversation_id"]).to_owned();
    let customer = sent["sender_id"].clone();
    for body in [
        by_customer("react", "😍"),
        by_customer("react", "😍"),
        by_customer("react", "👍"),
    ] {
        assert_eq!(react(&server, &body).await.is(200).body, "");
    }
    let by_user = json!({
        "conversation_ref_id": conversation, "id": sent["msgid"], "user": { "ref_id": user }, "type": "react",
        "emoji": null,
    });
    react(&server, &by_user).await.is(200);
    server.kill_9();
    server.restart().await;
    let reactions = async |server: &Server| {
        let messages = server.client().messages(&conversation).await;
        messages[1].get("reactions").cloned().unwrap_or_default()
    };
    let of = |by: &Value, emoji: Value| json!({ "sender_id": by, "emoji": emoji });
    let all = [
        of(&customer, json!("😍")),
        of(&customer, json!("👍")),
        of(&user, Value::Null),
    ];
    assert_eq!(reactions(&server).await, json!(all));
    react(&server, &by_customer("unreact", "👍")).await.is(200);
    assert_eq!(reactions(&server).await, json!([all[0], all[2]]));
    react(&server, &by_customer("react", "👍")).await.is(200);
    react(&server, &by_customer("unreact", "")).await.is(200);
    assert_eq!(
        reactions(&server).await,
        json!([all[2]]),
        "without a sign all of theirs go"
    );
    react(&server, &by_customer("unreact", "👍")).await.is(200);
}

#[tokio::test]
async fn a_reply_of_an_account_user_accepts_reactions() {
    let server = connected().await;
    let (_, sent) = answered(&server).await;
    let conversation = text(&sent["conversation_id"]);
    let answer = server.client().messages(conversation).await.remove(0);
    let mut body = by_customer("react", "😍");
    body["msgid"] = Value::Null;
    body["id"] = answer["id"].clone();
    react(&server, &body).await.is(200);
    let answer = server.client().messages(conversation).await.remove(0);
    assert_eq!(answer["reactions"][0]["emoji"], "😍");
}

#[tokio::test]
async fn an_unknown_target_and_every_error_are_reported() {
    let server = connected().await;
    let answer = react(&server, &by_customer("react", "x")).await.is(404);
    assert_eq!(answer.error_type(), "CONVERSATION_NOT_FOUND");
    let (_, sent) = answered(&server).await;
    server.client().sent_today(&message("other", "d")).await;
    let mut body = by_customer("react", "x");
    body["msgid"] = json!("other");
    let answer = react(&server, &body).await.is(404);
    assert_eq!(answer.error_type(), "MESSAGE_NOT_FOUND");
    body["msgid"] = Value::Null;
    body["id"] = sent["msgid"].clone();
    body["conversation_id"] = json!("d");
    react(&server, &body).await.is(404);
    body["conversation_id"] = json!("c");
    body["user"] = json!({ "ref_id": "deadbeef-0000-4000-8000-000000000000" });
    assert_eq!(
        react(&server, &body).await.is(400).wrong()[0].0,
        "user.ref_id"
    );
    let wrong = react(&server, &json!({ "type": "like", "emoji": "a\n" }))
        .await
        .is(400)
        .wrong();
    let errors = [
        ("conversation_id", "FieldMissing"),
        ("emoji", "InvalidValue"),
        ("msgid", "FieldMissing"),
        ("type", "NotSupportedChoice"),
        ("user", "FieldMissing"),
    ];
    assert_eq!(
        wrong,
        errors.map(|(path, code)| (path.to_owned(), code.to_owned()))
    );
}
