//! Each fault, as a program outside sees it.

use serde_json::{Value, json};

use super::started;
use super::world::World;
use crate::support::client::signature;
use crate::support::receiver::Receiver;

/// What a client of the chat interface sees of each fault of answers, and whether its message is stored.
#[tokio::test]
async fn faults_of_answers_reach_the_client_once() {
    let server = started().await;
    let cases = [
        (json!({ "do": "status", "status": 503 }), Some(503), false),
        (
            json!({ "do": "rate_limited", "retry_after": 3 }),
            Some(429),
            false,
        ),
        (json!({ "do": "bad_gateway_html" }), Some(502), false),
        (json!({ "do": "lost_before_commit" }), None, false),
        (json!({ "do": "lost_after_commit" }), None, true),
        (json!({ "do": "truncated" }), None, true),
    ];
    for (mut fault, status, is_stored) in cases {
        let world = World::make(&server, json!({})).await;
        fault["on"] = json!("answers");
        fault["match"] = json!("POST /v2/");
        world.fault(fault.clone()).await;
        // What does not match is not touched.
        let account = world
            .client()
            .get_as("token of Ada", "/api/v4/account")
            .await;
        assert_eq!(account.status, 200);
        let answer = world.try_post("m-1").await;
        assert_eq!(answer.as_ref().map(|it| it.status), status, "{fault}");
        if status == Some(429) {
            assert_eq!(answer.unwrap().header("retry-after"), "3");
        }
        assert_eq!(deals(&world).await, usize::from(is_stored), "{fault}");
        // The fault is used up, and a repeat with the same id is one message.
        assert_eq!(world.post("m-1").await.status, 200, "{fault}");
        assert_eq!(deals(&world).await, 1, "{fault}");
        let left = world.order("GET", "/faults", json!(null)).await;
        assert_eq!(left, json!({ "faults": [] }));
    }
}

async fn deals(world: &World<'_>) -> usize {
    let leads = world
        .client()
        .get_as("token of Ada", "/api/v4/leads/unsorted")
        .await;
    let leads = leads.json["_embedded"]["unsorted"].as_array().map(Vec::len);
    leads.unwrap_or_default()
}

/// How often a callback arrives under each fault of callbacks, and how often the service attempts it.
#[tokio::test]
async fn faults_of_callbacks_reach_the_receiver() {
    let server = started().await;
    let cases = [
        (json!({ "do": "status", "status": 500 }), 1, 2),
        (json!({ "do": "drop" }), 1, 2),
        (json!({ "do": "answer_lost" }), 2, 2),
        (json!({ "do": "duplicate" }), 2, 1),
        (json!({ "do": "bad_signature" }), 1, 1),
        (json!({ "do": "unknown_field" }), 1, 1),
    ];
    for (mut fault, arrivals, attempts) in cases {
        let receiver = Receiver::start().await;
        let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
        fault["on"] = json!("callbacks");
        fault["match"] = json!("Red ones.");
        world.fault(fault.clone()).await;
        world.say("bo", "Have you any tulips?").await;
        world.reply("ada", "bo", "Red ones.").await;
        let met = world.wait("until=callback.delivered").await;
        assert_eq!(met["met"], true, "{fault}: {met}");
        assert_eq!(met["entries"][0]["attempt"], attempts, "{fault}: {met}");
        let requests = receiver.requests(arrivals).await;
        assert_eq!(requests.len(), arrivals, "{fault}");
        let first = &requests[0];
        let body: Value = serde_json::from_slice(&first.body).unwrap();
        let is_known = body.get("unknown_field").is_none();
        assert_eq!(is_known, fault["do"] != "unknown_field", "{body}");
        let right = signature("secret", &first.body);
        let is_right = first.header("x-signature") == Some(right.as_str());
        assert_eq!(is_right, fault["do"] != "bad_signature", "{fault}");
    }
}

/// A full disk refuses, a cut of the power loses nothing that was acknowledged, and slow writes only last.
#[tokio::test]
async fn faults_of_the_engine_lose_nothing_that_was_acknowledged() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    assert_eq!(world.post("m-1").await.status, 200);
    world
        .fault(json!({ "on": "engine", "do": "power_cut" }))
        .await;
    assert_eq!(deals(&world).await, 1);
    world
        .fault(json!({ "on": "engine", "do": "disk_full" }))
        .await;
    assert_eq!(world.post("m-2").await.status, 503);
    let ended = world.order("DELETE", "/faults", json!(null)).await;
    assert_eq!(ended, json!({ "faults": [] }));
    assert_eq!(world.post("m-2").await.status, 200);
    world
        .fault(json!({ "on": "engine", "do": "slow_sync", "seconds": 2.5 }))
        .await;
    let before = world.order("GET", "", json!(null)).await;
    assert_eq!(world.post("m-3").await.status, 200);
    let after = world.order("GET", "", json!(null)).await;
    let now = |shown: &Value| shown["clock"]["now_ms"].as_u64().unwrap();
    assert!(now(&after) >= now(&before) + 2_500, "{before} {after}");
    world.order("POST", "/restart", json!({})).await;
    let posted = world.post("m-3").await;
    assert_eq!(posted.status, 200);
}
