use serde_json::{Value, json};

use super::Machine;
use super::calls::Step;
use crate::params::Params;
use crate::reply::Reply;

const BOT: i64 = 42;
const NOW: i64 = 1_800_000_000_000;

/// A world with one bot, two people, and a moment that goes on with each act.
struct World {
    machine: Machine,
    now: i64,
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            machine: Machine::new(),
            now: NOW,
        };
        let steps = [
            ("bots", json!({"token": "42:AAAA", "username": "shop_bot"})),
            ("people", json!({"id": 7, "first_name": "Ann"})),
            ("people", json!({"id": 8, "first_name": "Bob"})),
            ("start", json!({"from": 7})),
        ];
        for (name, body) in steps {
            world.order(name, body);
        }
        world
    }

    fn try_order(&mut self, name: &str, body: Value) -> Result<Value, String> {
        let text = body.to_string();
        let answer = self.machine.order(name, text.as_bytes(), self.now);
        let outcome = answer.unwrap_or_else(|| unreachable!("there is the order {name}"));
        outcome.map_err(|error| error.to_string())
    }

    fn order(&mut self, name: &str, body: Value) -> Value {
        let outcome = self.try_order(name, body.clone());
        outcome.unwrap_or_else(|error| unreachable!("{name} {body}: {error}"))
    }

    fn call(&mut self, method: &str, values: Value) -> Reply {
        let params = params(values);
        self.machine.call(BOT, method, &params, self.now)
    }

    fn poll(&mut self, values: Value) -> Value {
        let poll = self.machine.begin_poll(BOT, &params(values), self.now);
        let number = poll.unwrap_or_else(|error| unreachable!("{error}"));
        match self.machine.step_poll(BOT, number, self.now) {
            Step::Done(reply) => reply.unwrap_or_default(),
            Step::Waits(_) => unreachable!("it has a timeout"),
        }
    }

    fn refusal(&mut self, method: &str, values: Value) -> String {
        let reply = self.call(method, values.clone());
        let error = reply.err();
        error
            .unwrap_or_else(|| unreachable!("{method} {values} passes"))
            .to_string()
    }
}

fn params(values: Value) -> Params {
    Params {
        values: values.as_object().cloned().unwrap_or_default(),
        ..Params::default()
    }
}

#[test]
fn the_same_orders_give_the_same_world() {
    let run = || {
        let mut world = World::new();
        world.order("say", json!({"from": 7, "text": "Hello"}));
        let items = vec![json!({"photo": {"size": 9}}); 4];
        world.order(
            "album",
            json!({"from": 7, "shuffled": true, "items": items}),
        );
        world.poll(json!({}))
    };
    assert_eq!(run(), run());
}

#[test]
fn a_text_of_a_person_becomes_an_update() {
    let mut world = World::new();
    let receipt = world.order("say", json!({"from": 7, "text": "Hello"}));
    let updates = world.poll(json!({}));
    assert_eq!(updates[0]["update_id"], receipt["update_id"]);
    let message = &updates[0]["message"];
    assert_eq!(message["text"], "Hello");
    assert_eq!(message["date"], NOW / 1_000);
    assert_eq!(
        message["from"],
        json!({"id": 7, "is_bot": false, "first_name": "Ann"})
    );
    assert_eq!(
        message["chat"],
        json!({"id": 7, "type": "private", "first_name": "Ann"})
    );
}

#[test]
fn a_quote_names_its_place_in_utf16_units() {
    let mut world = World::new();
    let receipt = world.order("say", json!({"from": 7, "text": "🙂 one two"}));
    let id = receipt["message_id"].clone();
    world.order(
        "say",
        json!({"from": 7, "text": "which?", "reply_to": id, "quote": "two"}),
    );
    let updates = world.poll(json!({}));
    let message = &updates[1]["message"];
    assert_eq!(message["reply_to_message"]["text"], "🙂 one two");
    assert_eq!(
        message["quote"],
        json!({"text": "two", "position": 7, "is_manual": true})
    );
    let error = world.try_order(
        "say",
        json!({"from": 7, "text": "x", "reply_to": id, "quote": "three"}),
    );
    assert!(error.is_err_and(|it| it.contains("QUOTE_TEXT_INVALID")));
}

#[test]
fn chats_have_numbers_of_their_own() {
    let mut world = World::new();
    for from in [7, 8, 7] {
        world.order("say", json!({"from": from, "text": "x"}));
    }
    let updates = world.poll(json!({}));
    let ids: Vec<_> = (0..3)
        .map(|at| updates[at]["message"]["message_id"].clone())
        .collect();
    assert_eq!(ids, [1, 1, 2]);
}

#[test]
fn each_wrong_field_of_an_order_is_named() {
    let mut world = World::new();
    let many =
        json!({"from": 7, "items": [{"photo": {"size": 0}}, {}, {"audio": {"base64": "?"}}]});
    let Err(error) = world.try_order("album", many) else {
        unreachable!("it is refused")
    };
    for path in [
        "items/0/photo",
        "items/1",
        "items/2/audio",
        "items: documents",
    ] {
        assert!(error.contains(path), "{path}: {error}");
    }
    for (name, body, path) in [
        ("say", json!({"from": 7}), "one content"),
        (
            "say",
            json!({"from": 9, "text": "x"}),
            "from: there is no person 9",
        ),
        ("say", json!({"from": 7, "text": "x", "chat": -1}), "chat: "),
        ("say", json!({"from": 7, "txt": "x"}), "unknown field `txt`"),
        ("bots", json!({"token": "x"}), "token: "),
        (
            "people",
            json!({"id": -1, "first_name": ""}),
            "first_name: ",
        ),
        (
            "faults",
            json!({"kind": "answer_lost", "method": "sendTea"}),
            "method: ",
        ),
        (
            "faults",
            json!({"kind": {"status": {"code": 200}}}),
            "kind/status/code",
        ),
        ("rates", json!({"chat_burst": -1}), "chat_burst: "),
        (
            "groups",
            json!({"title": "T", "members": [7, 9]}),
            "members/1: ",
        ),
        (
            "react",
            json!({"from": 7, "message_id": 1, "emoji": []}),
            "message_id: ",
        ),
        (
            "press",
            json!({"from": 7, "message_id": 1, "data": "x"}),
            "message_id: ",
        ),
    ] {
        let error = world.try_order(name, body).err().unwrap_or_default();
        assert!(error.contains(path), "{name}: {error}");
    }
}

#[test]
fn a_message_of_a_group_needs_a_reason_to_be_seen() {
    let mut world = World::new();
    let chat = world.order("groups", json!({"title": "Team", "members": [7, 8]}))["chat"].clone();
    let mut say = |text: &str| {
        let receipt = world.order("say", json!({"from": 7, "chat": chat, "text": text}));
        !receipt["update_id"].is_null()
    };
    assert!(!say("among us"));
    assert!(say("/help"));
    assert!(say("ask @shop_bot"));
    world.order(
        "bots",
        json!({"token": "42:AAAA", "can_read_all_group_messages": true}),
    );
    let receipt = world.order("say", json!({"from": 7, "chat": chat, "text": "among us"}));
    assert!(!receipt["update_id"].is_null());
}

#[test]
fn a_call_of_odd_values_is_refused_and_does_not_panic() {
    let mut world = World::new();
    world.order("say", json!({"from": 7, "text": "x"}));
    let odd = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("x"),
        json!([]),
        json!([[]]),
        json!({}),
        json!("{"),
        json!("[{}]"),
        json!(i64::MIN),
        json!(i64::MAX),
        json!("\u{0}"),
    ];
    let names = [
        "text",
        "entities",
        "parse_mode",
        "reply_markup",
        "reply_parameters",
        "message_id",
        "media",
        "photo",
        "latitude",
        "reaction",
        "url",
        "secret_token",
        "max_connections",
        "allowed_updates",
        "file_id",
        "user_id",
        "action",
        "caption",
        "callback_query_id",
        "offset",
        "limit",
        "timeout",
        "chat_id",
    ];
    for method in super::calls::METHODS {
        for name in names {
            for value in &odd {
                let mut values = json!({"chat_id": 7, "text": "y", "message_id": 1});
                values[name] = value.clone();
                let outcome = if method == "getupdates" {
                    world
                        .machine
                        .begin_poll(BOT, &params(values), world.now)
                        .map(|_| Value::Null)
                } else {
                    world.call(method, values)
                };
                if let Err(error) = outcome {
                    assert!(
                        (400..500).contains(&error.code),
                        "{method} {name} {value}: {error}"
                    );
                }
            }
        }
    }
}

#[test]
fn old_messages_and_old_presses_are_refused() {
    let mut world = World::new();
    let keyboard = json!({"inline_keyboard": [[{"text": "Yes", "callback_data": "y"}]]});
    let message = world.call(
        "sendmessage",
        json!({"chat_id": 7, "text": "?", "reply_markup": keyboard}),
    );
    let id = message.unwrap_or_default()["message_id"].clone();
    let press = world.order("press", json!({"from": 7, "message_id": id, "text": "Yes"}));
    let query = press["callback_query_id"].clone();
    world.now += 31_000;
    let error = world.refusal("answercallbackquery", json!({"callback_query_id": query}));
    assert!(error.contains("query is too old"), "{error}");
    world.now = NOW + 48 * 3_600_000;
    let error = world.refusal("deletemessage", json!({"chat_id": 7, "message_id": id}));
    assert!(error.contains("can't be deleted for everyone"), "{error}");
}

#[test]
fn a_reset_forgets_all() {
    let mut world = World::new();
    world.order("reset", json!({}));
    assert!(
        world
            .call("getme", json!({}))
            .is_err_and(|it| it.code == 401)
    );
    assert!(world.machine.people.list.is_empty());
}
