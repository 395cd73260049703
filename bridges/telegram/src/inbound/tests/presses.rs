//! Presses of buttons.

use serde_json::{Value, json};

use super::{Inbound, NOW, ann, meaning};

fn press(data: &str, rows: Value) -> Value {
    json!({"update_id": 4, "callback_query": {
        "id": "99", "from": ann(), "data": data,
        "message": {"message_id": 5, "chat": {"id": 7}, "reply_markup": {"inline_keyboard": rows}},
    }})
}

/// The payload of a press; null when there is nothing to post.
fn payload(update: &Value) -> Value {
    let Inbound::Press { query, posts } = meaning(update) else {
        panic!("it is a press: {update}");
    };
    assert_eq!(query, "99");
    posts.map_or(Value::Null, |it| it.posts[0].body["payload"].clone())
}

#[test]
fn a_press_is_a_message_with_the_buttons_text() {
    let rows = json!([[{"text": "No", "callback_data": "b:1"}], [{"text": "Yes, please", "callback_data": "b:2"}]]);
    assert_eq!(
        payload(&press("b:2", rows)),
        json!({
            "timestamp": NOW,
            "msgid": "tg-42-press-99",
            "conversation_id": "tg-42-7",
            "sender": {"id": "tg-42-user-7", "name": "Ann Lee", "profile_link": "https://t.me/ann_lee"},
            "message": {"type": "text", "text": "Yes, please"},
        })
    );
}

#[test]
fn the_press_of_a_row_has_its_value() {
    let rows = json!([[{"text": "09:00", "callback_data": "r:slot-9"}], [{"text": "10:00", "callback_data": "k:abc"}]]);
    let message = payload(&press("r:slot-9", rows.clone()))["message"].clone();
    assert_eq!(
        message,
        json!({"type": "text", "text": "09:00", "callback_data": "slot-9"})
    );
    let long = payload(&press("k:abc", rows))["message"].clone();
    assert_eq!(
        long,
        json!({"type": "text", "text": "10:00", "callback_data": "the value of a row"})
    );
}

#[test]
fn a_press_below_an_old_message_is_read_from_its_value() {
    assert_eq!(
        payload(&press("t:Yes", json!([])))["message"]["text"],
        "Yes"
    );
    let row = payload(&press("r:slot-9", json!([])))["message"].clone();
    assert_eq!(
        row,
        json!({"type": "text", "text": "slot-9", "callback_data": "slot-9"})
    );
}

#[test]
fn an_unknown_button_is_answered_and_posts_nothing() {
    for data in ["b:7", "k:unknown", "", "t:", "r:", "of another program"] {
        assert_eq!(payload(&press(data, json!([]))), Value::Null, "{data}");
    }
    let bare = json!({"callback_query": {"id": "99", "data": "t:Yes"}});
    assert_eq!(payload(&bare), Value::Null);
    let odd = json!({"callback_query": {"id": "9".repeat(200), "data": "t:Yes"}});
    assert_eq!(meaning(&odd), Inbound::Skipped("callback_query"));
}
