//! Time passes when a test says so, and then without waiting.

use std::time::Instant;

use serde_json::json;
use switchboard_worlds::http_world::HttpWorld;
use switchboard_worlds::prelude::*;

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(86_400);

/// A world in which a reply meets a receiver that always fails.
fn failing() -> (World, Said) {
    let world = World::start();
    world.receiver().answer_always(Behaviour::status(500));
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    (world, message)
}

#[test]
fn advancing_the_clock_fires_every_timer_on_the_way() {
    let (in_one_step, _) = failing();
    in_one_step.advance(15 * MINUTE);
    let (in_many_steps, _) = failing();
    for _ in 0..15 {
        in_many_steps.advance(MINUTE);
    }
    let times = |world: &World| -> Vec<u64> {
        let attempts = world.receiver().attempts();
        attempts.iter().map(|attempt| attempt.at.secs()).collect()
    };
    assert!(times(&in_one_step).len() > 8, "{}", in_one_step.journal());
    assert_eq!(times(&in_one_step), times(&in_many_steps));
}

#[test]
fn a_clock_that_is_not_moved_stands() {
    let (world, said) = failing();
    let before = world.now();
    for _ in 0..100 {
        let elapsed = world.now().since(before);
        assert_eq!(elapsed, Duration::ZERO);
    }
    assert_eq!(world.receiver().attempts().len(), 1);
    world.advance(MINUTE);
    // The last millisecond is for the actors to come to rest.
    let exactly = MINUTE + Duration::from_millis(1);
    assert_eq!(world.now().since(before), exactly);
    world.wait(Until::attempts(said.message, 2));
}

/// A receiver that fails for a day gets the reply when it is well, and the test does not wait for it.
#[test]
fn a_schedule_of_retries_of_a_day_is_tested_at_once() {
    let start = Instant::now();
    let (world, said) = failing();
    world.advance(DAY);
    let attempts = world.receiver().attempts().len();
    world.receiver().answer_always(Behaviour::status(200));
    world.wait(Until::delivered(said.message));
    println!(
        "{attempts} attempts in a day, in {:?} of real time",
        start.elapsed()
    );
    assert!(attempts > 100, "{attempts}");
    assert_eq!(world.callbacks().last().unwrap().message, said.message);
    assert!(world.is_quiet());
}

#[test]
fn waiting_takes_no_more_time_than_needed() {
    let (world, said) = failing();
    let start = world.now();
    world.wait(Until::attempts(said.message, 3));
    let third = world.receiver().attempts()[2].at;
    assert_eq!(world.receiver().attempts().len(), 3);
    assert!(third > start && world.now().since(third) < Duration::from_millis(5));
}

#[test]
fn a_test_waits_for_anything_that_the_clock_brings_about() {
    let world = World::start();
    world.customer("bo").says("Have you any tulips?");
    // Those of channels and accounts stay, the others leave memory when they were not used for five minutes.
    let few = |world: &World| world.metrics().actors == 2;
    assert!(!few(&world));
    let before = world.now();
    world.wait(Until::holds("the owners have left memory", few));
    let elapsed = world.now().since(before);
    assert!(elapsed > 4 * MINUTE && elapsed < 6 * MINUTE, "{elapsed:?}");
    assert_eq!(world.texts("bo"), ["Have you any tulips?"]);
}

#[test]
fn a_reply_that_is_refused_finally_is_given_up() {
    let world = World::start();
    world.receiver().answer_always(Behaviour::no_retry(400));
    world.customer("bo").says("Have you any tulips?");
    let message = world.user("ada").replies("Red ones.");
    world.wait(Until::given_up(message.message));
    assert_eq!(world.receiver().attempts().len(), 1);
}

/// Half a minute until one decision and a minute and a half until the other are a minute on average.
#[test]
fn the_summary_has_the_average_time_until_decisions() {
    let world = HttpWorld::start();
    for name in ["bo", "cy"] {
        world.customer(name).says("Have you any tulips?");
    }
    let decide = |method: &str, decision: &str| {
        let path = format!("/api/v4/leads/unsorted/{decision}");
        let request = world.request(method, &path).user("ada");
        let answer = request.json(&json!({})).send();
        assert_eq!(answer.status, 200, "{:?}", answer.body);
    };
    world.advance(MINUTE / 2);
    decide("POST", "1/accept");
    world.advance(MINUTE);
    decide("DELETE", "2/decline");
    let request = world.request("GET", "/api/v4/leads/unsorted/summary");
    let summary = request.user("ada").send().json();
    let numbers = ["accepted", "declined", "average_sort_time"].map(|name| summary[name].clone());
    assert_eq!(numbers, [json!(1), json!(1), json!(60)], "{summary}");
}
