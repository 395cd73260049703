//! Each line of the table of callbacks.

mod arbitrary;
mod files;
mod keyboards;
mod reactions;
mod status;

use serde_json::{Value, json};

use super::{Memory, Outbound, Plan, Report, Step, read, units};
use crate::ids::Ids;

/// The group −7 has become the supergroup −1007, and the message «s-5» of the service is the message 5 of the chat 7.
struct Known;

impl Memory for Known {
    fn current_chat(&self, chat: i64) -> i64 {
        if chat == -7 { -1007 } else { chat }
    }

    fn shown(&self, service_id: &str) -> Option<(i64, i64)> {
        (service_id == "s-5").then_some((7, 5))
    }
}

fn meaning(event: &Value) -> Outbound {
    read(event, Ids { bot: 42 }, &Known)
}

/// A callback with a message in a conversation.
fn callback(conversation: &str, content: Value) -> Value {
    json!({"account_id": "a", "time": 1, "message": {
        "receiver": {"id": "r", "client_id": "tg-42-user-7"},
        "conversation": {"id": "c", "client_id": conversation},
        "timestamp": 1, "msec_timestamp": 1_000,
        "message": content,
    }})
}

fn content(fields: Value) -> Value {
    let mut content = json!({
        "id": "s-9", "type": "text", "text": "", "markup": null, "tag": "", "media": "", "thumbnail": "", "file_name": "",
        "file_size": 0,
    });
    for (name, value) in fields.as_object().expect("an object") {
        content[name] = value.clone();
    }
    content
}

/// The plan of a message to Ann.
fn plan(fields: Value) -> Plan {
    message_plan(&callback("tg-42-7", content(fields)))
}

/// The plan of a callback.
fn message_plan(event: &Value) -> Plan {
    let Outbound::Message(plan) = meaning(event) else {
        panic!("it can be sent: {event}");
    };
    plan
}

fn steps(fields: Value) -> Vec<Step> {
    plan(fields).steps
}

fn report(event: &Value) -> Report {
    let Outbound::Refused(report) = meaning(event) else {
        panic!("it cannot be sent: {event}");
    };
    report
}

#[test]
fn a_text_is_one_call() {
    let plan = plan(json!({"text": "Yes, it_is *!"}));
    assert_eq!((plan.chat, plan.rows.len()), (7, 0));
    let step = Step {
        method: "sendMessage",
        // Without a mode, so that nothing in it is markup.
        params: json!({"chat_id": 7, "text": "Yes, it_is *!"}),
        upload: None,
    };
    assert_eq!(plan.steps, [step]);
}

#[test]
fn a_long_text_is_several_calls_in_order() {
    let line = format!("{}\n", "я".repeat(999));
    let steps = steps(json!({"text": line.repeat(9)}));
    let texts: Vec<&str> = steps
        .iter()
        .filter_map(|step| step.params["text"].as_str())
        .collect();
    assert_eq!(
        texts.iter().map(|text| units(text)).collect::<Vec<_>>(),
        [4_000, 4_000, 1_000]
    );
    assert_eq!(texts.concat(), line.repeat(9));
}

#[test]
fn a_text_that_is_not_seen_is_refused() {
    for text in ["", " \n "] {
        let report = report(&callback("tg-42-7", content(json!({"text": text}))));
        assert_eq!(report.code, 905);
    }
    // Blank parts are left out.
    let steps = steps(json!({"text": format!("a{}", " ".repeat(9_000))}));
    assert_eq!(steps.len(), 1);
}

#[test]
fn a_conversation_that_began_elsewhere_is_904() {
    for conversation in ["", "chat-7", "tg-43-7"] {
        let report = report(&callback(conversation, content(json!({"text": "Hi"}))));
        assert_eq!(report.code, 904);
        assert!(
            report.text.contains("did not begin with the bot"),
            "{}",
            report.text
        );
    }
}

#[test]
fn a_group_that_has_moved_is_written_to_at_its_new_chat() {
    let plan = message_plan(&callback("tg-42--7", content(json!({"text": "Hi"}))));
    let chat = &plan.steps[0].params["chat_id"];
    assert_eq!((plan.chat, chat), (-1007, &json!(-1007)));
}

#[test]
fn a_quote_answers_its_message() {
    let reply = json!({"message_id": 19, "allow_sending_without_reply": true});
    let quoted =
        |message: Value, text: &str| steps(json!({"text": text, "reply_to": {"message": message}}));
    let first = quoted(
        json!({"id": "s-1", "msgid": "tg-42-7-19", "text": "Is it?"}),
        "Yes",
    );
    assert_eq!(first[0].params["reply_parameters"], reply);
    assert_eq!(first[0].params["text"], "Yes");
    let own = quoted(json!({"id": "s-5", "text": "Is it?"}), "Yes");
    assert_eq!(own[0].params["reply_parameters"]["message_id"], 5);
    // Of several parts the first one answers.
    let long = quoted(json!({"msgid": "tg-42-7-19"}), &"x".repeat(5_000));
    assert_eq!(long[0].params["reply_parameters"], reply);
    assert_eq!(long[1].params["reply_parameters"], Value::Null);
}

#[test]
fn a_quote_that_the_chat_lacks_is_a_line() {
    for message in [
        json!({"id": "s-1", "msgid": "tg-42-8-19", "text": "Is\nit?"}),
        json!({"id": "unknown", "text": "Is\nit?"}),
    ] {
        let steps = steps(json!({"text": "Yes", "reply_to": {"message": message}}));
        assert_eq!(steps[0].params["text"], "> Is it?\nYes");
        assert_eq!(steps[0].params["reply_parameters"], Value::Null);
    }
}

#[test]
fn a_place_and_a_contact_have_calls_of_their_own() {
    let place =
        steps(json!({"type": "location", "location": {"lat": 52.5, "lon": 13.4}, "text": "Here"}));
    assert_eq!(place[0].method, "sendLocation");
    assert_eq!(
        place[0].params,
        json!({"chat_id": 7, "latitude": 52.5, "longitude": 13.4})
    );
    assert_eq!(place[1].params["text"], "Here");
    let card = steps(json!({"type": "contact", "contact": {"name": "Max", "phone": "+4930"}}));
    assert_eq!(card[0].method, "sendContact");
    assert_eq!(
        card[0].params,
        json!({"chat_id": 7, "phone_number": "+4930", "first_name": "Max"})
    );
    let bare = steps(json!({"type": "contact", "contact": {"name": "Max"}}));
    assert_eq!(bare[0].params, json!({"chat_id": 7, "text": "Max"}));
    for odd in [
        json!({"type": "location", "location": {"lat": 152.5, "lon": 13.4}}),
        json!({"type": "contact", "contact": {}}),
        json!({"type": "hologram"}),
    ] {
        assert_eq!(report(&callback("tg-42-7", content(odd))).code, 905);
    }
}

#[test]
fn typing_is_shown() {
    let typing = |conversation: &str| {
        meaning(&json!({"action": {"typing": {
            "user": {"id": "u"}, "conversation": {"id": "c", "client_id": conversation}, "expired_at": 5,
        }}}))
    };
    let step = Step {
        method: "sendChatAction",
        params: json!({"chat_id": 7, "action": "typing"}),
        upload: None,
    };
    assert_eq!(typing("tg-42-7"), Outbound::Typing(step));
    assert_eq!(typing(""), Outbound::Nothing("typing"));
}

#[test]
fn what_comes_next_is_nothing() {
    for event in [
        json!({}),
        json!(3),
        json!({"action": {"news": {}}}),
        json!({"message": {"message": {}}}),
    ] {
        assert_eq!(meaning(&event), Outbound::Nothing("unknown"), "{event}");
    }
}
