//! Edits and reactions.

use serde_json::json;
use telegram_double::orders::{EditMessage, React};

use crate::stage::Stage;

#[test]
fn an_edit_of_a_customer_changes_the_message() {
    let stage = Stage::start();
    let first = stage.says(7, "Two tulips");
    stage.until_posted(7, "Two tulips");
    let edit = EditMessage {
        chat: 7,
        message_id: first.message_id,
        text: "Three tulips".to_owned(),
        ..EditMessage::default()
    };
    stage.order(stage.orders().edit(&edit));
    let message = stage.until_posted(7, "Three tulips");
    assert_eq!(
        message["client_id"],
        format!("tg-42-7-{}", first.message_id)
    );
    assert_eq!(stage.messages(7).len(), 1);
}

#[test]
fn an_edit_behind_its_message_comes_behind_it() {
    let mut stage = Stage::prepare();
    let first = stage.says(7, "Old");
    let edit = EditMessage {
        chat: 7,
        message_id: first.message_id,
        text: "New".to_owned(),
        ..EditMessage::default()
    };
    stage.order(stage.orders().edit(&edit));
    stage.run();
    stage.until_posted(7, "New");
}

#[test]
fn a_reaction_of_a_customer_comes_and_goes() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let id = stage.replies(7, "Good day");
    let number = stage.until_shown(7, "Good day");
    stage.until_delivery(7, &id, "delivered");
    let react = |emoji: &[&str]| React {
        from: 7,
        message_id: number,
        emoji: emoji.iter().map(|it| (*it).to_owned()).collect(),
        ..React::default()
    };
    stage.order(stage.orders().react(&react(&["👍"])));
    let reactions = || {
        let messages = stage.messages(7);
        let message = messages.into_iter().find(|it| it["id"] == id.as_str())?;
        Some(message["reactions"].as_array().cloned().unwrap_or_default())
    };
    stage.until("the reaction", || {
        let list = reactions()?;
        (list.len() == 1 && list[0].to_string().contains("👍")).then_some(())
    });
    stage.order(stage.orders().react(&react(&[])));
    stage.until("the end of the reaction", || {
        reactions()?.is_empty().then_some(())
    });
}

#[test]
fn a_reaction_of_a_user_is_shown_and_removed() {
    let stage = Stage::start();
    let first = stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let msgid = format!("tg-42-7-{}", first.message_id);
    let event = |kind: &str| {
        json!({ "account_id": stage.world.facts()["account"]["id"], "time": 1_767_225_601, "action": { "reaction": {
            "msgid": msgid, "message": { "id": "d4e5f6a7-1b2c-4d3e-8f90-a1b2c3d4e5f6", "msgid": msgid },
            "user": { "id": "0b8a1f0e-7a3c-4d62-9a0d-8f5d7c2b6e22" },
            "conversation": { "id": "c3b3d1f4-52f5-4a27-9d0b-1b7c8e9f3a33", "client_id": "tg-42-7" },
            "type": kind, "emoji": "😍" } } })
    };
    let reactions = || {
        let chat = stage.chat(7);
        let message = chat
            .messages
            .into_iter()
            .find(|it| it.message_id == first.message_id)?;
        Some(message.reactions.get(&42).cloned().unwrap_or_default())
    };
    assert_eq!(stage.callback(&event("react")), 200);
    stage.until("the reaction", || (reactions()? == ["😍"]).then_some(()));
    assert_eq!(stage.callback(&event("unreact")), 200);
    stage.until("the end of the reaction", || {
        reactions()?.is_empty().then_some(())
    });
}

#[test]
fn typing_of_a_user_is_shown() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let event = json!({ "account_id": stage.world.facts()["account"]["id"], "time": 1_767_225_600, "action": { "typing": {
        "user": { "id": "0b8a1f0e-7a3c-4d62-9a0d-8f5d7c2b6e22" },
        "conversation": { "id": "c3b3d1f4-52f5-4a27-9d0b-1b7c8e9f3a33", "client_id": "tg-42-7" },
        "expired_at": 1_767_225_605 } } });
    assert_eq!(stage.callback(&event), 200);
    stage.until("the notice", || {
        (!stage.chat(7).actions.is_empty()).then_some(())
    });
}
