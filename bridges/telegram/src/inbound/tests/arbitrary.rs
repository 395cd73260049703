//! Whatever Telegram sends, nothing panics, and what is posted has the form that the service takes.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Inbound, Posts, meaning};

/// The keys of updates, so that arbitrary documents resemble them.
const KEYS: [&str; 40] = [
    "update_id",
    "message",
    "edited_message",
    "callback_query",
    "message_reaction",
    "my_chat_member",
    "chat",
    "from",
    "id",
    "message_id",
    "date",
    "edit_date",
    "text",
    "caption",
    "entities",
    "caption_entities",
    "offset",
    "length",
    "url",
    "type",
    "photo",
    "document",
    "video",
    "voice",
    "sticker",
    "animation",
    "file_id",
    "file_size",
    "file_name",
    "thumbnail",
    "location",
    "venue",
    "contact",
    "data",
    "reply_to_message",
    "reply_markup",
    "inline_keyboard",
    "old_reaction",
    "new_reaction",
    "emoji",
];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-200_i64..200).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        "[\\x00-\\u{10ffff}]{0,40}".prop_map(Value::from),
        prop::sample::select(vec![
            "text_link",
            "t:Yes",
            "r:a",
            "k:abc",
            "emoji",
            "kicked",
            "image/gif",
            "https://a.example"
        ])
        .prop_map(Value::from),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(6, 80, 10, |inner| {
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

/// An update of a kind that is read, whose parts are arbitrary.
fn update() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec![
        "message",
        "edited_message",
        "callback_query",
        "message_reaction",
    ]);
    (kind, document(), prop::collection::vec((prop::sample::select(KEYS.to_vec()), document()), 0..12)).prop_map(
        |(kind, other, fields)| {
            let mut message = json!({"message_id": 5, "id": "9", "chat": {"id": -7}, "from": {"id": 7}, "user": {"id": 7}});
            for (name, value) in fields {
                message[name] = value;
            }
            json!({"update_id": 1, kind: message, "other": other})
        },
    )
}

fn check(posts: &Posts) {
    for post in &posts.posts {
        let payload = post.body.get("payload").unwrap_or(&post.body);
        let text = |name: &str| payload[name].as_str().unwrap_or_default().to_owned();
        assert!(text("conversation_id").starts_with("tg-42-"), "{payload}");
        let Some(content) = payload.get("message") else {
            assert!(
                (1..=32).contains(&text("emoji").chars().count()),
                "{payload}"
            );
            continue;
        };
        let length = content["text"].as_str().map_or(1, str::len);
        assert!((1..=65_536).contains(&length), "{payload}");
        if let Some(name) = content.get("file_name").and_then(Value::as_str) {
            assert!(
                (1..=255).contains(&name.chars().count()) && !name.contains('/'),
                "{payload}"
            );
        }
        assert!(
            payload["timestamp"].as_i64().is_some_and(|it| it > 0),
            "{payload}"
        );
    }
}

proptest! {
    #[test]
    fn no_update_panics_or_posts_another_form(update in prop_oneof![document(), update()]) {
        match meaning(&update) {
            Inbound::Posts(posts) | Inbound::Press { posts: Some(posts), .. } => check(&posts),
            Inbound::Press { posts: None, .. } | Inbound::Blocked { .. } | Inbound::Migrated { .. } | Inbound::Skipped(_) => {}
        }
    }
}
