//! Messages that were written to a customer elsewhere: by an account user, or by the bot of the channel.

use serde_json::{Value, json};

use super::{answered, connected, message, text};
use crate::support::server::{OTHER_ACCOUNT, Server};

fn imported(msgid: &str, writer: &Value) -> Value {
    let mut event = message(msgid, "c");
    let id = format!("writer {writer}");
    event["payload"]["sender"] = json!({ "id": id, "name": "Unknown", "ref_id": writer });
    event["payload"]["receiver"] = json!({ "id": "customer of c", "name": "Grace" });
    event["payload"]["silent"] = json!(true);
    event
}

fn wrong(path: &str, code: &str) -> [(String, String); 1] {
    [(path.to_owned(), code.to_owned())]
}

#[tokio::test]
async fn account_users_and_the_bot_of_the_channel_are_writers() {
    let server = connected().await;
    let client = server.client();
    let (user, first) = answered(&server).await;
    let bot = server.ready()["bots"][0].clone();
    let leads = client.leads().await.len();
    for (msgid, writer, name) in [("of-user", &user, "Ada"), ("of-bot", &bot, "Unknown")] {
        let event = imported(msgid, writer);
        let new_message = client.sent_today(&event).await;
        assert_eq!(new_message["conversation_id"], first["conversation_id"]);
        assert_eq!(&new_message["sender_id"], writer);
        assert_eq!(new_message["receiver_id"], first["sender_id"]);
        assert_eq!(client.sent_today(&event).await, new_message, "a repeat");
        let message = client
            .messages(text(&new_message["conversation_id"]))
            .await
            .remove(0);
        assert_eq!(
            (&message["direction"], &message["imported"]),
            (&json!("out"), &json!(true))
        );
        assert_eq!(message["sender"]["name"], name);
        assert_eq!(message["delivery"]["status"], "sent");
        assert!(
            message.get("callback").is_none(),
            "nothing leaves: {message}"
        );
    }
    assert_eq!(client.leads().await.len(), leads);
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["customer"]["name"], "Grace");
    // From now on the integration's own id means the account user.
    let mut later = imported("later", &user);
    later["payload"]["sender"]
        .as_object_mut()
        .unwrap()
        .remove("ref_id");
    assert_eq!(client.sent_today(&later).await["sender_id"], user);
}

#[tokio::test]
async fn an_import_opens_no_lead_whether_it_is_silent_or_not() {
    let server = connected().await;
    let client = server.client();
    let bot = server.ready()["bots"][0].clone();
    let mut event = imported("m", &bot);
    event["payload"]["silent"] = json!(false);
    client.sent_today(&event).await;
    assert!(client.leads().await.is_empty());
    assert!(client.contacts().await.is_empty());
    // The customer who was written to is the customer of the conversation, and a lead comes with their first word.
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["customer"]["name"], "Grace");
    assert_eq!(conversation["unread"], 0);
    client.sent_today(&message("answer", "c")).await;
    assert_eq!(client.leads().await.len(), 1);
    assert_eq!(client.conversations().await[0]["unread"], 1);
    event["payload"]["msgid"] = json!("m2");
    client.sent_today(&event).await;
    assert_eq!(
        client.conversations().await[0]["unread"],
        0,
        "somebody has answered elsewhere"
    );
}

#[tokio::test]
async fn an_unknown_receiver_is_a_new_person_beside_the_customer() {
    let server = connected().await;
    let client = server.client();
    let (user, first) = answered(&server).await;
    let mut event = imported("m", &user);
    event["payload"]["receiver"] = json!({ "id": "somebody", "name": "Unknown" });
    let new_message = client.sent_today(&event).await;
    assert_ne!(new_message["receiver_id"], first["sender_id"]);
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["customer"]["id"], first["sender_id"]);
    // Once named, that person may be named by our id alone.
    let mut second = imported("m2", &user);
    second["payload"]["receiver"] = json!({ "ref_id": new_message["receiver_id"] });
    assert_eq!(
        client.sent_today(&second).await["receiver_id"],
        new_message["receiver_id"]
    );
}

#[tokio::test]
async fn an_invalid_writer_or_receiver_is_refused_with_its_path() {
    let server = connected().await;
    let client = server.client();
    let (user, first) = answered(&server).await;
    let nobody = json!("deadbeef-0000-4000-8000-000000000000");
    for (path, value, at, code) in [
        (
            "sender",
            json!({ "id": "x", "name": "X", "ref_id": nobody }),
            "payload.sender.ref_id",
            "InvalidValue",
        ),
        (
            "sender",
            json!({ "id": "x", "name": "X" }),
            "payload.receiver",
            "InvalidValue",
        ),
        (
            "sender",
            json!({ "id": "x", "name": "X", "ref_id": first["sender_id"] }),
            "payload.sender.ref_id",
            "InvalidValue",
        ),
        (
            "receiver",
            json!({ "ref_id": nobody }),
            "payload.receiver.ref_id",
            "InvalidValue",
        ),
        (
            "receiver",
            json!({ "ref_id": user }),
            "payload.receiver.ref_id",
            "InvalidValue",
        ),
        (
            "receiver",
            json!({ "id": "never named" }),
            "payload.receiver.name",
            "FieldMissing",
        ),
        ("receiver", Value::Null, "payload.receiver", "FieldMissing"),
    ] {
        let mut event = imported("m", &user);
        event["payload"][path] = value;
        let refusal = client.send_today(&event).await.is(400);
        assert_eq!(refusal.wrong(), wrong(at, code), "{}", refusal.body);
    }
    let foreign = Server::start().await;
    let foreign_bot = foreign.ready()["bots"][0].clone();
    let refusal = client
        .send_today(&imported("m", &foreign_bot))
        .await
        .is(400);
    assert!(
        refusal.body.contains("sender: user not found"),
        "{}",
        refusal.body
    );
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let messages = client.messages(text(&first["conversation_id"])).await;
    assert_eq!(messages.len(), 2, "nothing was written");
}

#[tokio::test]
async fn delivery_status_of_imported_messages_survives_a_restart() {
    let mut server = connected().await;
    let (user, _) = answered(&server).await;
    let new_message = server.client().sent_today(&imported("m", &user)).await;
    let report = json!({ "status_code": 2 });
    let scope = server.client().connect("v2").await;
    let tail = format!("{scope}/{}/delivery_status", text(&new_message["msgid"]));
    server.client().post_today(&tail, &report).await.is(200);
    server.kill_9();
    server.restart().await;
    let message = server
        .client()
        .messages(text(&new_message["conversation_id"]))
        .await
        .remove(0);
    assert_eq!(message["delivery"]["status"], "read");
    assert_eq!(message["sender"], json!({ "id": user, "name": "Ada" }));
}
