//! A program carries the numbers of a field and of a salesbot, which its world takes when it is made.

use serde_json::{Value, json};

use super::questions::{posts, runs};
use super::started;
use super::world::{World, order};
use crate::support::client::entries;

const FIELD: u64 = 1_038_499;

#[tokio::test]
async fn an_agent_finds_the_field_and_the_salesbot_that_it_knows() {
    let server = started().await;
    let city = json!({ "id": 600, "name": "City", "type": "select", "enums": [{ "id": 501, "value": "Rome" }] });
    let ids = json!({
        "lead_fields": [{ "id": FIELD, "name": "Answer", "type": "textarea", "code": "ANSWER" }],
        "contact_fields": [city],
        "salesbots": [{ "id": 70_001, "name": "Answer", "kind": "send_field", "field_id": FIELD }],
    });
    let world = World::make(&server, ids).await;
    world.say("bo", "When do you open?").await;
    let value = |value: Value| json!({ "custom_fields_values": [value] });
    let answer = json!({ "field_id": FIELD, "values": [{ "value": "At nine." }] });
    posts(&world, "PATCH", "/api/v4/leads/1", &value(answer))
        .await
        .is(200);
    let rome = json!({ "field_id": 600, "values": [{ "enum_id": 501 }] });
    posts(&world, "PATCH", "/api/v4/contacts/1", &value(rome))
        .await
        .is(200);
    runs(&world).await;
    let messages = world
        .order("GET", "/customers/bo/messages", Value::Null)
        .await;
    assert_eq!(messages["messages"][1]["text"], "At nine.");
    // What a program defines comes behind what was chosen.
    let fields = json!([{ "name": "Size", "type": "text" }]);
    let target = "/api/v4/leads/custom_fields";
    let answer = posts(&world, "POST", target, &fields).await.is(200);
    assert_eq!(entries(&answer.json, "custom_fields")[0]["id"], FIELD + 1);
    // Another world that goes on from here has them, too.
    world.order("POST", "/snapshots", json!({})).await;
    let fork = world.fork("s1").await;
    let bots = fork.client().get_as(&fork.token(), "/api/v4/bots").await;
    assert_eq!(entries(&bots.is(200).json, "items")[0]["id"], 70_001);
}

#[tokio::test]
async fn wrong_fields_and_salesbots_make_no_world() {
    let server = started().await;
    let body = json!({
        "lead_fields": [{ "id": 7, "name": "Day", "type": "date" }, { "id": 7, "name": "x", "type": "moon" }],
        "contact_fields": [{ "id": 2, "name": "Mail", "type": "text" }],
        "salesbots": [{ "id": 1, "name": "Answer", "kind": "send_field", "field_id": 7 }],
    });
    let answer = order(&server, "POST", "/worlds", body).await.is(400);
    let detail = answer.json["detail"].as_str().unwrap();
    for path in [
        "lead_fields.1.id: ",
        "lead_fields.1.type: ",
        "contact_fields.0.id: ",
        "salesbots.0.field_id: ",
    ] {
        assert!(detail.contains(path), "{path}: {detail}");
    }
    let worlds = order(&server, "GET", "/worlds", Value::Null).await;
    assert_eq!(worlds.json["worlds"], json!([]));
}
