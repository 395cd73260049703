//! Reactions of account users.

use serde_json::{Value, json};

use super::meaning;
use crate::outbound::Outbound;

fn reaction(message: Value, kind: &str, emoji: &str) -> Outbound {
    let mut reaction = json!({
        "user": {"id": "u"}, "conversation": {"id": "c", "client_id": "tg-42-7"}, "type": kind, "emoji": emoji,
    });
    reaction["msgid"] = message["msgid"].clone();
    reaction["message"] = message;
    meaning(&json!({"action": {"reaction": reaction}}))
}

fn params(outbound: Outbound) -> Value {
    let Outbound::Reaction(step) = outbound else {
        panic!("it is a reaction: {outbound:?}");
    };
    assert_eq!((step.method, &step.upload), ("setMessageReaction", &None));
    step.params
}

#[test]
fn a_reaction_is_set_on_its_message() {
    let customers = json!({"id": "s-1", "msgid": "tg-42-7-19"});
    assert_eq!(
        params(reaction(customers, "react", "👍")),
        json!({"chat_id": 7, "message_id": 19, "reaction": [{"type": "emoji", "emoji": "👍"}]})
    );
    let own = params(reaction(
        json!({"id": "s-5", "msgid": "s-5"}),
        "react",
        "🔥",
    ));
    assert_eq!(own["message_id"], 5);
}

#[test]
fn a_removed_reaction_is_an_empty_list() {
    let removal = params(reaction(json!({"msgid": "tg-42-7-19"}), "unreact", ""));
    assert_eq!(removal["reaction"], json!([]));
}

#[test]
fn the_same_emoji_comes_with_and_without_its_form() {
    for emoji in ["❤", "❤\u{fe0f}"] {
        let params = params(reaction(json!({"msgid": "tg-42-7-19"}), "react", emoji));
        assert_eq!(params["reaction"][0]["emoji"], "❤");
    }
}

#[test]
fn an_emoji_that_telegram_lacks_is_counted_and_dropped() {
    for emoji in ["🦕", "", "👍👍", " "] {
        let outbound = reaction(json!({"msgid": "tg-42-7-19"}), "react", emoji);
        assert_eq!(
            outbound,
            Outbound::Nothing("reaction that Telegram lacks"),
            "{emoji}"
        );
    }
}

#[test]
fn a_reaction_to_an_unknown_message_is_dropped() {
    for message in [json!({"id": "s-1"}), json!({"msgid": "tg-42-8-19"})] {
        let outbound = reaction(message, "react", "👍");
        assert_eq!(
            outbound,
            Outbound::Nothing("reaction to an unknown message")
        );
    }
}
