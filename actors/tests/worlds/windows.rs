//! Time windows in a world: they follow its clock, over a restart as well.

use serde_json::{Value, json};
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;

const HOUR: Duration = Duration::from_secs(3_600);

/// A world with a window of a day, with the path of a conversation in which the customer has just written.
fn windowed() -> (HttpWorld, String) {
    let world = HttpWorld::start();
    let mut channel = world.channel();
    channel.settings.window_hours = 24_i64.try_into().ok();
    let declared = world.run(async |system| system.declare_channel(channel).await);
    declared.unwrap();
    let question = world.customer("bo").says("Have you any tulips?");
    let path = format!("/inbox/v1/conversations/{}", question.conversation);
    (world, path)
}

fn reply(world: &HttpWorld, path: &str) -> (u16, Value) {
    let body = json!({ "type": "text", "text": "Red ones." });
    let path = format!("{path}/messages");
    let answer = world.request("POST", &path).user("ada").json(&body).send();
    (answer.status, answer.json())
}

fn closes_at(world: &HttpWorld, path: &str) -> u64 {
    let view = world.request("GET", path).user("ada").send().json();
    view["window_closes_at"].as_u64().unwrap()
}

#[test]
fn a_window_follows_the_clock_of_its_world() {
    let (world, path) = windowed();
    let end = closes_at(&world, &path);
    world.advance(23 * HOUR);
    assert_eq!(reply(&world, &path).0, 201);
    assert_eq!(closes_at(&world, &path), end, "an answer moves nothing");
    world.advance(HOUR);
    world.restart();
    let (status, refusal) = reply(&world, &path);
    assert_eq!(status, 409);
    assert_eq!(refusal["window_closed_at"], end);
    let detail = refusal["detail"].as_str().unwrap();
    assert!(
        detail.contains("the time window of this channel closed at"),
        "{detail}"
    );
    world.customer("bo").says("Hello?");
    assert!(closes_at(&world, &path) > end);
    assert_eq!(reply(&world, &path).0, 201);
}
