//! The optional fields of a message.

use serde_json::{Value, json};

use super::{connected, message, text};
use crate::support::receiver::Receiver;
use crate::support::server::Server;

#[tokio::test]
async fn avatar_file_name_and_size_are_optional_and_null_is_absent() {
    let server = connected().await;
    let client = server.client();
    let mut event = message("m", "c");
    event["payload"]["message"] = json!({
        "type": "picture", "text": null, "media": "https://example.com/a/%D1%84.png?x=1", "callback_data": null,
        "media_duration": 3, "shared_post": { "url": "no url" },
        "file_name": null, "file_size": null,
    });
    event["payload"]["sender"]["profile"] = Value::Null;
    event["payload"]["silent"] = Value::Null;
    let new_message = client.sent_today(&event).await;
    assert!(
        new_message.get("receiver_id").is_none(),
        "absent, not null: {new_message}"
    );
    let stored_message = client
        .messages(text(&new_message["conversation_id"]))
        .await
        .remove(0);
    assert_eq!(stored_message["file_name"], "ф.png");
    assert_eq!(stored_message["file_size"], 0);
    assert_eq!(stored_message["msec_timestamp"], 1_639_604_761_694_u64);
    // The same body is wrong in the 2019 generation.
    event["payload"]["msgid"] = json!("n");
    let wrong = client.send(&event).await.is(400).wrong();
    let paths: Vec<&str> = wrong.iter().map(|(path, _)| path.as_str()).collect();
    for path in [
        "payload.message.text",
        "payload.sender.avatar",
        "payload.silent",
    ] {
        assert!(paths.contains(&path), "{path}: {paths:?}");
    }
}

#[tokio::test]
async fn of_two_timestamps_the_finer_one_counts_unless_they_differ() {
    let server = connected().await;
    let client = server.client();
    for (number, (seconds, millis, kept)) in [
        (
            json!(1_639_604_761),
            json!(1_639_604_761_694_u64),
            1_639_604_761_694_u64,
        ),
        (
            json!(1_639_604_761),
            json!(1_639_604_761),
            1_639_604_761_000,
        ),
        (Value::Null, json!(1_639_604_761_694_u64), 1_639_604_761_694),
        (json!(1_639_604_761), Value::Null, 1_639_604_761_000),
    ]
    .into_iter()
    .enumerate()
    {
        let mut event = message("m", &format!("c{number}"));
        event["payload"]["timestamp"] = seconds;
        event["payload"]["msec_timestamp"] = millis;
        let new_message = client.sent_today(&event).await;
        let messages = client.messages(text(&new_message["conversation_id"])).await;
        assert_eq!(messages[0]["msec_timestamp"], kept);
    }
    let mut event = message("m", "none");
    event["payload"]["timestamp"] = Value::Null;
    event["payload"]["msec_timestamp"] = Value::Null;
    let wrong = client.send_today(&event).await.is(400).wrong();
    assert_eq!(
        wrong,
        [("payload.timestamp".to_owned(), "FieldMissing".to_owned())]
    );
}

#[tokio::test]
async fn voice_messages_recordings_and_stickers_are_kept() {
    let server = connected().await;
    let client = server.client();
    let media = "https://example.com/v.ogg";
    for (kind, fields, shown) in [
        ("voice", json!({ "media": media }), ("media", media)),
        ("audio", json!({ "media": media }), ("media", media)),
        (
            "sticker",
            json!({ "sticker_id": "s-7" }),
            ("sticker_id", "s-7"),
        ),
    ] {
        let mut event = message(kind, kind);
        event["payload"]["message"] = fields;
        event["payload"]["message"]["type"] = json!(kind);
        let new_message = client.sent_today(&event).await;
        let stored_message = client
            .messages(text(&new_message["conversation_id"]))
            .await
            .remove(0);
        assert_eq!(
            (&stored_message["type"], &stored_message[shown.0]),
            (&json!(kind), &json!(shown.1))
        );
        event["payload"]["msgid"] = json!("old");
        event["payload"]["sender"]["avatar"] = json!("https://example.com/a.png");
        client.send(&event).await.is(400);
    }
    let mut bare = message("m", "bare");
    bare["payload"]["message"] = json!({ "type": "sticker", "media": "" });
    let wrong = client.send_today(&bare).await.is(400).wrong();
    assert_eq!(
        wrong,
        [(
            "payload.message.media".to_owned(),
            "FieldMissing".to_owned()
        )]
    );
}

#[tokio::test]
async fn service_ids_alone_identify_a_conversation_and_a_person() {
    let server = connected().await;
    let client = server.client();
    let new_message = client.sent_today(&message("m1", "c")).await;
    let mut event = message("m2", "c");
    let payload = event["payload"].as_object_mut().unwrap();
    payload.remove("conversation_id");
    payload.insert(
        "conversation_ref_id".to_owned(),
        new_message["conversation_id"].clone(),
    );
    payload.insert(
        "sender".to_owned(),
        json!({ "ref_id": new_message["sender_id"] }),
    );
    let second = client.sent_today(&event).await;
    assert_eq!(second["conversation_id"], new_message["conversation_id"]);
    assert_eq!(second["sender_id"], new_message["sender_id"]);
    assert_eq!(client.sent_today(&event).await, second, "a repeat");
    let conversation = client.conversations().await.remove(0);
    assert_eq!(conversation["customer"]["client_id"], "customer of c");
    assert_eq!(conversation["last_message"]["sender"]["name"], "Grace");
    let mut nobody = message("m3", "c");
    nobody["payload"]["sender"] = json!({ "name": "Grace" });
    nobody["payload"]
        .as_object_mut()
        .unwrap()
        .remove("conversation_id");
    let wrong = client.send_today(&nobody).await.is(400).wrong();
    let missing = |path: &str| (path.to_owned(), "FieldMissing".to_owned());
    assert_eq!(
        wrong,
        [
            missing("payload.conversation_id"),
            missing("payload.sender.id")
        ]
    );
}

#[tokio::test]
async fn quotes_forwards_and_posts_are_shown() {
    let server = connected().await;
    let client = server.client();
    let first = client.sent_today(&message("m1", "c")).await;
    let mut event = message("m2", "c");
    event["payload"]["reply_to"] = json!({ "message": { "id": first["msgid"] } });
    event["payload"]["forwards"] = json!({ "messages": [{
        "type": "text", "text": "passed on", "timestamp": 1, "msec_timestamp": 1000, "sender": { "name": "Alan" },
    }] });
    event["payload"]["message"]["post"] = json!({
        "id": "p-1", "url": "https://example.com/p", "preview_url": "https://example.com/p.png", "username": "Ada",
        "caption": "A post",
    });
    let new_message = client.sent_today(&event).await;
    let stored_message = client
        .messages(text(&new_message["conversation_id"]))
        .await
        .remove(0);
    assert_eq!(stored_message["reply_to"]["id"], first["msgid"]);
    assert_eq!(stored_message["forwards"][0]["text"], "passed on");
    assert_eq!(stored_message["forwards"][0]["sender"]["name"], "Alan");
    assert_eq!(stored_message["post"]["id"], "p-1");
}

#[tokio::test]
async fn every_error_in_the_new_fields_is_reported_at_once() {
    let server = connected().await;
    let client = server.client();
    let mut event = message("m", "c");
    event["payload"]["msec_timestamp"] = json!("1");
    event["payload"]["source"] = json!({ "external_id": 7 });
    event["payload"]["receiver"] = json!([]);
    event["payload"]["reply_to"] = json!({ "message": {} });
    event["payload"]["forwards"] = json!({ "messages": [{ "id": "x" }, {}] });
    event["payload"]["message"]["post"] = json!({ "id": "", "url": "no url" });
    let wrong = client.send_today(&event).await.is(400).wrong();
    let errors = [
        ("payload.forwards.messages", "InvalidValue"),
        ("payload.message.post.id", "InvalidValue"),
        ("payload.message.post.url", "InvalidValue"),
        ("payload.msec_timestamp", "InvalidType"),
        ("payload.receiver", "InvalidType"),
        ("payload.reply_to.message.msec_timestamp", "FieldMissing"),
        ("payload.reply_to.message.sender", "FieldMissing"),
        ("payload.reply_to.message.timestamp", "FieldMissing"),
        ("payload.reply_to.message.type", "FieldMissing"),
        ("payload.source.external_id", "InvalidType"),
    ]
    .map(|(path, code)| (path.to_owned(), code.to_owned()));
    assert_eq!(wrong, errors);
    assert!(client.conversations().await.is_empty());
}

#[tokio::test]
async fn callbacks_carry_the_source_of_their_conversation() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut event = message("m", "c");
    event["payload"]["source"] = json!({ "external_id": "shop 7" });
    let new_message = client.sent_today(&event).await;
    client
        .replied(text(&new_message["conversation_id"]), "Yes")
        .await;
    let callback = receiver.callbacks(1).await.remove(0);
    assert_eq!(
        callback.json["message"]["source"],
        json!({ "external_id": "shop 7" })
    );
    assert_eq!(client.conversations().await[0]["source"], "shop 7");
    // A message without a source changes nothing.
    client.sent_today(&message("n", "c")).await;
    assert_eq!(client.conversations().await[0]["source"], "shop 7");
}
