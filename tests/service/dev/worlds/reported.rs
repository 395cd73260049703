//! Waits for what the tested program brings about: reports of deliveries, and leads that it moves.

use serde_json::{Value, json};

use super::started;
use super::world::World;

/// A report that a message was read counts as one that it was delivered, and not the other way round.
#[tokio::test]
async fn reports_of_deliveries_are_waited_for() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world.say("bo", "Have you any tulips?").await;
    let reply = world.reply("ada", "bo", "Red ones.").await;
    let id = reply["message_id"].as_str().unwrap();
    let nothing = world.wait("until=delivery>=delivered&timeout=1").await;
    assert_eq!(nothing["met"], false, "{nothing}");
    world.report(id, 1).await;
    let wait = format!("until=delivery>=delivered&message={id}");
    assert_eq!(world.wait(&wait).await["met"], true);
    let unread = world.wait("until=delivery>=read&timeout=1").await;
    assert_eq!(unread["met"], false, "{unread}");
    // It is waited for while the program reports.
    let (read, ()) = tokio::join!(world.wait("until=delivery>=read"), world.report(id, 2));
    assert_eq!(read["met"], true, "{read}");
    let event = world.wait("until=delivery>=delivered").await;
    assert_eq!(event["met"], true, "{event}");
}

#[tokio::test]
async fn a_lead_that_is_moved_is_waited_for() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world.say("bo", "Have you any tulips?").await;
    let client = world.client();
    let unsorted = client
        .get_as(&world.token(), "/api/v4/leads/unsorted")
        .await;
    let uid = unsorted.json["_embedded"]["unsorted"][0]["uid"].clone();
    let target = format!("/api/v4/leads/unsorted/{}/accept", uid.as_str().unwrap());
    let accept = client.request("POST", &target).bearer(&world.token());
    let request = accept.header("Content-Type", "application/json").body("{}");
    assert_eq!(request.send().await.status, 200);
    let leads = client.get_as(&world.token(), "/api/v4/leads").await.is(200);
    let stage: &Value = &leads.json["_embedded"]["leads"][0]["status_id"];
    let here = world.wait(&format!("until=lead.stage&stage={stage}")).await;
    assert_eq!(here["met"], true, "{here}");
    let event = world.wait("until=lead.stage&stage=143&timeout=1").await;
    assert_eq!(event["met"], false, "{event}");
    for wrong in ["until=lead.stage", "until=quiet&stage=1"] {
        let answer = world
            .try_order("GET", &format!("/wait?{wrong}"), json!(null))
            .await;
        let detail = answer.is(400).json["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("lead.stage needs stage"), "{detail}");
    }
}
