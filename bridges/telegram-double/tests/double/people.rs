//! What people do, and the updates that come of it.

use serde_json::{Value, json};
use telegram_double::orders::{Album, Attachment, Item, Kind, Say};

use crate::support::World;

#[tokio::test]
async fn each_kind_of_content_comes_as_telegram_shows_it() {
    let it = World::start().await;
    let kinds = [
        (Kind::Document, "document"),
        (Kind::Video, "video"),
        (Kind::Audio, "audio"),
        (Kind::Voice, "voice"),
        (Kind::VideoNote, "video_note"),
        (Kind::Sticker, "sticker"),
        (Kind::Animation, "animation"),
    ];
    for (kind, field) in kinds {
        it.orders()
            .say(&Say::file(7, kind, Attachment::sized(900)))
            .await
            .unwrap();
        let updates = it.updates(-1).await;
        let message = &updates[0]["message"];
        assert_eq!(message[field]["file_size"], 900, "{message}");
    }
    // An animation also sets the document, a venue also the place.
    let updates = it.updates(-1).await;
    assert_eq!(updates[0]["message"]["document"]["file_size"], 900);
    it.orders()
        .say(&Say::file(7, Kind::Photo, Attachment::sized(90_000)).caption("see"))
        .await
        .unwrap();
    let updates = it.updates(-1).await;
    let message = &updates[0]["message"];
    assert_eq!(message["caption"], "see");
    let sizes: Vec<&Value> = message["photo"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["file_size"])
        .collect();
    assert_eq!(sizes, [1_500, 90_000]);
    it.order("say", json!({"from": 7, "venue": {"location": {"latitude": 1.0, "longitude": 2.0}, "title": "T", "address": "A"}})).await;
    let updates = it.updates(-1).await;
    assert_eq!(
        updates[0]["message"]["location"],
        json!({"latitude": 1.0, "longitude": 2.0})
    );
    it.order(
        "share_contact",
        json!({"from": 7, "phone_number": "+34600"}),
    )
    .await;
    let updates = it.updates(-1).await;
    let contact = json!({"phone_number": "+34600", "first_name": "Ann", "user_id": 7});
    assert_eq!(updates[0]["message"]["contact"], contact);
}

#[tokio::test]
async fn a_shuffled_album_has_one_group_id() {
    let it = World::start().await;
    let order = Album {
        bot: None,
        from: 7,
        chat: None,
        items: vec![Item::photo(2_000); 10],
        shuffled: true,
    };
    let album = it.orders().album(&order).await.unwrap();
    let updates = it.updates(0).await;
    let ids: Vec<i64> = updates
        .iter()
        .map(|it| it["message"]["message_id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 10);
    assert!(!ids.is_sorted(), "{ids:?}");
    assert!(
        updates
            .iter()
            .all(|it| it["message"]["media_group_id"] == album.media_group_id)
    );
    let receipt: Vec<i64> = album.messages.iter().map(|it| it.message_id).collect();
    assert_eq!(receipt, (1..=10).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_edit_and_a_reaction_are_updates() {
    let it = World::start().await;
    it.done(
        "getUpdates",
        json!({"allowed_updates": ["message", "edited_message", "message_reaction"]}),
    )
    .await;
    let id = it.say("one").await;
    it.order("edit", json!({"chat": 7, "message_id": id, "text": "two"}))
        .await;
    let react = |emoji: Value| {
        it.order(
            "react",
            json!({"from": 7, "message_id": id, "emoji": emoji}),
        )
    };
    react(json!(["👍", "🔥"])).await;
    react(json!(["🔥"])).await;
    let updates = it.updates(0).await;
    assert_eq!(updates[1]["edited_message"]["text"], "two");
    assert!(updates[1]["edited_message"]["edit_date"].is_i64());
    let change = &updates[3]["message_reaction"];
    assert_eq!(change["old_reaction"].as_array().unwrap().len(), 2);
    assert_eq!(
        change["new_reaction"],
        json!([{"type": "emoji", "emoji": "🔥"}])
    );
    assert_eq!(change["user"]["id"], 7);
    let (status, answer) = it
        .post(
            "/double/react",
            &json!({"from": 7, "message_id": id, "emoji": ["🔥"]}),
        )
        .await;
    assert_eq!(status, 400, "{answer}");
}

#[tokio::test]
async fn blocking_and_coming_back_are_updates() {
    let it = World::start().await;
    it.order("block", json!({"from": 7})).await;
    let updates = it.updates(-1).await;
    let change = &updates[0]["my_chat_member"];
    assert_eq!(change["old_chat_member"]["status"], "member");
    assert_eq!(change["new_chat_member"]["status"], "kicked");
    assert_eq!(change["new_chat_member"]["user"]["id"], 42);
    let (status, answer) = it
        .post("/double/say", &json!({"from": 7, "text": "x"}))
        .await;
    assert_eq!(status, 400, "{answer}");
    it.order("start", json!({"from": 7})).await;
    let updates = it.updates(-1).await;
    assert_eq!(
        updates[0]["my_chat_member"]["new_chat_member"]["status"],
        "member"
    );
    let state = it.orders().state().await.unwrap();
    assert!(!state.chat(7).unwrap().is_blocked);
}

#[tokio::test]
async fn a_person_has_a_picture_and_a_chat() {
    let it = World::start().await;
    let none = it.done("getUserProfilePhotos", json!({"user_id": 7})).await;
    assert_eq!(none, json!({"total_count": 0, "photos": []}));
    it.order("people", json!({"id": 9, "first_name": "Cy", "last_name": "Lee", "username": "cy", "photo_size": 5000})).await;
    let photos = it.done("getUserProfilePhotos", json!({"user_id": 9})).await;
    assert_eq!(photos["total_count"], 1);
    let largest = photos["photos"][0].as_array().unwrap().last().unwrap();
    it.done("getFile", json!({"file_id": largest["file_id"]}))
        .await;
    it.order("start", json!({"from": 9})).await;
    let chat = it.done("getChat", json!({"chat_id": 9})).await;
    assert_eq!(
        chat,
        json!({"id": 9, "type": "private", "first_name": "Cy", "last_name": "Lee", "username": "cy"})
    );
    assert_eq!(
        it.refused("getUserProfilePhotos", json!({"user_id": 99}))
            .await
            .0,
        400
    );
}

#[tokio::test]
async fn a_business_account_has_chats_of_its_own() {
    let it = World::start().await;
    it.order("say", json!({"from": 7, "text": "To the bot"}))
        .await;
    let order = json!({"from": 7, "business": 8, "text": "To Bob"});
    let place = it.order("say", order).await;
    let params =
        json!({"allowed_updates": ["message", "business_message", "edited_business_message"]});
    let updates = it.done("getUpdates", params).await;
    assert_eq!(updates[0]["message"]["text"], "To the bot");
    let message = &updates[1]["business_message"];
    assert_eq!(message["business_connection_id"], "business-8");
    assert_eq!(
        (&message["chat"]["id"], &message["from"]["id"]),
        (&json!(7), &json!(7))
    );
    it.order(
        "edit",
        json!({"chat": place["chat"], "message_id": place["message_id"], "text": "Dear Bob"}),
    )
    .await;
    let edit = it.done("getUpdates", json!({})).await;
    assert_eq!(edit[2]["edited_business_message"]["text"], "Dear Bob");
    let send = json!({"chat_id": 7, "business_connection_id": "business-8", "text": "Dear Ann"});
    let reply = it.done("sendMessage", send).await;
    assert_eq!(reply["business_connection_id"], "business-8");
    let state = it.orders().state().await.unwrap();
    let chats = &state.bots[0].chats;
    let business = chats.iter().find(|chat| chat.kind == "business").unwrap();
    assert_eq!(business.sent_texts(), ["Dear Ann"]);
    assert!(state.chat(7).unwrap().sent_texts().is_empty());
    let other = json!({"chat_id": 7, "business_connection_id": "business-9", "text": "x"});
    assert_eq!(it.refused("sendMessage", other).await.0, 400);
}
