//! `edit_message`: new versions of messages, and what became of imported ones.

use serde_json::{Value, json};

use super::{answered, connected, message, text};
use crate::support::receiver::Receiver;
use crate::support::server::Server;

fn edit(msgid: &str, said: &str) -> Value {
    json!({
        "event_type": "edit_message",
        "payload": {
            "timestamp": 1_639_605_194, "msec_timestamp": 1_639_605_194_102_u64, "msgid": msgid, "conversation_id": "c",
            "message": { "type": "text", "text": said },
        },
    })
}

/// The newest version is shown, and neither a lead nor an unread message comes of it.
#[tokio::test]
async fn an_edit_shows_the_new_version_and_opens_no_lead_or_unread() {
    let server = connected().await;
    let client = server.client();
    let mut silent = message("m", "c");
    silent["payload"]["silent"] = json!(true);
    let new_message = client.sent_today(&silent).await;
    assert_eq!(client.sent_today(&edit("m", "second")).await, new_message);
    let conversation = text(&new_message["conversation_id"]);
    let stored_message = client.messages(conversation).await.remove(0);
    assert_eq!(stored_message["text"], "second");
    assert_eq!(stored_message["edited_at"], 1_639_605_194);
    assert_eq!(
        stored_message["timestamp"], 1_639_604_761,
        "when it was written stays"
    );
    assert!(client.leads().await.is_empty());
    assert_eq!(client.conversations().await[0]["unread"], 0);
    let history = client.history(conversation, "").await.is(200);
    assert_eq!(history.json["messages"][0]["message"]["text"], "second");
    assert_eq!(history.json["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_overtaken_or_repeated_edit_changes_nothing() {
    let server = connected().await;
    let client = server.client();
    let new_message = client.sent_today(&message("m", "c")).await;
    let mut newer = edit("m", "third");
    newer["payload"]["msec_timestamp"] = json!(1_639_605_194_900_u64);
    for event in [&edit("m", "second"), &newer, &edit("m", "second"), &newer] {
        client.sent_today(event).await;
    }
    let stored_message = client
        .messages(text(&new_message["conversation_id"]))
        .await
        .remove(0);
    assert_eq!(stored_message["text"], "third");
    // The message as it was sent is still known as that.
    assert_eq!(client.sent_today(&message("m", "c")).await, new_message);
}

#[tokio::test]
async fn a_reply_is_edited_by_our_id() {
    let server = connected().await;
    let client = server.client();
    let (user, first) = answered(&server).await;
    let conversation = text(&first["conversation_id"]);
    let answer = client.messages(conversation).await.remove(0);
    let mut event = edit("their-1", "Yes!");
    event["payload"]["id"] = answer["id"].clone();
    let repeat = client.sent_today(&event).await;
    assert_eq!(
        (&repeat["msgid"], &repeat["sender_id"]),
        (&answer["id"], &user)
    );
    assert_eq!(repeat["ref_id"], "their-1");
    // From now on the integration's id is enough.
    client.sent_today(&edit("their-1", "Yes, yes")).await;
    let refusal = client.send_today(&message("their-1", "c")).await.is(409);
    assert_eq!(refusal.error_type(), "MESSAGE_ALREADY_EXISTS");
    let mut second = edit("first", "x");
    second["payload"]["id"] = answer["id"].clone();
    client.send_today(&second).await.is(409);
    let history = client.history(conversation, "?limit=1").await.is(200);
    let view = &history.json["messages"][0]["message"];
    assert_eq!(
        (&view["client_id"], &view["text"]),
        (&json!("their-1"), &json!("Yes, yes"))
    );
}

#[tokio::test]
async fn an_imported_message_gets_its_status_with_or_without_an_edit() {
    let server = connected().await;
    let client = server.client();
    let (user, first) = answered(&server).await;
    let mut import = message("m", "c");
    import["payload"]["sender"] = json!({ "id": "manager", "name": "X", "ref_id": user });
    import["payload"]["receiver"] = json!({ "id": "customer of c" });
    client.sent_today(&import).await;
    let mut event = edit("m", "changed");
    event["payload"]["message"]["delivery_status"] =
        json!({ "status_code": -1, "error_code": 905, "error": "no such number" });
    client.sent_today(&event).await;
    let conversation = text(&first["conversation_id"]);
    let stored_message = client.messages(conversation).await.remove(0);
    assert_eq!(stored_message["text"], "changed");
    let delivery = json!({ "status": "error", "error_code": 905, "error": "no such number" });
    assert_eq!(stored_message["delivery"], delivery);
    event["payload"]["message"] =
        json!({ "delivery_status": { "status_code": 2, "error_code": null, "error": null } });
    client.sent_today(&event).await;
    let stored_message = client.messages(conversation).await.remove(0);
    assert_eq!(
        (
            &stored_message["text"],
            &stored_message["delivery"]["status"]
        ),
        (&json!("changed"), &json!("read"))
    );
    // What a customer wrote has no delivery.
    event["payload"]["msgid"] = json!("first");
    let refusal = client.send_today(&event).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "payload.message.delivery_status");
}

#[tokio::test]
async fn an_unknown_message_is_404_and_the_2019_rules_have_no_edits() {
    let server = connected().await;
    let client = server.client();
    let answer = client.send_today(&edit("m", "x")).await.is(404);
    assert_eq!(answer.error_type(), "CONVERSATION_NOT_FOUND");
    let new_message = client.sent_today(&message("m", "c")).await;
    client.sent_today(&message("m", "other")).await;
    let mut event = edit("n", "x");
    let answer = client.send_today(&event).await.is(404);
    assert_eq!(answer.error_type(), "MESSAGE_NOT_FOUND");
    event["payload"]["id"] = new_message["msgid"].clone();
    event["payload"]["conversation_id"] = json!("other");
    client.send_today(&event).await.is(404);
    let wrong = client.send(&edit("m", "x")).await.is(400).wrong();
    assert!(wrong.contains(&("event_type".to_owned(), "NotSupportedChoice".to_owned())));
    let empty = json!({ "event_type": "edit_message", "payload": { "message": {} } });
    let wrong = client.send_today(&empty).await.is(400).wrong();
    let missing = ["conversation_id", "message.type", "msgid", "timestamp"]
        .map(|path| (format!("payload.{path}"), "FieldMissing".to_owned()));
    assert_eq!(wrong, missing);
}

#[tokio::test]
async fn a_callback_carries_the_original_text_despite_edits() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent_today(&message("m", "c")).await;
    receiver.fail_next(1, 503);
    let answer = client
        .replied(text(&new_message["conversation_id"]), "as written")
        .await;
    receiver.callbacks(1).await;
    let mut event = edit("their-1", "changed");
    event["payload"]["id"] = json!(answer);
    client.sent_today(&event).await;
    let second = receiver.callbacks(2).await.remove(1);
    assert_eq!(second.json["message"]["message"]["text"], "as written");
}
