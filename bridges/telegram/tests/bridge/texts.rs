//! Texts in both directions, quotes and presses.

use serde_json::json;
use telegram_double::orders::{Press, Say};
use telegram_double::{Fault, FaultKind};

use crate::stage::{Stage, message_id};

#[test]
fn a_text_goes_both_ways_and_is_reported() {
    let stage = Stage::start();
    let first = stage.says(7, "Have you any tulips?");
    let message = stage.until_posted(7, "Have you any tulips?");
    assert_eq!(
        message["client_id"],
        format!("tg-42-7-{}", first.message_id)
    );
    assert_eq!(message["sender"]["name"], "Ann");
    let offset = first.update_id.unwrap() + 1;
    stage.until_metric(&format!("switchboard_telegram_confirmed_offset {offset}"));
    let id = stage.replies(7, "Red ones.");
    stage.until_shown(7, "Red ones.");
    stage.until_delivery(7, &id, "delivered");
}

#[test]
fn a_long_text_goes_in_parts_that_are_in_order() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    // Words of the second line have room in the first part.
    let (first, second) = ("a".repeat(4_000), "b b ".repeat(1_000) + "b");
    let id = stage.replies(7, &format!("{first}\n{second}"));
    stage.until_delivery(7, &id, "delivered");
    let chat = stage.chat(7);
    let lengths: Vec<usize> = chat.sent_texts().iter().map(|it| it.len()).collect();
    assert_eq!(lengths.len(), 2, "{lengths:?}");
    assert!(chat.sent_texts()[0].starts_with('a') && chat.sent_texts()[1].ends_with('b'));
    assert!(!chat.sent_texts()[0].contains('b'), "{lengths:?}");
}

#[test]
fn a_quote_goes_both_ways() {
    let stage = Stage::start();
    let first = stage.says(7, "One or two?");
    let message = stage.until_posted(7, "One or two?");
    let inbox = stage.inbox(7).unwrap();
    let path = format!(
        "/inbox/v1/conversations/{}/messages",
        inbox["id"].as_str().unwrap()
    );
    let reply = json!({ "type": "text", "text": "Two.", "reply_to": message["id"] });
    let (status, answer) = stage.post(&path, &reply);
    assert!((200..300).contains(&status), "{answer}");
    let number = stage.until_shown(7, "Two.");
    let chat = stage.chat(7);
    let answer_shown = chat
        .messages
        .iter()
        .find(|it| it.message_id == number)
        .unwrap();
    assert_eq!(
        answer_shown.content["reply_to_message"]["message_id"],
        first.message_id
    );
    // The ids are known when the answer of Telegram is stored.
    let id = message_id(&answer);
    stage.until_delivery(7, &id, "delivered");
    stage.order(stage.orders().say(&Say::text(7, "Fine").reply_to(number)));
    let answer = stage.until_posted(7, "Fine");
    assert!(answer["reply_to"].to_string().contains(&id), "{answer}");
}

#[test]
fn a_press_is_answered_first_and_posted() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    let content = json!({ "id": "d4e5f6a7-1b2c-4d3e-8f90-a1b2c3d4e5f6", "type": "text", "text": "Which?",
        "markup": { "mode": "inline", "buttons": [[{ "text": "Red" }, { "text": "Blue" }]] } });
    assert_eq!(stage.callback(&stage.message_event(7, &content)), 200);
    let number = stage.until_shown(7, "Which?");
    // The answer to the press is slow: the message does not wait for it.
    let slow = Fault::next("answerCallbackQuery", FaultKind::Slow { millis: 3_000 });
    stage.fault(&slow);
    let press = Press {
        from: 7,
        message_id: number,
        text: Some("Blue".to_owned()),
        ..Press::default()
    };
    stage.order(stage.orders().press(&press));
    stage.until_posted(7, "Blue");
    assert!(stage.shown().bots[0].presses[0].answered_at.is_none());
    stage.until("an answer to the press", || {
        stage.shown().bots[0].presses[0].answered_at
    });
}

#[test]
fn a_press_of_a_row_has_the_value_of_the_row() {
    let stage = Stage::start();
    stage.says(7, "Hello");
    stage.until_posted(7, "Hello");
    // A button of Telegram has no room for it.
    let value = "red-tulip-".repeat(20);
    let rows = json!([{ "title": "Red", "callback_data": value }]);
    let list = json!({ "body": "Which?", "sections": [{ "title": "Colours", "rows": rows }] });
    let content = json!({ "id": "d4e5f6a7-1b2c-4d3e-8f90-a1b2c3d4e5f6", "type": "text", "text": "",
        "markup": { "mode": "list", "list_message": list } });
    assert_eq!(stage.callback(&stage.message_event(7, &content)), 200);
    let number = stage.until_shown(7, "Which?\nColours\n1. Red");
    let press = Press {
        from: 7,
        message_id: number,
        text: Some("Red".to_owned()),
        ..Press::default()
    };
    stage.order(stage.orders().press(&press));
    let message = stage.until_posted(7, "Red");
    assert_eq!(message["callback_data"], value, "{message}");
}
