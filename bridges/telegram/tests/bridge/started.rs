//! Conversations that an account user starts with a phone number.

use serde_json::{Value, json};
use telegram_double::orders::ShareContact;

use crate::stage::Stage;

const PHONE: &str = "+4930123456";

/// Starts a conversation, and returns the ids of it and of its message.
fn start(stage: &Stage, phone: &str, text: &str) -> (String, String) {
    let scope = &stage.world.facts()["scope_id"];
    let body = json!({ "scope_id": scope, "phone": phone, "text": text });
    let (status, answer) = stage.post("/inbox/v1/conversations", &body);
    assert!((200..300).contains(&status), "{answer}");
    let id = |part: &str| answer[part]["id"].as_str().unwrap().to_owned();
    (id("conversation"), id("message"))
}

/// Waits for a message of a conversation.
fn until(stage: &Stage, conversation: &str, is_it: impl Fn(&Value) -> bool) -> Value {
    stage.until("the message of the conversation", || {
        let path = format!("/inbox/v1/conversations/{conversation}/messages");
        let (_, page) = stage.get(&path);
        let messages = page["messages"].as_array()?.clone();
        messages.into_iter().find(|it| is_it(it))
    })
}

fn share(stage: &Stage) {
    let order = ShareContact {
        from: 7,
        phone_number: PHONE.to_owned(),
        ..ShareContact::default()
    };
    stage.order(stage.orders().share_contact(&order));
    stage.until("the shared number", || {
        let messages = stage.messages(7);
        messages.into_iter().find(|it| it["type"] == "contact")
    });
}

#[test]
fn a_user_writes_first_to_a_number_that_was_shared() {
    let stage = Stage::start();
    share(&stage);
    let (conversation, id) = start(&stage, "+49 30 123456", "Your tulips are here.");
    stage.until_shown(7, "Your tulips are here.");
    until(&stage, &conversation, |it| {
        it["id"] == id.as_str() && it["delivery"]["status"] == "delivered"
    });
    stage.says(7, "I am coming.");
    until(&stage, &conversation, |it| it["text"] == "I am coming.");
    // Our ids are those of this conversation from now on.
    stage.says(7, "Now.");
    until(&stage, &conversation, |it| it["text"] == "Now.");
    assert_eq!(stage.inbox(7).unwrap()["id"], conversation.as_str());
    stage.replies(7, "Fine.");
    stage.until_shown(7, "Fine.");
}

#[test]
fn a_user_learns_that_a_number_is_unknown() {
    let stage = Stage::start();
    let (conversation, id) = start(&stage, PHONE, "Hello");
    let message = until(&stage, &conversation, |it| {
        it["id"] == id.as_str() && it["delivery"]["status"] == "error"
    });
    let text = message["delivery"].to_string();
    assert!(
        text.contains("904") && text.contains("phone number"),
        "{text}"
    );
    assert!(stage.shown().bots[0].chats.is_empty());
}

#[test]
fn a_message_whose_binding_is_refused_still_arrives() {
    let stage = Stage::start();
    share(&stage);
    // A conversation that the service does not have.
    let mut event =
        stage.message_event(7, &json!({ "id": "m-1", "type": "text", "text": "Hello" }));
    event["message"]["conversation"]["client_id"] = Value::Null;
    event["message"]["receiver"] =
        json!({ "id": "6f1c3a52-9f1e-4a0c-8a55-0d5f0f2f1a11", "phone": PHONE });
    assert_eq!(stage.callback(&event), 200);
    stage.until_shown(7, "Hello");
    stage.says(7, "One");
    stage.until_posted(7, "One");
    stage.says(7, "Two");
    stage.until_posted(7, "Two");
}
