//! Chats of business accounts.

use serde_json::{Value, json};

use super::super::{Inbound, business_chat, is_business};
use super::{ann, meaning, payload, posts};

fn update(kind: &str, connection: &str, from: Value) -> Value {
    json!({ "update_id": 1, kind: { "message_id": 5, "date": 1_767_225_600, "business_connection_id": connection,
        "chat": { "id": 7, "type": "private", "first_name": "Ann" }, "from": from, "text": "Hello" } })
}

#[test]
fn a_business_chat_is_a_conversation_of_its_own() {
    let first = update("business_message", "one", ann());
    let chat = business_chat(&first).unwrap();
    assert_eq!((chat.connection.as_str(), chat.chat), ("one", 7));
    assert!(is_business(chat.id) && !is_business(7) && !is_business(-(1 << 52)));
    assert_eq!(posts(&first).chat, chat.id);
    let body = payload(&first);
    assert_eq!(body["conversation_id"], format!("tg-42-{}", chat.id));
    assert_eq!(body["msgid"], format!("tg-42-{}-5", chat.id));
    assert_eq!(body["sender"]["id"], "tg-42-user-7");
    let other = business_chat(&update("business_message", "two", ann())).unwrap();
    assert_ne!(other.id, chat.id);
    let edit = posts(&update("edited_business_message", "one", ann()));
    assert_eq!(edit.posts[0].body["event_type"], "edit_message");
    assert_eq!(edit.posts[0].body["payload"]["msgid"], body["msgid"]);
}

#[test]
fn what_a_business_account_writes_itself_is_skipped() {
    let owner = json!({ "id": 9, "is_bot": false, "first_name": "Owen" });
    let outcome = meaning(&update("business_message", "one", owner));
    assert_eq!(outcome, Inbound::Skipped("business_message"));
    assert_eq!(business_chat(&json!({ "message": {} })), None);
}
