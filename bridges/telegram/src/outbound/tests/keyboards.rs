//! Buttons and lists.

use serde_json::{Value, json};

use super::{Plan, plan, steps};

fn keyboard(plan: &Plan) -> Value {
    let last = plan.steps.last().expect("a step");
    last.params["reply_markup"]["inline_keyboard"].clone()
}

fn buttons(rows: Value) -> Plan {
    plan(json!({"text": "Which?", "markup": {"mode": "inline", "buttons": rows}}))
}

#[test]
fn buttons_are_an_inline_keyboard() {
    let plan =
        buttons(json!([[{"text": "Yes"}], [{"text": "Shop", "url": "https://shop.example/a"}]]));
    assert_eq!(
        keyboard(&plan),
        json!([
            [{"text": "Yes", "callback_data": "t:Yes"}],
            [{"text": "Shop", "url": "https://shop.example/a"}],
        ])
    );
    assert_eq!(plan.steps[0].params["text"], "Which?");
}

#[test]
fn a_long_button_has_a_short_value() {
    let label = "я".repeat(32);
    let plan =
        buttons(json!([[{"text": label}, {"text": "a".repeat(255)}, {"text": "x".repeat(62)}]]));
    let data: Vec<Value> = keyboard(&plan)[0]
        .as_array()
        .expect("a row")
        .iter()
        .map(|it| it["callback_data"].clone())
        .collect();
    assert_eq!(
        data,
        [
            json!("b:1"),
            json!("b:2"),
            json!(format!("t:{}", "x".repeat(62)))
        ]
    );
}

#[test]
fn an_address_that_telegram_refuses_is_a_line() {
    let long = format!("https://a.example/{}", "x".repeat(2_048));
    let plan = buttons(
        json!([[{"text": "Call", "url": "tel:+4930"}], [{"text": "Long", "url": long}], [{"text": " "}]]),
    );
    assert_eq!(
        plan.steps[0].params["text"],
        format!("Which?\nCall: tel:+4930\nLong: {long}")
    );
    assert_eq!(keyboard(&plan), Value::Null);
}

#[test]
fn the_hundred_and_first_button_is_a_line() {
    let row: Vec<Value> = (0..102)
        .map(|at| json!({"text": format!("B{at}")}))
        .collect();
    let plan = buttons(json!([row]));
    assert_eq!(keyboard(&plan)[0].as_array().map(Vec::len), Some(100));
    assert_eq!(plan.steps[0].params["text"], "Which?\n- B100\n- B101");
}

#[test]
fn a_list_is_a_text_with_a_button_for_each_row() {
    let long = "x".repeat(63);
    let list = json!({
        "header": "Pick a time", "body": "We are open on Friday", "footer": "UTC+3", "button": "Show times",
        "sections": [{"title": "Morning", "rows": [
            {"callback_data": "slot-9", "title": "09:00", "description": "1 hour"},
            {"callback_data": long, "title": "10:00", "description": ""},
        ]}],
    });
    let plan = plan(json!({"text": "We are open on Friday", "markup": {"list_message": list}}));
    assert_eq!(
        plan.steps[0].params["text"],
        "Pick a time\nWe are open on Friday\nMorning\n1. 09:00: 1 hour\n2. 10:00\nUTC+3"
    );
    let [(key, value)] = plan.rows.as_slice() else {
        panic!("{:?}", plan.rows);
    };
    assert_eq!((key.len(), value), (32, &long));
    assert_eq!(
        keyboard(&plan),
        json!([
            [{"text": "09:00", "callback_data": "r:slot-9"}],
            [{"text": "10:00", "callback_data": format!("k:{key}")}],
        ])
    );
}

#[test]
fn a_text_that_is_not_in_its_list_stays() {
    let list = json!({"body": "Choose one", "sections": [{"title": "", "rows": [{"callback_data": "red", "title": "Red"}]}]});
    let plan = plan(json!({"text": "We have these.", "markup": {"list_message": list}}));
    assert_eq!(
        plan.steps[0].params["text"],
        "We have these.\nChoose one\n1. Red"
    );
}

#[test]
fn buttons_stand_below_the_last_part() {
    let steps = steps(json!({
        "text": "x".repeat(5_000), "markup": {"mode": "inline", "buttons": [[{"text": "Yes"}]]},
    }));
    assert_eq!(steps[0].params["reply_markup"], Value::Null);
    assert_eq!(
        steps[1].params["reply_markup"]["inline_keyboard"][0][0]["text"],
        "Yes"
    );
}
