//! Drafts in a world: power cuts between a draft and its message, and the days for which drafts are shown.

use serde_json::{Value, json};
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;

const TEXT: &str = "Red ones and white ones.";

/// A world in which a customer has asked something, with the path of the conversation.
fn asked() -> (HttpWorld, String) {
    let world = HttpWorld::start();
    let asked = world.customer("bo").says("Have you any tulips?");
    let path = format!("/inbox/v1/conversations/{}", asked.conversation);
    (world, path)
}

fn draft(world: &HttpWorld, path: &str) -> Value {
    read(world, &format!("{path}/drafts/reply"))
}

/// Reads something; the power may go with the first request.
fn read(world: &HttpWorld, path: &str) -> Value {
    let request = || world.request("GET", path).user("ada");
    let answer = request().try_send().unwrap_or_else(|| request().send());
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    answer.json()
}

/// Stores a draft; gives its number, or `None` when no answer came.
fn store(world: &HttpWorld, path: &str, based_on: u64) -> Option<u64> {
    let path = format!("{path}/drafts/reply");
    let body = json!({ "based_on": based_on, "text": TEXT });
    let answer = world.request("PATCH", &path).user("ada").json(&body);
    answer.try_send()?.json().get("number")?.as_u64()
}

/// The texts that account users sent.
fn sent(world: &HttpWorld, path: &str) -> Vec<String> {
    let page = read(world, &format!("{path}/messages?limit=250"));
    let messages = page.get("messages").unwrap().as_array().unwrap().iter();
    let own = messages.filter(|it| it["direction"] == "out");
    own.map(|it| it["text"].as_str().unwrap().to_owned())
        .collect()
}

/// Whatever step of sending a draft the power meets: there is the draft or the message, never both, never neither.
#[test]
fn a_draft_becomes_its_message_in_one_step_at_any_power_cut() {
    for step in 1.. {
        let (world, path) = asked();
        let number = store(&world, &path, 0).unwrap();
        let body = json!({ "type": "text", "text": TEXT, "draft": number });
        let target = format!("{path}/messages");
        world.cut_power_within(step);
        let answer = world.request("POST", &target).user("ada").json(&body);
        let is_done = answer.try_send().is_some_and(|it| it.status == 201);
        let text = draft(&world, &path)["text"].take();
        let messages = sent(&world, &path);
        let is_sent = messages == [TEXT];
        assert!(is_sent || messages.is_empty(), "step {step}: {messages:?}");
        assert_eq!(text == "", is_sent, "step {step}: {}", world.journal());
        assert!(
            is_sent || !is_done,
            "step {step}: an acknowledged message is there"
        );
        if is_done {
            break;
        }
    }
}

/// Whatever step of storing a draft the power meets: what was answered is there.
#[test]
fn a_stored_draft_outlives_a_power_cut() {
    for step in 1.. {
        let (world, path) = asked();
        world.cut_power_within(step);
        let stored = store(&world, &path, 0);
        let found = draft(&world, &path);
        if stored.is_some() {
            assert_eq!(
                (&found["text"], &found["number"]),
                (&json!(TEXT), &json!(1))
            );
            break;
        }
    }
}

#[test]
fn a_draft_is_shown_for_thirty_days() {
    let (world, path) = asked();
    store(&world, &path, 0).unwrap();
    world.advance(Duration::from_secs(29 * 86_400));
    assert_eq!(draft(&world, &path)["text"], TEXT);
    world.advance(Duration::from_secs(2 * 86_400));
    let old = draft(&world, &path);
    assert_eq!((&old["text"], &old["number"]), (&json!(""), &json!(1)));
    assert_eq!(
        store(&world, &path, 1),
        Some(2),
        "it goes on behind its number"
    );
}
