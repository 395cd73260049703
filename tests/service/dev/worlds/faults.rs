//! Each fault, as a program outside sees it.

use std::time::Instant;

use serde_json::{Value, json};

use super::started;
use super::world::World;
use crate::support::client::signature;
use crate::support::receiver::Receiver;

/// Each fault of answers reaches a client of the chat interface once; the fault decides if its message is stored.
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
        (json!({ "do": "token_expired" }), Some(401), false),
        (json!({ "do": "account_unpaid" }), Some(402), false),
        (json!({ "do": "over_chat_limit" }), Some(402), false),
        (json!({ "do": "bad_gateway_html" }), Some(502), false),
        (json!({ "do": "ip_blocked_html" }), Some(403), false),
        (json!({ "do": "slow", "seconds": 0.2 }), Some(200), true),
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
            .get_as(&world.token(), "/api/v4/account")
            .await;
        assert_eq!(account.status, 200);
        let start = Instant::now();
        let answer = world.try_post("m-1").await;
        let late = fault["seconds"].as_f64().unwrap_or_default();
        assert!(start.elapsed().as_secs_f64() >= late, "{fault}");
        assert_eq!(answer.as_ref().map(|it| it.status), status, "{fault}");
        if status == Some(429) {
            assert_eq!(answer.unwrap().header("retry-after"), "3");
        }
        assert_eq!(leads(&world).await, usize::from(is_stored), "{fault}");
        // The fault is used up, and a repeat with the same id is one message.
        assert_eq!(world.post("m-1").await.status, 200, "{fault}");
        assert_eq!(leads(&world).await, 1, "{fault}");
        let response = world.order("GET", "/faults", json!(null)).await;
        assert_eq!(response, json!({ "faults": [] }));
    }
}

/// `Date` counts by the clock that is ordered, and an answer has the time by which the next request is right.
#[tokio::test]
async fn the_clock_of_the_service_can_be_wrong() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    for (fault, seconds, hint) in [
        ("clock_ahead", 840, None),
        ("clock_ahead", 1_260, Some("Date is 21 minutes behind")),
        ("clock_behind", 1_260, Some("Date is 21 minutes ahead")),
    ] {
        let order = json!({ "on": "answers", "do": fault, "seconds": seconds, "times": 2 });
        world.fault(order).await;
        let answer = world.post_today(&format!("{fault}-{seconds}"), 0).await;
        let text = answer.json["hint"].as_str();
        let is_refused = hint.is_some();
        assert_eq!(answer.status, if is_refused { 403 } else { 200 });
        assert!(text.unwrap_or_default().contains(hint.unwrap_or_default()));
        let date = answer.header("date").to_owned();
        assert_eq!(world.post_dated("corrected", &date).await.status, 200);
    }
    // Each fault is used up: the clocks of the world and of the machine count again.
    assert_eq!(world.post_today("right", 0).await.status, 200);
}

/// The address of posts begins that of delivery reports.
#[tokio::test]
async fn a_fault_can_strike_one_address_alone() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world.say("bo", "Have you any tulips?").await;
    let reply = world.reply("ada", "bo", "Red ones.").await;
    let target = format!("POST {}$", world.chat());
    let fault = json!({ "on": "answers", "do": "status", "status": 503, "match": target });
    world.fault(fault).await;
    world.report(reply["message_id"].as_str().unwrap(), 1).await;
    assert_eq!(world.post("m-1").await.status, 503);
    assert_eq!(world.post("m-1").await.status, 200);
}

async fn leads(world: &World<'_>) -> usize {
    let leads = world
        .client()
        .get_as(&world.token(), "/api/v4/leads/unsorted")
        .await
        .json["_embedded"]["unsorted"]
        .as_array()
        .map(Vec::len);
    leads.unwrap_or_default()
}

/// Each fault of callbacks has its number of arrivals, and of attempts by the service.
#[tokio::test]
async fn faults_of_callbacks_reach_the_receiver() {
    let server = started().await;
    let cases = [
        (json!({ "do": "status", "status": 500 }), 1, 2),
        (json!({ "do": "drop" }), 1, 2),
        (json!({ "do": "answer_lost" }), 2, 2),
        (json!({ "do": "duplicate" }), 2, 1),
        (json!({ "do": "twice_at_once" }), 2, 1),
        (json!({ "do": "delay", "seconds": 900 }), 1, 1),
        (json!({ "do": "bad_signature" }), 1, 1),
        (json!({ "do": "old_secret" }), 1, 1),
        (json!({ "do": "other_scope" }), 1, 1),
        (json!({ "do": "unknown_field" }), 1, 1),
        (json!({ "do": "unknown_type" }), 1, 1),
        (json!({ "do": "huge" }), 1, 1),
    ];
    for (mut fault, arrivals, attempts) in cases {
        let receiver = Receiver::start().await;
        let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
        fault["on"] = json!("callbacks");
        fault["match"] = json!("Red ones.");
        world.fault(fault.clone()).await;
        world.say("bo", "Have you any tulips?").await;
        world.reply("ada", "bo", "Red ones.").await;
        let event = world.wait("until=callback.delivered").await;
        assert_eq!(event["met"], true, "{fault}: {event}");
        assert_eq!(event["entries"][0]["attempt"], attempts, "{fault}: {event}");
        let requests = receiver.requests(arrivals).await;
        assert_eq!(requests.len(), arrivals, "{fault}");
        let first = &requests[0];
        let body: Value = serde_json::from_slice(&first.body).unwrap();
        let does = |what: &str| fault["do"] == what;
        let content = &body["message"]["message"];
        assert_eq!(
            body.get("unknown_field").is_some(),
            does("unknown_field"),
            "{body}"
        );
        assert_eq!(content["type"] != "text", does("unknown_type"), "{body}");
        let is_huge = content["text"].as_str().unwrap().len() > 1_000_000;
        assert_eq!(is_huge, does("huge"), "{fault}");
        let is_of_another = body["account_id"] != world.made["account"]["id"];
        assert_eq!(is_of_another, does("other_scope"), "{body}");
        let secret = world.made["channel"]["secret"].as_str().unwrap();
        let right = signature(secret, &first.body);
        let is_right = first.header("x-signature") == Some(right.as_str());
        let is_to_be_wrong = does("bad_signature") || does("old_secret");
        assert_eq!(is_right, !is_to_be_wrong, "{fault}");
    }
}

/// The time of the world passes while a callback is late, and no time of the machine.
#[tokio::test]
async fn a_late_callback_costs_no_time() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let late = json!({ "on": "callbacks", "do": "delay", "seconds": 900 });
    world.fault(late).await;
    world.say("bo", "Have you any tulips?").await;
    world.reply("ada", "bo", "Red ones.").await;
    let event = world.wait("until=callback.delivered").await;
    assert_eq!(event["met"], true, "{event}");
    let response = world.order("GET", "", json!(null)).await;
    let now = |shown: &Value| shown["clock"]["now_ms"].as_u64().unwrap();
    assert!(now(&response) >= now(&world.made) + 900_000, "{response}");
}

/// Two replies arrive in the other order; one alone waits for another, and the wait says so.
#[tokio::test]
async fn a_callback_arrives_behind_the_next_one() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
    world.say("bo", "Have you any tulips?").await;
    world
        .fault(json!({ "on": "callbacks", "do": "reorder" }))
        .await;
    world.reply("ada", "bo", "Red ones.").await;
    let event = world.wait("until=quiet").await;
    assert_eq!(event["met"], false, "{event}");
    assert!(
        event["why"].as_str().unwrap().contains("reorder"),
        "{event}"
    );
    world.reply("ada", "bo", "And yellow ones.").await;
    assert_eq!(world.wait("until=quiet").await["met"], true);
    let texts: Vec<Value> = receiver
        .requests(2)
        .await
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap())
        .map(|body: Value| body["message"]["message"]["text"].clone())
        .collect();
    assert_eq!(texts, ["And yellow ones.", "Red ones."]);
}

/// Faults of media strike files, and nothing else.
#[tokio::test]
async fn faults_of_media_strike_files_only() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    for (fault, status) in [
        (json!({ "on": "media", "do": "status", "status": 403 }), 403),
        (json!({ "on": "media", "do": "wrong_type" }), 404),
    ] {
        world.fault(fault.clone()).await;
        let account = world
            .client()
            .get_as(&world.token(), "/api/v4/account")
            .await;
        assert_eq!(account.status, 200);
        let file = "/media/00000000-0000-4000-8000-000000000000/a.png";
        let client = server.client().undescribed_at(world.url());
        let file = client.request("GET", file).send().await;
        assert_eq!(file.status, status, "{fault}");
        let is_page = file.header("content-type").starts_with("text/html");
        assert_eq!(is_page, fault["do"] == "wrong_type", "{file:?}");
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
    assert_eq!(leads(&world).await, 1);
    world
        .fault(json!({ "on": "engine", "do": "disk_full" }))
        .await;
    assert_eq!(world.post("m-2").await.status, 503);
    let response = world.order("DELETE", "/faults", json!(null)).await;
    assert_eq!(response, json!({ "faults": [] }));
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
    let answer = world.post("m-3").await;
    assert_eq!(answer.status, 200);
}
