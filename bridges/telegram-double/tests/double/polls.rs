//! `getUpdates`, with all that Telegram does about readers, offsets and kinds.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Receiver, TOKEN, World, eventually, texts};

#[tokio::test]
async fn an_update_comes_until_the_offset_is_above_it() {
    let it = World::start().await;
    it.say("one").await;
    it.say("two").await;
    let updates = it.updates(0).await;
    assert_eq!(texts(&updates), ["one", "two"]);
    let first = updates[0]["update_id"].as_i64().unwrap();
    assert_eq!(updates[1]["update_id"], first + 1);
    assert_eq!(it.updates(first).await.len(), 2);
    assert_eq!(texts(&it.updates(first + 1).await), ["two"]);
    assert_eq!(texts(&it.updates(0).await), ["two"]);
    let limited = it.done("getUpdates", json!({"limit": 1})).await;
    assert_eq!(limited.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_negative_offset_throws_older_updates_away() {
    let it = World::start().await;
    for text in ["one", "two", "three"] {
        it.say(text).await;
    }
    assert_eq!(texts(&it.updates(-1).await), ["three"]);
    assert_eq!(texts(&it.updates(0).await), ["three"]);
}

#[tokio::test]
async fn a_long_poll_ends_at_once_when_an_update_arises() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let poll = it.done("getUpdates", json!({"timeout": 50}));
    let act = async {
        it.until_polling().await;
        it.say("now").await;
    };
    let (updates, ()) = tokio::join!(poll, act);
    assert_eq!(texts(updates.as_array().unwrap()), ["now"]);
}

#[tokio::test]
async fn a_long_poll_ends_empty_by_the_clock_of_the_double() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let poll = it.done("getUpdates", json!({"timeout": 999}));
    let act = async {
        it.until_polling().await;
        // The longest wait is 50 seconds.
        it.advance(50).await;
    };
    let (updates, ()) = tokio::join!(poll, act);
    assert_eq!(updates, json!([]));
}

#[tokio::test]
async fn a_second_poll_ends_the_first() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let first = it.refused("getUpdates", json!({"timeout": 50}));
    let second = async {
        it.until_polling().await;
        it.done("getUpdates", json!({"timeout": 0})).await
    };
    let ((code, text), updates) = tokio::join!(first, second);
    assert_eq!(code, 409);
    assert!(
        text.starts_with("Conflict: terminated by other getUpdates request"),
        "{text}"
    );
    assert_eq!(updates, json!([]));
}

#[tokio::test]
async fn a_webhook_ends_polls_and_refuses_new_ones() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let receiver = Receiver::start().await;
    let poll = it.refused("getUpdates", json!({"timeout": 50}));
    let act = async {
        it.until_polling().await;
        it.done("setWebhook", json!({"url": receiver.url})).await;
    };
    let ((code, text), ()) = tokio::join!(poll, act);
    assert_eq!(
        (code, text.as_str()),
        (409, "Conflict: terminated by setWebhook request")
    );
    let (code, text) = it.refused("getUpdates", json!({})).await;
    assert_eq!(code, 409);
    assert!(
        text.starts_with("Conflict: can't use getUpdates method while webhook is active"),
        "{text}"
    );
    it.done("deleteWebhook", json!({})).await;
    assert_eq!(it.updates(0).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_reader_that_goes_leaves_no_poll() {
    let it = Arc::new(World::start().await);
    it.orders().hold_clock().await.unwrap();
    let copy = Arc::clone(&it);
    let reader =
        tokio::spawn(async move { copy.attempt("getUpdates", json!({"timeout": 50})).await });
    it.until_polling().await;
    reader.abort();
    eventually("the poll ends", || async {
        let state = it.orders().state().await.unwrap();
        (!state.bots[0].is_polling).then_some(())
    })
    .await;
}

#[tokio::test]
async fn allowed_updates_are_remembered() {
    let it = World::start().await;
    let id = it.say("one").await;
    it.order(
        "react",
        json!({"from": 7, "message_id": id, "emoji": ["👍"]}),
    )
    .await;
    assert_eq!(it.updates(0).await.len(), 1, "reactions come only by name");
    let kinds = json!({"allowed_updates": ["message_reaction"], "offset": -1});
    it.done("getUpdates", kinds).await;
    it.say("two").await;
    it.order(
        "react",
        json!({"from": 7, "message_id": id, "emoji": ["🔥"]}),
    )
    .await;
    let updates = it.updates(0).await;
    let reaction = &updates[1]["message_reaction"];
    assert_eq!(updates.len(), 2, "the text did not come: {updates:?}");
    assert_eq!(
        reaction["old_reaction"],
        json!([{"type": "emoji", "emoji": "👍"}])
    );
    assert_eq!(
        reaction["new_reaction"],
        json!([{"type": "emoji", "emoji": "🔥"}])
    );
    let info = it.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["allowed_updates"], json!(["message_reaction"]));
    // An empty list is the default again.
    it.done("getUpdates", json!({"allowed_updates": []})).await;
    it.say("three").await;
    assert_eq!(it.updates(0).await.len(), 3);
}

#[tokio::test]
async fn updates_are_kept_for_24_hours_of_the_clock() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    it.say("one").await;
    it.advance(86_399).await;
    assert_eq!(it.updates(0).await.len(), 1);
    it.advance(1).await;
    assert_eq!(it.updates(0).await.len(), 0);
    let list = it.orders().confirmed(42).await.unwrap();
    assert_eq!((list.count, list.dropped.expired), (0, 1));
}

#[tokio::test]
async fn a_week_of_silence_gives_another_number() {
    let it = World::start().await;
    it.say("one").await;
    let before = it.updates(0).await[0]["update_id"].as_i64().unwrap();
    it.advance(8 * 86_400).await;
    it.say("two").await;
    let after = it.updates(before + 1).await[0]["update_id"]
        .as_i64()
        .unwrap();
    assert!((after - before).abs() > 100_000, "{before} and {after}");
}

#[tokio::test]
async fn tokens_are_accepted_when_they_are_registered() {
    let it = World::start().await;
    let me = it.done("getMe", json!({})).await;
    assert_eq!((&me["id"], &me["is_bot"]), (&json!(42), &json!(true)));
    assert_eq!(me["can_read_all_group_messages"], false);
    for (path, code, text) in [
        ("/bot43:AAAA/getMe".to_owned(), 401, "Unauthorized"),
        ("/bot42:other/getMe".to_owned(), 401, "Unauthorized"),
        ("/botnonsense/getMe".to_owned(), 404, "Not Found"),
        ("/bot/getMe".to_owned(), 404, "Not Found"),
        (format!("/bot{TOKEN}"), 404, "Not Found"),
        (
            format!("/bot{TOKEN}/makeTea"),
            404,
            "Not Found: method not found",
        ),
        ("/elsewhere".to_owned(), 404, "Not Found"),
    ] {
        let (status, envelope) = it.get(&path).await;
        let refusal = json!({"ok": false, "error_code": code, "description": text});
        assert_eq!((status, envelope), (code, refusal), "{path}");
    }
    // The test network, percent signs, any case, and a query.
    for path in ["test/getMe", "GETME", "getMe?x=1"] {
        assert_eq!(
            it.get(&format!("/bot{TOKEN}/{path}")).await.0,
            200,
            "{path}"
        );
    }
    let (status, _) = it.get("/bot42%3AAAAA-secret_1/getMe").await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_revoked_token_is_unauthorized() {
    let it = World::start().await;
    it.order("bots", json!({"token": "42:BBBB"})).await;
    assert_eq!(it.refused("getMe", json!({})).await.0, 401);
    assert_eq!(it.get("/bot42:BBBB/getMe").await.0, 200);
}

#[tokio::test]
async fn a_running_clock_ends_a_poll_as_well() {
    let it = World::start().await;
    let poll = it.done("getUpdates", json!({"timeout": 1}));
    let updates = tokio::time::timeout(Duration::from_secs(20), poll).await;
    assert_eq!(updates.unwrap(), json!([]));
}
