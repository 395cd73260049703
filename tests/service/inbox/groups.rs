//! A conversation has at most one group, beside its responsible user: `group_id` of `PATCH …/responsible`.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::inbox::setting::{conversation, target};
use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::{Client, silent_message};
use crate::support::server::{ACCOUNT, OTHER_TOKEN, Server, TOKEN};

const ADA: u64 = 1;
const SALES: u64 = 1;

/// Another group of the account.
async fn group(client: &Client) -> u64 {
    let groups = format!("/admin/v1/accounts/{ACCOUNT}/groups");
    let body = json!({ "name": "Support" });
    let answer = client.operates("POST", &groups, &body).await;
    answer.is(201).json["id"].as_u64().unwrap()
}

async fn assigns(client: &Client, conversation: &str, body: &Value) -> Answer {
    floor::admin(client, "PATCH", &target(conversation, "/responsible"), body).await
}

async fn assigns_as(client: &Client, by: &Person, conversation: &str, body: &Value) -> Answer {
    by.sends(client, "PATCH", &target(conversation, "/responsible"), body)
        .await
}

async fn shown(client: &Client, conversation: &str) -> Value {
    client.read(&target(conversation, "")).await["group_id"].clone()
}

/// The number of conversations that a list has.
async fn listed(client: &Client, query: &str) -> usize {
    let target = format!("/inbox/v1/conversations?{query}");
    let page = client.read(&target).await;
    page["conversations"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_group_is_assigned_compared_and_outlives_a_kill() {
    let mut server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let support = group(client).await;
    assert_eq!(shown(client, &id).await, Value::Null);
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let take = json!({ "group_id": support, "replaces_group": null });
    let changed = assigns(client, &id, &take).await.is(200).json;
    assert_eq!(changed["group_id"], support);
    assert_eq!(changed["lead"]["responsible_user_id"], Value::Null);
    let event = stream.upto("group").await.pop().unwrap();
    let expected = json!({
        "conversation_id": id, "group_id": support, "reason": "by_hand", "user": { "id": ADA },
    });
    assert_eq!(event.data, expected);
    let late = json!({ "group_id": SALES, "replaces_group": null });
    let refusal = assigns(client, &id, &late).await.is(409).json;
    assert_eq!(refusal["group_id"], support);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(shown(client, &id).await, support);
    assert_eq!(listed(client, &format!("group={support}")).await, 1);
    assert_eq!(listed(client, "group=none").await, 0);
    assert_eq!(listed(client, "group=mine").await, 0);
    client.get("/inbox/v1/conversations?group=x").await.is(400);
    let move_on = json!({ "group_id": SALES, "replaces_group": support });
    assigns(client, &id, &move_on).await.is(200);
    assert_eq!(listed(client, "group=mine").await, 1);
    let give_back = json!({ "group_id": null, "replaces_group": SALES });
    assigns(client, &id, &give_back).await.is(200);
    assert_eq!(listed(client, "group=none").await, 1);
    let request = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = request.send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().iter();
    let changes: Vec<_> = entries
        .filter(|entry| entry["action"] == "conversation.update")
        .collect();
    assert_eq!(changes.len(), 3, "{log:#}");
    assert_eq!(changes[2]["object"], id.as_str());
    let differences = json!([
        { "field": "group_id", "before": null, "after": support },
        { "field": "reason", "before": null, "after": "by_hand" },
    ]);
    assert_eq!(changes[2]["changes"], differences);
}

/// Both change, or neither.
#[tokio::test]
async fn a_user_and_a_group_are_assigned_in_one_step() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let both = json!({
        "user_id": ADA, "replaces": null, "group_id": SALES, "replaces_group": null,
    });
    let changed = assigns(client, &id, &both).await.is(200).json;
    assert_eq!(changed["group_id"], SALES);
    assert_eq!(changed["lead"]["responsible_user_id"], ADA);
    let lead = client.leads().await.remove(0);
    assert_eq!(lead["responsible_user_id"], ADA);
    let late_user = json!({
        "user_id": null, "replaces": null, "group_id": null, "replaces_group": SALES,
    });
    let refusal = assigns(client, &id, &late_user).await.is(409).json;
    assert_eq!(refusal["responsible_user_id"], ADA);
    let late_group = json!({
        "user_id": null, "replaces": ADA, "group_id": null, "replaces_group": null,
    });
    let refusal = assigns(client, &id, &late_group).await.is(409).json;
    assert_eq!(refusal["group_id"], SALES);
    let present = client.read(&target(&id, "")).await;
    assert_eq!(present["group_id"], SALES);
    assert_eq!(present["lead"]["responsible_user_id"], ADA);
    let free = json!({
        "user_id": null, "replaces": ADA, "group_id": null, "replaces_group": SALES,
    });
    assigns(client, &id, &free).await.is(200);
    assert_eq!(client.leads().await.remove(0)["responsible_user_id"], 0);
    assert_eq!(shown(client, &id).await, Value::Null);
}

#[tokio::test]
async fn a_group_needs_the_right_to_edit_and_must_exist() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let take = json!({ "group_id": SALES, "replaces_group": null });
    assigns_as(client, &dora, &id, &take).await.is(404);
    let note = json!({ "text": "@dora", "mentions": [dora.id] });
    floor::admin(client, "POST", &target(&id, "/notes"), &note)
        .await
        .is(201);
    assigns_as(client, &dora, &id, &take).await.is(403);
    let responsible = target(&id, "/responsible");
    let other = client.request("PATCH", &responsible).bearer(OTHER_TOKEN);
    other.body(take.to_string()).send().await.is(404);
    let wrong = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    let unknown = json!({ "group_id": 99, "replaces_group": null });
    let refusal = assigns(client, &id, &unknown).await.is(400);
    assert_eq!(refusal.wrong(), [wrong("group_id", "NotSupportedChoice")]);
    let half = json!({ "group_id": SALES, "user_id": ADA });
    let refusal = assigns(client, &id, &half).await.is(400);
    let missing = [
        wrong("replaces", "FieldMissing"),
        wrong("replaces_group", "FieldMissing"),
    ];
    assert_eq!(refusal.wrong(), missing);
    assert_eq!(shown(client, &id).await, Value::Null);
    // A conversation without a lead can have a group, and no user.
    let silent = client.sent(&silent_message("s1", "silent")).await;
    let without_lead = silent["conversation_id"].as_str().unwrap();
    assigns(client, without_lead, &take).await.is(200);
    let user = json!({
        "user_id": ADA, "replaces": null, "group_id": null, "replaces_group": SALES,
    });
    assigns(client, without_lead, &user).await.is(409);
    assert_eq!(shown(client, without_lead).await, SALES);
}

#[tokio::test]
async fn a_deleted_group_frees_its_conversations() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let support = group(client).await;
    let take = json!({ "group_id": support, "replaces_group": null });
    assigns(client, &id, &take).await.is(200);
    let of_group = format!("/admin/v1/accounts/{ACCOUNT}/groups/{support}");
    let request = client.operate("DELETE", &of_group);
    request.send().await.is(204);
    assert_eq!(shown(client, &id).await, Value::Null);
    assert_eq!(listed(client, "group=none").await, 1);
    assert_eq!(listed(client, &format!("group={support}")).await, 0);
    let stale = json!({ "group_id": SALES, "replaces_group": support });
    let refusal = assigns(client, &id, &stale).await.is(409).json;
    assert_eq!(refusal["group_id"], Value::Null);
    let fresh = json!({ "group_id": SALES, "replaces_group": null });
    assigns(client, &id, &fresh).await.is(200);
}

#[tokio::test]
async fn several_get_a_group_and_the_undo_takes_it_back() {
    let server = Server::start().await;
    let client = server.client();
    let ids = floor::conversations(client, 3).await;
    let first = json!({ "group_id": SALES, "replaces_group": null });
    assigns(client, &ids[2], &first).await.is(200);
    let support = group(client).await;
    let chosen: Vec<_> = ids
        .iter()
        .map(|id| json!({ "id": id, "replaces_group": null }))
        .collect();
    let body = json!({ "action": "assign", "group_id": support, "conversations": chosen });
    let conversations = "/inbox/v1/conversations";
    let response = floor::admin(client, "PATCH", conversations, &body).await;
    let answer = response.is(200).json;
    let statuses: Vec<_> = answer["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["status"].as_u64().unwrap())
        .collect();
    assert_eq!(statuses, [200, 200, 409]);
    assert_eq!(shown(client, &ids[0]).await, support);
    let undo = json!({ "action": "undo", "undo": answer["undo"] });
    floor::admin(client, "PATCH", conversations, &undo)
        .await
        .is(200);
    assert_eq!(shown(client, &ids[0]).await, Value::Null);
    assert_eq!(shown(client, &ids[2]).await, SALES);
    let unknown = json!({ "action": "assign", "group_id": 99, "conversations": chosen });
    floor::admin(client, "PATCH", conversations, &unknown)
        .await
        .is(400);
}
