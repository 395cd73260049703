//! Whatever the service sends, nothing panics, and no call has more than Telegram takes.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Known, units};
use crate::ids::Ids;
use crate::outbound::{Outbound, Step, read};

const KEYS: [&str; 30] = [
    "message",
    "action",
    "typing",
    "reaction",
    "conversation",
    "client_id",
    "id",
    "msgid",
    "type",
    "text",
    "markup",
    "buttons",
    "list_message",
    "sections",
    "rows",
    "title",
    "description",
    "callback_data",
    "header",
    "body",
    "footer",
    "url",
    "media",
    "file_name",
    "file_size",
    "location",
    "lat",
    "lon",
    "contact",
    "reply_to",
];

fn document() -> impl Strategy<Value = Value> {
    let words = [
        "tg-42-7",
        "tg-42-7-19",
        "s-5",
        "text",
        "picture",
        "file",
        "location",
        "contact",
        "react",
        "👍",
        "https://a.example",
    ];
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "[\\x00-\\u{10ffff}]{0,80}".prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        (0..9_000_usize).prop_map(|count| Value::from("é😀 ".repeat(count / 3))),
    ];
    scalar.prop_recursive(6, 80, 10, |inner| {
        let field = (prop::sample::select(KEYS.to_vec()), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            prop::collection::vec(field, 0..10).prop_map(|fields| {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(fields.collect::<Map<_, _>>())
            }),
        ]
    })
}

fn callback() -> impl Strategy<Value = Value> {
    let kinds = prop::sample::select(vec![
        "text", "picture", "file", "voice", "location", "contact",
    ]);
    let fields = prop::collection::vec((prop::sample::select(KEYS.to_vec()), document()), 0..10);
    (kinds, fields).prop_map(|(kind, fields)| {
        let mut content = json!({"media": "https://a.example/x", "type": kind});
        for (name, value) in fields {
            content[name] = value;
        }
        json!({"message": {"conversation": {"client_id": "tg-42-7"}, "message": content}})
    })
}

fn check(step: &Step) {
    let length = |name: &str| step.params[name].as_str().map_or(1, units);
    assert!((1..=4_096).contains(&length("text")), "{step:?}");
    assert!((1..=1_024).contains(&length("caption")), "{step:?}");
    let rows = step.params["reply_markup"]["inline_keyboard"].as_array();
    let buttons: Vec<&Value> = rows
        .into_iter()
        .flatten()
        .filter_map(Value::as_array)
        .flatten()
        .collect();
    assert!(buttons.len() <= 100, "{step:?}");
    for button in buttons {
        let data = button["callback_data"].as_str().map_or(1, str::len);
        assert!((1..=64).contains(&data), "{button}");
    }
}

proptest! {
    #[test]
    fn no_callback_panics_or_exceeds_telegram(event in prop_oneof![document(), callback()]) {
        match read(&event, Ids { bot: 42 }, &Known) {
            Outbound::Message(plan) => plan.steps.iter().for_each(check),
            Outbound::Reaction(step) | Outbound::Typing(step) => check(&step),
            Outbound::Refused(report) => prop_assert!((901..=905).contains(&report.code) && report.text.len() <= 900),
            Outbound::Nothing(_) => {}
        }
    }
}
