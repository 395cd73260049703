//! What a bot sends, and what it may not.

use serde_json::{Value, json};

use crate::support::{Receiver, TOKEN, World};

#[tokio::test]
async fn a_text_is_stored_and_shown() {
    let it = World::start().await;
    let message = it
        .done("sendMessage", json!({"chat_id": 7, "text": "Hello"}))
        .await;
    assert_eq!(
        (&message["message_id"], &message["text"]),
        (&json!(1), &json!("Hello"))
    );
    assert_eq!(message["from"]["is_bot"], true);
    let state = it.orders().state().await.unwrap();
    let chat = state.chat(7).unwrap();
    assert_eq!(chat.sent_texts(), ["Hello"]);
    assert_eq!(chat.messages[0].method, "sendMessage");
    assert!((state.clock.now - chat.messages[0].at) < 60_000);
}

#[tokio::test]
async fn a_text_has_at_most_4096_utf16_units() {
    let it = World::start().await;
    it.done(
        "sendMessage",
        json!({"chat_id": 7, "text": "x".repeat(4_096)}),
    )
    .await;
    // A smile has two units.
    it.done(
        "sendMessage",
        json!({"chat_id": "7", "text": "🙂".repeat(2_048)}),
    )
    .await;
    for text in ["x".repeat(4_097), "🙂".repeat(2_048) + "x"] {
        let refusal = it
            .refused("sendMessage", json!({"chat_id": 7, "text": text}))
            .await;
        assert_eq!(
            refusal,
            (400, "Bad Request: message is too long".to_owned())
        );
    }
    let refusal = it
        .refused("sendMessage", json!({"chat_id": 7, "text": " \n"}))
        .await;
    assert_eq!(
        refusal,
        (400, "Bad Request: message text is empty".to_owned())
    );
    // Units count after entities.
    let bold = format!("<b>{}</b>", "x".repeat(4_096));
    let message = it
        .done(
            "sendMessage",
            json!({"chat_id": 7, "text": bold, "parse_mode": "HTML"}),
        )
        .await;
    assert_eq!(
        message["entities"],
        json!([{"type": "bold", "offset": 0, "length": 4096}])
    );
}

#[tokio::test]
async fn markdown_that_is_not_escaped_is_refused() {
    let it = World::start().await;
    let body = json!({"chat_id": 7, "text": "file_name.txt", "parse_mode": "MarkdownV2"});
    let (code, text) = it.refused("sendMessage", body).await;
    assert_eq!(code, 400);
    assert!(
        text.starts_with("Bad Request: can't parse entities"),
        "{text}"
    );
    let body = json!({"chat_id": 7, "text": "abc", "entities": [{"type": "bold", "offset": 2, "length": 2}]});
    assert_eq!(it.refused("sendMessage", body).await.0, 400);
}

#[tokio::test]
async fn a_form_and_a_query_say_the_same_as_json() {
    let it = World::start().await;
    let (status, envelope) = it
        .get(&format!("/bot{TOKEN}/sendMessage?chat_id=7&text=a%20b"))
        .await;
    assert_eq!((status, &envelope["result"]["text"]), (200, &json!("a b")));
    let (status, envelope) = it
        .upload("sendMessage", &[("chat_id", "7"), ("text", "c")], &[])
        .await;
    assert_eq!((status, &envelope["result"]["text"]), (200, &json!("c")));
}

#[tokio::test]
async fn callback_data_has_at_most_64_bytes() {
    let it = World::start().await;
    let body = |data: &str| json!({"chat_id": 7, "text": "?", "reply_markup": {"inline_keyboard": [[{"text": "Yes", "callback_data": data}]]}});
    let message = it.done("sendMessage", body(&"x".repeat(64))).await;
    assert!(message["reply_markup"]["inline_keyboard"].is_array());
    let refusal = it.refused("sendMessage", body(&"x".repeat(65))).await;
    assert_eq!(
        refusal,
        (400, "Bad Request: BUTTON_DATA_INVALID".to_owned())
    );
}

#[tokio::test]
async fn captions_and_pictures_have_limits() {
    let it = World::start().await;
    let caption = "x".repeat(1_024);
    let photo = [("photo", "a.jpg", "image/jpeg", &[1_u8; 100][..])];
    let (status, envelope) = it
        .upload(
            "sendPhoto",
            &[("chat_id", "7"), ("caption", &caption)],
            &photo,
        )
        .await;
    assert_eq!(
        (status, &envelope["result"]["caption"]),
        (200, &json!(caption))
    );
    assert_eq!(envelope["result"]["photo"].as_array().unwrap().len(), 2);
    let long = "x".repeat(1_025);
    let (status, envelope) = it
        .upload("sendPhoto", &[("chat_id", "7"), ("caption", &long)], &photo)
        .await;
    assert_eq!(
        (status, &envelope["description"]),
        (400, &json!("Bad Request: message caption is too long"))
    );
    let large = vec![0; (10 << 20) + 1];
    let (status, envelope) = it
        .upload(
            "sendPhoto",
            &[("chat_id", "7")],
            &[("photo", "a.jpg", "image/jpeg", &large)],
        )
        .await;
    assert_eq!(status, 400, "{envelope}");
    assert!(
        envelope["description"]
            .as_str()
            .unwrap()
            .contains("too big"),
        "{envelope}"
    );
    let (status, _) = it
        .upload(
            "sendDocument",
            &[("chat_id", "7")],
            &[("document", "a.jpg", "image/jpeg", &large)],
        )
        .await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn an_upload_has_at_most_50_mb() {
    let it = World::start().await;
    let large = vec![0; (50 << 20) + 1];
    let file = [("document", "a.bin", "application/octet-stream", &large[..])];
    let (status, envelope) = it.upload("sendDocument", &[("chat_id", "7")], &file).await;
    assert_eq!(status, 413);
    assert_eq!(envelope["description"], "Request Entity Too Large");
}

#[tokio::test]
async fn each_kind_of_file_has_its_field() {
    let it = World::start().await;
    it.orders()
        .set_rates(&telegram_double::Rates::off())
        .await
        .unwrap();
    for (method, field, name) in [
        ("sendPhoto", "photo", "a.jpg"),
        ("sendDocument", "document", "a.pdf"),
        ("sendVideo", "video", "a.mp4"),
        ("sendAudio", "audio", "a.mp3"),
        ("sendVoice", "voice", "a.ogg"),
        ("sendSticker", "sticker", "a.webp"),
        ("sendVideoNote", "video_note", "a.mp4"),
        ("sendAnimation", "animation", "a.mp4"),
    ] {
        let file = [(field, name, "", &b"abc"[..])];
        let (status, envelope) = it.upload(method, &[("chat_id", "7")], &file).await;
        assert_eq!(status, 200, "{method}: {envelope}");
        let content = &envelope["result"][field];
        assert!(!content.is_null(), "{method}: {envelope}");
        // The same file again, by its id.
        let id = content["file_id"]
            .as_str()
            .or_else(|| content[1]["file_id"].as_str())
            .unwrap();
        it.done(method, json!({"chat_id": 7, field: id})).await;
        let (code, _) = it.refused(method, json!({"chat_id": 7})).await;
        assert_eq!(code, 400, "{method} without a file");
    }
    // A voice of another type becomes a file.
    let (_, envelope) = it
        .upload(
            "sendVoice",
            &[("chat_id", "7")],
            &[("voice", "a.wav", "audio/wav", b"abc")],
        )
        .await;
    assert_eq!(envelope["result"]["document"]["file_name"], "a.wav");
}

#[tokio::test]
async fn a_file_comes_by_its_address() {
    let it = World::start().await;
    // The double itself serves the file: a link of another bot would do as well.
    it.order(
        "say",
        json!({"from": 7, "document": {"text": "abc", "name": "a.txt"}}),
    )
    .await;
    let updates = it.updates(0).await;
    let file = it
        .done(
            "getFile",
            json!({"file_id": updates[0]["message"]["document"]["file_id"]}),
        )
        .await;
    let url = format!(
        "{}/file/bot{TOKEN}/{}",
        it.double.url(),
        file["file_path"].as_str().unwrap()
    );
    let message = it
        .done("sendDocument", json!({"chat_id": 7, "document": url}))
        .await;
    assert_eq!(message["document"]["file_size"], 3);
    let (code, text) = it
        .refused(
            "sendPhoto",
            json!({"chat_id": 7, "photo": format!("{}/none", it.double.url())}),
        )
        .await;
    assert_eq!(
        (code, text.as_str()),
        (400, "Bad Request: failed to get HTTP URL content")
    );
}

fn album(kinds: &[&str]) -> String {
    let items: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({"type": kind, "media": "attach://a", "caption": kind}))
        .collect();
    Value::from(items).to_string()
}

#[tokio::test]
async fn an_album_has_2_to_10_parts_that_fit() {
    let it = World::start().await;
    it.orders()
        .set_rates(&telegram_double::Rates::off())
        .await
        .unwrap();
    let file = [("a", "a.jpg", "image/jpeg", &b"abc"[..])];
    for kinds in [
        vec!["photo", "video"],
        vec!["photo"; 10],
        vec!["document"; 2],
        vec!["audio"; 3],
    ] {
        let (status, envelope) = it
            .upload(
                "sendMediaGroup",
                &[("chat_id", "7"), ("media", &album(&kinds))],
                &file,
            )
            .await;
        assert_eq!(status, 200, "{kinds:?}: {envelope}");
        let list = envelope["result"].as_array().unwrap();
        assert_eq!(list.len(), kinds.len());
        assert!(
            list.iter()
                .all(|part| part["media_group_id"] == list[0]["media_group_id"])
        );
    }
    for kinds in [
        vec!["photo"],
        vec!["photo"; 11],
        vec![],
        vec!["photo", "document"],
        vec!["audio", "document"],
        vec!["photo", "tea"],
    ] {
        let (status, envelope) = it
            .upload(
                "sendMediaGroup",
                &[("chat_id", "7"), ("media", &album(&kinds))],
                &file,
            )
            .await;
        assert_eq!(status, 400, "{kinds:?}: {envelope}");
    }
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.chat(7).unwrap().messages.len(), 17);
}

#[tokio::test]
async fn places_and_contacts_are_sent() {
    let it = World::start().await;
    let message = it
        .done(
            "sendLocation",
            json!({"chat_id": 7, "latitude": 41.4, "longitude": "2.2"}),
        )
        .await;
    assert_eq!(
        message["location"],
        json!({"latitude": 41.4, "longitude": 2.2})
    );
    let message = it
        .done(
            "sendVenue",
            json!({"chat_id": 7, "latitude": 41.4, "longitude": 2.2, "title": "T", "address": "A"}),
        )
        .await;
    assert_eq!(
        (&message["venue"]["title"], &message["location"]["latitude"]),
        (&json!("T"), &json!(41.4))
    );
    let message = it
        .done(
            "sendContact",
            json!({"chat_id": 7, "phone_number": "+1", "first_name": "Ann"}),
        )
        .await;
    assert_eq!(message["contact"]["first_name"], "Ann");
    for (method, body) in [
        ("sendLocation", json!({"chat_id": 7})),
        (
            "sendLocation",
            json!({"chat_id": 7, "latitude": 91, "longitude": 0}),
        ),
        ("sendContact", json!({"chat_id": 7, "first_name": "Ann"})),
        ("sendChatAction", json!({"chat_id": 7, "action": "dancing"})),
    ] {
        assert_eq!(it.refused(method, body).await.0, 400, "{method}");
    }
    it.done("sendChatAction", json!({"chat_id": 7, "action": "typing"}))
        .await;
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.chat(7).unwrap().actions[0].action, "typing");
}

#[tokio::test]
async fn a_reply_needs_its_message() {
    let it = World::start().await;
    let id = it.say("which one?").await;
    let reply = |id: i64, more: Value| {
        let mut parameters = json!({"message_id": id});
        for (name, value) in more.as_object().unwrap() {
            parameters[name] = value.clone();
        }
        json!({"chat_id": 7, "text": "that", "reply_parameters": parameters})
    };
    let message = it
        .done("sendMessage", reply(id, json!({"quote": "one"})))
        .await;
    assert_eq!(message["reply_to_message"]["text"], "which one?");
    assert_eq!(message["quote"]["position"], 6);
    let refusal = it.refused("sendMessage", reply(99, json!({}))).await;
    assert_eq!(
        refusal,
        (
            400,
            "Bad Request: message to be replied not found".to_owned()
        )
    );
    it.order("delete", json!({"chat": 7, "message_id": id}))
        .await;
    assert_eq!(it.refused("sendMessage", reply(id, json!({}))).await.0, 400);
    let message = it
        .done(
            "sendMessage",
            reply(id, json!({"allow_sending_without_reply": true})),
        )
        .await;
    assert!(message["reply_to_message"].is_null());
}

#[tokio::test]
async fn chats_that_are_closed_are_refused() {
    let it = World::start().await;
    let send = |chat: Value| it.refused("sendMessage", json!({"chat_id": chat, "text": "x"}));
    assert_eq!(
        send(json!(99)).await,
        (400, "Bad Request: chat not found".to_owned())
    );
    assert_eq!(
        send(json!("@nobody")).await,
        (400, "Bad Request: chat not found".to_owned())
    );
    assert_eq!(
        send(json!("")).await,
        (400, "Bad Request: chat_id is empty".to_owned())
    );
    let (code, text) = send(json!(8)).await;
    assert_eq!(
        (code, text.as_str()),
        (
            403,
            "Forbidden: bot can't initiate conversation with a user"
        )
    );
    it.order("block", json!({"from": 7})).await;
    assert_eq!(
        send(json!(7)).await,
        (403, "Forbidden: bot was blocked by the user".to_owned())
    );
    it.order("start", json!({"from": 7})).await;
    it.done("sendMessage", json!({"chat_id": 7, "text": "x"}))
        .await;
    it.order("deactivate", json!({"from": 7})).await;
    assert_eq!(
        send(json!(7)).await,
        (403, "Forbidden: user is deactivated".to_owned())
    );
}

#[tokio::test]
async fn a_bot_that_has_a_webhook_still_sends() {
    let it = World::start().await;
    let receiver = Receiver::start().await;
    it.done("setWebhook", json!({"url": receiver.url})).await;
    it.done("sendMessage", json!({"chat_id": 7, "text": "x"}))
        .await;
    assert!(receiver.hooks().is_empty(), "what a bot sends is no update");
}
