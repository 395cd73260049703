//! Scheduled replies in a world: its clock, what keeps a reply back, restarts and power cuts.

use serde_json::{Value, json};
use switchboard_worlds::http_world::{HttpAnswer, HttpWorld};
use switchboard_worlds::prelude::*;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);
const QUESTION: &str = "Have you any tulips?";
const TEXT: &str = "Red ones and white ones.";

/// A world in which a customer has asked something, with the path of the conversation.
fn asked() -> (HttpWorld, String) {
    let world = HttpWorld::start();
    let question = world.customer("bo").says(QUESTION);
    let path = format!("/inbox/v1/conversations/{}", question.conversation);
    (world, path)
}

fn send(world: &HttpWorld, method: &str, path: &str, body: &Value) -> Option<HttpAnswer> {
    let request = world.request(method, path).user("ada");
    request.json(body).try_send()
}

/// Schedules a reply with these fields beside the text and the time; gives it if an answer came.
fn schedule(world: &HttpWorld, path: &str, after: Duration, fields: &Value) -> Option<Value> {
    let mut body = json!({ "type": "text", "text": TEXT });
    body["send_at"] = json!(world.now().secs() + after.as_secs());
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    let answer = send(world, "POST", &format!("{path}/scheduled-replies"), &body)?;
    assert_eq!(answer.status, 201, "{:?}", answer.body);
    Some(answer.json())
}

/// Reads something; the power may go with the first request.
fn read(world: &HttpWorld, path: &str) -> Value {
    let request = || world.request("GET", path).user("ada");
    let answer = request().try_send().unwrap_or_else(|| request().send());
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    answer.json()
}

/// The scheduled replies that are not at their end.
fn open(world: &HttpWorld, path: &str) -> Vec<Value> {
    let list = read(world, &format!("{path}/scheduled-replies"));
    list["scheduled_replies"].as_array().unwrap().clone()
}

fn messages(world: &HttpWorld, path: &str) -> Vec<Value> {
    let page = read(world, &format!("{path}/messages?limit=250"));
    page["messages"].as_array().unwrap().clone()
}

/// The texts that account users sent, newest first.
fn sent(world: &HttpWorld, path: &str) -> Vec<String> {
    let messages = messages(world, path);
    let own = messages.iter().filter(|it| it["direction"] == "out");
    own.map(|it| it["text"].as_str().unwrap().to_owned())
        .collect()
}

/// The reason for which the only one is held.
fn reason(world: &HttpWorld, path: &str) -> Value {
    let replies = open(world, path);
    assert_eq!(replies.len(), 1, "{replies:?}");
    replies[0]["held"]["code"].clone()
}

fn newest(world: &HttpWorld, path: &str) -> Value {
    messages(world, path)[0]["id"].clone()
}

#[test]
fn a_scheduled_reply_follows_the_clock_of_its_world() {
    let (world, path) = asked();
    schedule(&world, &path, 30 * DAY, &json!({})).unwrap();
    world.advance(30 * DAY - HOUR);
    assert_eq!(sent(&world, &path), [""; 0]);
    assert_eq!(open(&world, &path)[0]["status"], "waiting");
    world.advance(HOUR);
    assert_eq!(sent(&world, &path), [TEXT]);
    assert_eq!(open(&world, &path), [""; 0]);
    world.wait(Until::callbacks(1));
    assert_eq!(world.callbacks()[0].text(), TEXT);
    world.advance(DAY);
    assert_eq!(sent(&world, &path).len(), 1);
}

#[test]
fn several_leave_in_the_order_of_their_times() {
    let (world, path) = asked();
    for (hours, text) in [(3, "third"), (1, "first"), (2, "second")] {
        schedule(&world, &path, hours * HOUR, &json!({ "text": text })).unwrap();
    }
    world.advance(DAY);
    assert_eq!(sent(&world, &path), ["third", "second", "first"]);
}

#[test]
fn a_message_of_the_customer_holds_it_if_its_rule_says_so() {
    let (world, path) = asked();
    schedule(&world, &path, HOUR, &json!({})).unwrap();
    let in_any_case = json!({ "text": "In any case", "unless_customer_wrote": false });
    schedule(&world, &path, HOUR, &in_any_case).unwrap();
    world.customer("bo").says("Never mind.");
    world.advance(HOUR);
    assert_eq!(reason(&world, &path), "customer_wrote");
    assert_eq!(sent(&world, &path), ["In any case"]);
    assert!(open(&world, &path)[0]["held"]["detail"].is_string());
}

#[test]
fn a_silent_message_and_what_was_seen_hold_nothing() {
    let (world, path) = asked();
    let newest_id = newest(&world, &path);
    schedule(&world, &path, HOUR, &json!({ "seen": newest_id })).unwrap();
    let bo = world.customer("bo");
    bo.try_posts(&bo.message("Long ago").silent()).unwrap();
    world.advance(HOUR);
    assert_eq!(sent(&world, &path), [TEXT]);
    // What came behind the message that was seen counts, though it was there at the time of writing.
    world.customer("bo").says("How much?");
    schedule(&world, &path, HOUR, &json!({ "seen": newest_id })).unwrap();
    world.advance(HOUR);
    assert_eq!(reason(&world, &path), "customer_wrote");
    let (other, elsewhere) = asked();
    other.customer("bo").says("How much?");
    schedule(&other, &elsewhere, HOUR, &json!({})).unwrap();
    other.advance(HOUR);
    assert_eq!(sent(&other, &elsewhere), [TEXT], "it was there before");
}

#[test]
fn an_answer_of_a_colleague_holds_it_with_seen_alone() {
    let (world, path) = asked();
    let newest_id = newest(&world, &path);
    schedule(&world, &path, HOUR, &json!({ "seen": newest_id })).unwrap();
    schedule(&world, &path, HOUR, &json!({ "text": "Without seen" })).unwrap();
    // An answer of its own writer holds nothing.
    world.user("ada").replies_to("bo", "One moment.");
    schedule(
        &world,
        &path,
        2 * HOUR,
        &json!({ "seen": newest_id, "text": "Late" }),
    )
    .unwrap();
    world.user("ben").replies_to("bo", "Yellow ones.");
    world.advance(HOUR);
    assert_eq!(
        sent(&world, &path),
        ["Without seen", "Yellow ones.", "One moment."]
    );
    assert_eq!(open(&world, &path)[0]["held"]["code"], "answered");
    world.advance(HOUR);
    assert_eq!(open(&world, &path)[1]["held"]["code"], "answered");
}

#[test]
fn closing_and_snoozing_do_not_touch_it() {
    let (world, path) = asked();
    let place = json!({ "status_id": 2 });
    let update = send(&world, "PATCH", "/api/v4/leads/1", &place).unwrap();
    assert_eq!(update.status, 200, "{:?}", update.body);
    schedule(&world, &path, HOUR, &json!({})).unwrap();
    let until = world.now().secs() + 2 * HOUR.as_secs();
    let snooze = json!({ "until": until });
    let snoozed = send(&world, "POST", &format!("{path}/snooze"), &snooze).unwrap();
    assert_eq!(snoozed.status, 200);
    let closed = send(&world, "POST", &format!("{path}/close"), &json!({})).unwrap();
    assert_eq!(closed.status, 204);
    assert_eq!(open(&world, &path).len(), 1);
    world.advance(HOUR);
    assert_eq!(sent(&world, &path), [TEXT]);
}

#[test]
fn a_held_one_is_sent_now_or_waits_again() {
    let (world, path) = asked();
    let reply = schedule(&world, &path, HOUR, &json!({})).unwrap();
    world.customer("bo").says("Never mind.");
    world.advance(HOUR);
    assert_eq!(reason(&world, &path), "customer_wrote");
    let one = format!("{path}/scheduled-replies/{}", reply["number"]);
    let again = json!({
        "based_on": open(&world, &path)[0]["version"],
        "send_at": world.now().secs() + HOUR.as_secs(),
        "seen": newest(&world, &path),
    });
    let waiting = send(&world, "PATCH", &one, &again).unwrap().json();
    assert_eq!(
        (&waiting["status"], &waiting["held"]),
        (&json!("waiting"), &Value::Null)
    );
    world.customer("bo").says("Or do you?");
    world.advance(HOUR);
    assert_eq!(reason(&world, &path), "customer_wrote");
    let now = json!({ "type": "text", "text": TEXT, "scheduled_reply": reply["number"] });
    let target = format!("{path}/messages");
    assert_eq!(send(&world, "POST", &target, &now).unwrap().status, 201);
    assert_eq!(open(&world, &path).len(), 0);
    // It is at its end: a second page cannot send it again.
    assert_eq!(send(&world, "POST", &target, &now).unwrap().status, 404);
    assert_eq!(sent(&world, &path), [TEXT]);
}

#[test]
fn it_goes_on_after_a_restart_and_a_power_cut() {
    let ends: [fn(&World); 2] = [World::restart, World::cut_power];
    for end in ends {
        let (world, path) = asked();
        schedule(&world, &path, HOUR, &json!({})).unwrap();
        end(&world);
        assert_eq!(open(&world, &path).len(), 1);
        world.advance(HOUR);
        assert_eq!(sent(&world, &path), [TEXT]);
        end(&world);
        world.advance(DAY);
        assert_eq!(sent(&world, &path), [TEXT]);
    }
}

/// Whatever step of scheduling the power meets: there is the draft or the scheduled reply, and what was answered is there.
#[test]
fn a_draft_is_scheduled_in_one_step_at_any_power_cut() {
    for step in 1.. {
        let (world, path) = asked();
        let draft = json!({ "based_on": 0, "text": TEXT });
        let drafts = format!("{path}/drafts/reply");
        send(&world, "PATCH", &drafts, &draft).unwrap();
        world.cut_power_within(step);
        let is_done = schedule(&world, &path, HOUR, &json!({ "draft": 1 })).is_some();
        let is_draft = read(&world, &drafts)["text"] == TEXT;
        let replies = open(&world, &path).len();
        assert_eq!(
            replies,
            usize::from(!is_draft),
            "step {step}: {}",
            world.journal()
        );
        assert!(replies == 1 || !is_done, "step {step}");
        if is_done {
            break;
        }
    }
}

/// The power goes while the service sends it: there is the message or the scheduled reply, and in the end the message, once.
#[test]
fn a_due_one_becomes_its_message_in_one_step_at_any_power_cut() {
    for step in 1..24 {
        let (world, path) = asked();
        schedule(&world, &path, HOUR, &json!({})).unwrap();
        world.cut_power_within(step);
        world.advance(HOUR);
        let (messages, replies) = (sent(&world, &path), open(&world, &path));
        assert_eq!(
            messages.len() + replies.len(),
            1,
            "step {step}: {}",
            world.journal()
        );
        world.advance(HOUR);
        assert_eq!(sent(&world, &path), [TEXT], "step {step}");
        assert_eq!(open(&world, &path).len(), 0, "step {step}");
    }
}

/// The same for one that is held.
#[test]
fn a_due_one_is_held_in_one_step_at_any_power_cut() {
    for step in 1..12 {
        let (world, path) = asked();
        schedule(&world, &path, HOUR, &json!({})).unwrap();
        world.customer("bo").says("Never mind.");
        world.cut_power_within(step);
        world.advance(HOUR);
        world.advance(HOUR);
        assert_eq!(reason(&world, &path), "customer_wrote", "step {step}");
        assert_eq!(sent(&world, &path), [""; 0], "step {step}");
    }
}
