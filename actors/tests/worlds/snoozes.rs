//! Snoozes in a world: its clock, restarts and power cuts.

use serde_json::{Value, json};
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;

const HOUR: Duration = Duration::from_secs(3_600);
const DAY: Duration = Duration::from_secs(86_400);

/// A world in which a customer has asked something, with the path of the conversation.
fn asked() -> (HttpWorld, String) {
    let world = HttpWorld::start();
    let asked = world.customer("bo").says("Have you any tulips?");
    let path = format!("/inbox/v1/conversations/{}", asked.conversation);
    (world, path)
}

/// Snoozes; gives whether an answer came.
fn snooze(world: &HttpWorld, path: &str, after: Duration) -> bool {
    let until = world.now().secs() + after.as_secs();
    let path = format!("{path}/snooze");
    let body = json!({ "until": until, "wake_on_message": false });
    let answer = world.request("POST", &path).user("ada").json(&body);
    answer.try_send().is_some_and(|it| it.status == 200)
}

/// Reads the conversation; the power may go with the first request.
fn shown(world: &HttpWorld, path: &str) -> Value {
    let request = || world.request("GET", path).user("ada");
    let answer = request().try_send().unwrap_or_else(|| request().send());
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    answer.json()
}

fn status(world: &HttpWorld, path: &str) -> String {
    let view = shown(world, path);
    view.get("status").unwrap().as_str().unwrap().to_owned()
}

#[test]
fn a_snooze_follows_the_clock_of_its_world() {
    let (world, path) = asked();
    assert!(snooze(&world, &path, 30 * DAY));
    world.advance(30 * DAY - HOUR);
    assert_eq!(status(&world, &path), "snoozed");
    world.advance(HOUR);
    let view = shown(&world, &path);
    assert_eq!(view["status"], "open");
    assert_eq!(view["snooze"], Value::Null);
}

#[test]
fn the_earliest_timer_is_first_whatever_their_order() {
    let (world, late) = asked();
    let other = world.customer("cy").says("And roses?");
    let early = format!("/inbox/v1/conversations/{}", other.conversation);
    assert!(snooze(&world, &late, 5 * HOUR));
    assert!(snooze(&world, &early, HOUR));
    world.advance(2 * HOUR);
    let statuses = [&early, &late].map(|path| status(&world, path));
    assert_eq!(statuses, ["open", "snoozed"]);
    // A new snooze takes the place of the earlier one, and its timer goes.
    assert!(snooze(&world, &late, DAY));
    world.advance(12 * HOUR);
    assert_eq!(status(&world, &late), "snoozed");
    world.advance(12 * HOUR);
    assert_eq!(status(&world, &late), "open");
}

#[test]
fn a_timer_goes_on_after_a_restart_and_a_power_cut() {
    let (world, path) = asked();
    let ends: [fn(&World); 2] = [World::restart, World::cut_power];
    for end in ends {
        assert!(snooze(&world, &path, HOUR));
        end(&world);
        assert_eq!(status(&world, &path), "snoozed");
        world.advance(HOUR);
        assert_eq!(status(&world, &path), "open");
    }
}

#[test]
fn an_undo_is_taken_for_half_a_minute() {
    let (world, path) = asked();
    let id = path.rsplit('/').next().unwrap();
    let request = |body: &Value| {
        let request = world.request("PATCH", "/inbox/v1/conversations");
        request.user("ada").json(body).send()
    };
    let close = json!({ "action": "close", "conversations": [{ "id": id }] });
    let undo = |answer: &Value| json!({ "action": "undo", "undo": answer["undo"] });
    let closed = request(&close).json();
    world.advance(Duration::from_secs(29));
    assert_eq!(request(&undo(&closed)).status, 200);
    assert_eq!(status(&world, &path), "open");
    let closed = request(&close).json();
    world.advance(Duration::from_secs(31));
    assert_eq!(request(&undo(&closed)).status, 404);
    assert_eq!(status(&world, &path), "closed");
}

/// Whatever step of snoozing the power meets: there is the conversation before it or after it, and what was answered is there.
#[test]
fn a_snooze_is_whole_at_any_power_cut() {
    for step in 1.. {
        let (world, path) = asked();
        world.cut_power_within(step);
        let is_done = snooze(&world, &path, HOUR);
        let view = shown(&world, &path);
        let is_snoozed = view["status"] == "snoozed";
        assert_eq!(view["snooze"].is_null(), !is_snoozed, "step {step}: {view}");
        assert!(is_snoozed || !is_done, "step {step}: {}", world.journal());
        world.advance(HOUR);
        assert_eq!(status(&world, &path), "open", "step {step}");
        if is_done {
            break;
        }
    }
}

/// The power goes while the service wakes the conversation: it is done after the start, and once.
#[test]
fn a_due_snooze_is_opened_at_any_power_cut() {
    for step in 1..12 {
        let (world, path) = asked();
        assert!(snooze(&world, &path, HOUR));
        world.cut_power_within(step);
        world.advance(HOUR);
        assert_eq!(status(&world, &path), "open", "step {step}");
    }
}
