//! Snapshots of worlds: a world goes back to them, and others go on from them.

use serde_json::json;

use super::started;
use super::world::{World, order};
use crate::support::receiver::Receiver;

#[tokio::test]
async fn a_world_goes_back_to_a_snapshot_more_than_once() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
    world.say("bo", "Hello?").await;
    let response = world.order("POST", "/snapshots", json!({})).await;
    let restore = format!("/snapshots/{}/restore", response["id"].as_str().unwrap());
    let mut ids = Vec::new();
    for _ in 0..3 {
        world.say("bo", "Are you there?").await;
        let reply = world.reply("ada", "bo", "Yes.").await;
        assert_eq!(world.wait("until=quiet").await["met"], true);
        assert_eq!(world.texts("bo").await.len(), 3);
        ids.push(reply["message_id"].clone());
        world
            .fault(json!({ "on": "engine", "do": "disk_full" }))
            .await;
        let restored = world.order("POST", &restore, json!({})).await;
        assert_eq!(restored["base_url"], world.made["base_url"]);
        assert_eq!(world.texts("bo").await, ["in Hello?"]);
    }
    // The same calls after the same snapshot; the first ones were made before it was used.
    assert_eq!(ids[1], ids[2]);
    let event = world.wait("until=callback.attempt&count=3").await;
    assert_eq!(event["met"], true, "the journal goes on: {event}");
}

#[tokio::test]
async fn a_fork_goes_on_by_itself() {
    let server = started().await;
    let world = World::make(&server, json!({ "name": "first", "clock": "frozen" })).await;
    world.say("bo", "Hello?").await;
    world.reply("eve", "bo", "Yes.").await;
    world
        .order("POST", "/advance", json!({ "seconds": 600 }))
        .await;
    let response = world.order("POST", "/snapshots", json!({})).await;
    let fork = World::fork(&world, response["id"].as_str().unwrap()).await;
    assert_ne!(fork.made["base_url"], world.made["base_url"]);
    for same in ["account", "scope_id", "users", "name"] {
        let now = world.order("GET", "", json!(null)).await;
        assert_eq!(fork.made[same], now[same], "{same}");
    }
    assert_eq!(fork.made["clock"]["mode"], "frozen");
    world.say("bo", "In the first.").await;
    fork.say("bo", "In the fork.").await;
    assert_eq!(world.texts("bo").await[2..], ["in In the first."]);
    assert_eq!(fork.texts("bo").await[2..], ["in In the fork."]);
    world.order("DELETE", "", json!(null)).await;
    fork.reply("eve", "bo", "Still here.").await;
    assert_eq!(fork.wait("until=callback.delivered").await["met"], true);
}

#[tokio::test]
async fn an_unknown_snapshot_is_404_and_names_the_known_ones() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let id = world.made["id"].as_str().unwrap();
    for (verb, words) in [("restore", "none yet"), ("fork", "there are: s1")] {
        let tail = format!("/worlds/{id}/snapshots/s9/{verb}");
        let answer = order(&server, "POST", &tail, json!({})).await;
        let detail = answer.is(404).json["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(words), "{detail}");
        world.order("POST", "/snapshots", json!({})).await;
    }
}
