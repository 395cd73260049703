//! Chats of business accounts, in whose name the bot writes.

use telegram_double::orders::{ChatShown, EditMessage, Say};

use crate::stage::Stage;

/// A message of Ann to the business account of Bob.
fn to_bob(text: &str) -> Say {
    Say {
        business: Some(8),
        ..Say::text(7, text)
    }
}

fn business(stage: &Stage) -> Option<ChatShown> {
    let world = stage.shown();
    let mut chats = world.bots.into_iter().flat_map(|bot| bot.chats);
    chats.find(|chat| chat.kind == "business")
}

#[test]
fn a_business_chat_goes_both_ways_beside_that_of_the_bot() {
    let stage = Stage::start();
    stage.says(7, "To the bot");
    stage.until_posted(7, "To the bot");
    let first = stage.order(stage.orders().say(&to_bob("To Bob")));
    let conversation = stage.until("the conversation of the business chat", || {
        let (_, list) = stage.get("/inbox/v1/conversations");
        let list = list["conversations"].as_array()?.clone();
        list.into_iter()
            .find(|it| it["last_message"]["text"] == "To Bob")
    });
    let id = conversation["id"].as_str().unwrap();
    let path = format!("/inbox/v1/conversations/{id}/messages");
    let (status, answer) = stage.post(
        &path,
        &serde_json::json!({ "type": "text", "text": "From Bob" }),
    );
    assert_eq!(status, 201, "{answer}");
    stage.until("the answer in the business chat", || {
        (business(&stage)?.sent_texts() == ["From Bob"]).then_some(())
    });
    assert!(stage.chat(7).sent_texts().is_empty());
    let edit = EditMessage {
        chat: first.chat,
        message_id: first.message_id,
        text: "Dear Bob".to_owned(),
        ..EditMessage::default()
    };
    stage.order(stage.orders().edit(&edit));
    stage.until("the edit", || {
        let (_, page) = stage.get(&path);
        let mut texts = page["messages"].as_array()?.iter();
        texts.any(|it| it["text"] == "Dear Bob").then_some(())
    });
    assert_eq!(stage.texts(7), ["To the bot"]);
}
