//! What was confirmed but never posted.

use serde_json::json;
use telegram_double::orders::MessageRef;

use crate::support::World;

fn at(message_id: i64) -> MessageRef {
    MessageRef {
        chat: 7,
        message_id,
    }
}

#[tokio::test]
async fn a_confirmed_message_that_was_never_posted_is_named() {
    let it = World::start().await;
    for text in ["one", "two", "three"] {
        it.say(text).await;
    }
    let first = it.updates(0).await[0]["update_id"].as_i64().unwrap();
    // The bot confirms two of three, and its service has only the first.
    it.updates(first + 2).await;
    let list = it.orders().confirmed(42).await.unwrap();
    assert_eq!((list.count, list.pending), (2, 1));
    assert_eq!(list.updates[1].message_id, Some(2));
    let comparison = it.orders().unposted(&[at(1)]).await.unwrap();
    assert_eq!((comparison.confirmed, comparison.count), (2, 1));
    assert_eq!(comparison.lost[0].message_id, Some(2));
    let whole = it.orders().unposted(&[at(1), at(2)]).await.unwrap();
    assert_eq!(whole.count, 0);
}

#[tokio::test]
async fn repeated_and_unknown_messages_are_named() {
    let it = World::start().await;
    it.say("one").await;
    it.done("sendMessage", json!({"chat_id": 7, "text": "of the bot"}))
        .await;
    let first = it.updates(0).await[0]["update_id"].as_i64().unwrap();
    it.updates(first + 1).await;
    let messages = [at(1), at(1), at(2), at(99)];
    let comparison = it.orders().unposted(&messages).await.unwrap();
    assert_eq!(comparison.repeated, [at(1)]);
    assert_eq!(comparison.unknown, [at(2), at(99)]);
}

#[tokio::test]
async fn service_messages_are_compared_on_demand() {
    let it = World::start().await;
    let chat = it
        .order(
            "groups",
            json!({"title": "T", "members": [7], "is_admin": true}),
        )
        .await["chat"]
        .clone();
    it.order("join", json!({"chat": chat, "person": 8})).await;
    let last = it.updates(-1).await[0]["update_id"].as_i64().unwrap();
    it.updates(last + 1).await;
    let without = it.order("unposted", json!({"posted": []})).await;
    assert_eq!(without["count"], 0);
    let with = it
        .order(
            "unposted",
            json!({"posted": [], "with_service_messages": true}),
        )
        .await;
    assert_eq!(with["count"], 1);
}
