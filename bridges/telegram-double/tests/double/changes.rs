//! Edits, deletions, reactions and answers of a bot.

use serde_json::{Value, json};

use crate::support::World;

async fn sent(it: &World, body: Value) -> i64 {
    let message = it.done("sendMessage", body).await;
    message["message_id"].as_i64().unwrap()
}

#[tokio::test]
async fn an_edit_changes_and_an_unchanged_one_is_refused() {
    let it = World::start().await;
    let id = sent(&it, json!({"chat_id": 7, "text": "one"})).await;
    let edit = |text: &str| json!({"chat_id": 7, "message_id": id, "text": text});
    let message = it.done("editMessageText", edit("two")).await;
    assert_eq!(message["text"], "two");
    assert!(message["edit_date"].is_i64());
    let (code, text) = it.refused("editMessageText", edit("two")).await;
    assert_eq!(code, 400);
    assert!(
        text.starts_with("Bad Request: message is not modified: "),
        "{text}"
    );
    let keyboard = json!({"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]});
    it.done(
        "editMessageReplyMarkup",
        json!({"chat_id": 7, "message_id": id, "reply_markup": keyboard}),
    )
    .await;
    let state = it.orders().state().await.unwrap();
    let message = &state.chat(7).unwrap().messages[0];
    assert_eq!(message.edits.len(), 2);
    assert_eq!(message.edits[0].before["text"], "one");
    assert_eq!(message.reply_markup, Some(keyboard));
}

#[tokio::test]
async fn only_own_messages_are_edited() {
    let it = World::start().await;
    let theirs = it.say("mine").await;
    let own = sent(&it, json!({"chat_id": 7, "text": "one"})).await;
    for (method, id, text) in [
        ("editMessageText", theirs, "message can't be edited"),
        ("editMessageText", 99, "message to edit not found"),
        (
            "editMessageCaption",
            own,
            "there is no caption in the message to edit",
        ),
        ("deleteMessage", 99, "message to delete not found"),
        ("setMessageReaction", 99, "message to react not found"),
    ] {
        let body = json!({"chat_id": 7, "message_id": id, "text": "x", "caption": "x"});
        let refusal = it.refused(method, body).await;
        assert_eq!(refusal, (400, format!("Bad Request: {text}")), "{method}");
    }
}

#[tokio::test]
async fn a_caption_is_edited() {
    let it = World::start().await;
    let (_, envelope) = it
        .upload(
            "sendPhoto",
            &[("chat_id", "7"), ("caption", "a")],
            &[("photo", "a.jpg", "", b"abc")],
        )
        .await;
    let id = &envelope["result"]["message_id"];
    let message = it
        .done(
            "editMessageCaption",
            json!({"chat_id": 7, "message_id": id, "caption": "b"}),
        )
        .await;
    assert_eq!(
        (&message["caption"], message["photo"].is_array()),
        (&json!("b"), true)
    );
    let (code, _) = it
        .refused(
            "editMessageText",
            json!({"chat_id": 7, "message_id": id, "text": "b"}),
        )
        .await;
    assert_eq!(code, 400);
}

#[tokio::test]
async fn a_message_older_than_48_hours_stays() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let young = sent(&it, json!({"chat_id": 7, "text": "one"})).await;
    it.done("deleteMessage", json!({"chat_id": 7, "message_id": young}))
        .await;
    let old = sent(&it, json!({"chat_id": 7, "text": "two"})).await;
    it.advance(48 * 3_600).await;
    let (code, text) = it
        .refused("deleteMessage", json!({"chat_id": 7, "message_id": old}))
        .await;
    assert_eq!(
        (code, text.as_str()),
        (400, "Bad Request: message can't be deleted for everyone")
    );
    let state = it.orders().state().await.unwrap();
    let deletions: Vec<bool> = state
        .chat(7)
        .unwrap()
        .messages
        .iter()
        .map(|it| it.deleted_at.is_some())
        .collect();
    assert_eq!(deletions, [true, false]);
}

#[tokio::test]
async fn a_bot_sets_one_reaction_of_the_list() {
    let it = World::start().await;
    let id = it.say("nice").await;
    let react = |list: Value| json!({"chat_id": 7, "message_id": id, "reaction": list});
    let emoji = |text: &str| json!({"type": "emoji", "emoji": text});
    it.done("setMessageReaction", react(json!([emoji("👍")])))
        .await;
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.chat(7).unwrap().messages[0].reactions[&42], ["👍"]);
    for (list, text) in [
        (json!([emoji("🦷")]), "Bad Request: REACTION_INVALID"),
        (
            json!([emoji("👍"), emoji("🔥")]),
            "Bad Request: REACTIONS_TOO_MANY",
        ),
    ] {
        let refusal = it.refused("setMessageReaction", react(list)).await;
        assert_eq!(refusal, (400, text.to_owned()));
    }
    it.done("setMessageReaction", react(json!([]))).await;
    let state = it.orders().state().await.unwrap();
    assert!(state.chat(7).unwrap().messages[0].reactions.is_empty());
}

#[tokio::test]
async fn a_press_is_answered_once_and_soon() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let keyboard = json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "y"}, {"text": "Site", "url": "https://a.example"}]]});
    let id = sent(
        &it,
        json!({"chat_id": 7, "text": "?", "reply_markup": keyboard}),
    )
    .await;
    let press = it
        .order("press", json!({"from": 7, "message_id": id, "data": "y"}))
        .await;
    let updates = it.updates(0).await;
    let query = &updates[0]["callback_query"];
    assert_eq!(
        (&query["id"], &query["data"]),
        (&press["callback_query_id"], &json!("y"))
    );
    assert_eq!(
        (&query["from"]["id"], &query["message"]["message_id"]),
        (&json!(7), &json!(id))
    );
    let answer = |text: &str| json!({"callback_query_id": query["id"], "text": text});
    assert_eq!(
        it.refused("answerCallbackQuery", answer(&"x".repeat(201)))
            .await
            .0,
        400
    );
    it.done("answerCallbackQuery", answer("done")).await;
    let state = it.orders().state().await.unwrap();
    assert_eq!(state.bots[0].presses[0].text.as_deref(), Some("done"));
    let late = it
        .order("press", json!({"from": 7, "message_id": id, "text": "Yes"}))
        .await;
    it.advance(31).await;
    let (code, text) = it
        .refused(
            "answerCallbackQuery",
            json!({"callback_query_id": late["callback_query_id"]}),
        )
        .await;
    assert_eq!(code, 400);
    assert!(text.starts_with("Bad Request: query is too old"), "{text}");
    let (status, answer) = it
        .post(
            "/double/press",
            &json!({"from": 7, "message_id": id, "text": "Site"}),
        )
        .await;
    assert_eq!(status, 400, "{answer}");
}
