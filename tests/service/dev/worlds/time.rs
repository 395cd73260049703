//! The time of worlds: it costs none.

use std::time::{Duration, Instant};

use serde_json::json;

use super::started;
use super::world::World;
use crate::support::PATIENCE;
use crate::support::receiver::Receiver;

/// The receiver is down for ten hours; the test is not.
#[tokio::test]
async fn ten_hours_of_retries_take_moments() {
    let (server, receiver) = (started().await, Receiver::answering(503).await);
    let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
    world.say("bo", "Hello?").await;
    world.reply("ada", "bo", "Yes.").await;
    let began = Instant::now();
    world
        .order("POST", "/advance", json!({ "seconds": 36_000 }))
        .await;
    let attempts = world.wait("until=callback.attempt&count=5").await;
    assert_eq!(attempts["met"], true, "{attempts}");
    assert!(
        attempts["entries"].as_array().unwrap().len() >= 5,
        "{attempts}"
    );
    let near = world.wait("until=callback.delivered&timeout=60").await;
    assert_eq!(near["met"], false);
    let words = near["near"].to_string();
    assert!(
        words.contains("answered 503") && words.contains("attempts so far"),
        "{words}"
    );
    assert!(near["why"].as_str().unwrap().contains("60 s"), "{near}");
    assert!(began.elapsed() < PATIENCE, "ten hours are not waited for");
}

#[tokio::test]
async fn a_callback_that_is_given_up_is_waited_for() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world
        .fault(json!({ "on": "callbacks", "do": "status", "status": 422, "times": 1_000 }))
        .await;
    world.say("bo", "Hello?").await;
    let reply = world.reply("ada", "bo", "Yes.").await;
    let message = reply["message_id"].as_str().unwrap();
    let given_up = world
        .wait(&format!("until=callback.failed&message={message}"))
        .await;
    assert_eq!(given_up["met"], true, "{given_up}");
}

#[tokio::test]
async fn a_frozen_clock_moves_by_advance_only() {
    let (server, receiver) = (started().await, Receiver::answering(500).await);
    let body = json!({ "clock": "frozen", "webhook": receiver.webhook("v2") });
    let world = World::make(&server, body).await;
    world.say("bo", "Hello?").await;
    world.reply("ada", "bo", "Yes.").await;
    receiver.requests(1).await;
    let unmet = world.wait("until=callback.attempt&count=2").await;
    assert_eq!(unmet["met"], false, "{unmet}");
    assert!(unmet["why"].as_str().unwrap().contains("frozen"), "{unmet}");
    world
        .order("POST", "/advance", json!({ "seconds": 3_600 }))
        .await;
    let event = world.wait("until=callback.attempt&count=2").await;
    assert_eq!(event["met"], true, "{event}");
}

#[tokio::test]
async fn a_real_clock_moves_by_itself() {
    let server = started().await;
    let world = World::make(&server, json!({ "clock": "real" })).await;
    let now = async || {
        let response = world.order("GET", "", json!(null)).await;
        response["clock"]["now_ms"].as_u64().unwrap()
    };
    let (began, first) = (Instant::now(), now().await);
    crate::support::eventually("a second passes in the world", async || {
        (now().await >= first + 1_000).then_some(())
    })
    .await;
    assert!(began.elapsed() >= Duration::from_millis(900));
}

/// Waiting for what cannot come any more ends at once.
#[tokio::test]
async fn a_wait_that_cannot_be_met_says_so_at_once() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world.say("bo", "Hello?").await;
    let unmet = world.wait("until=callback.delivered").await;
    assert_eq!(unmet["met"], false);
    assert!(
        unmet["why"]
            .as_str()
            .unwrap()
            .contains("no callback, hook or question is left"),
        "{unmet}"
    );
    assert_eq!(world.wait("until=quiet").await["met"], true);
}

#[tokio::test]
async fn what_was_seen_is_not_counted_again() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    assert_eq!(world.post("m-1").await.status, 200);
    let event = world.wait("until=request.seen&match=POST%20/v2").await;
    assert_eq!(
        (&event["met"], event["entries"].as_array().unwrap().len()),
        (&json!(true), 1)
    );
    let later = format!("until=request.seen&after={}&timeout=0.2", event["cursor"]);
    let unmet = world.wait(&later).await;
    assert_eq!(unmet["met"], false, "{unmet}");
}
