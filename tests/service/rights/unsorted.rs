//! `GET /api/v4/leads/unsorted`, accept and decline.

use serde_json::json;

use super::floor;
use crate::support::client::message;
use crate::support::server::Server;

const UNSORTED: &str = "/api/v4/leads/unsorted";

#[tokio::test]
async fn an_unsorted_record_shows_its_message_and_source() {
    let server = Server::start().await;
    let client = server.client();
    let conversations = floor::conversations(client, 2).await;
    let list = client.read(UNSORTED).await;
    let records = list["_embedded"]["unsorted"].as_array().unwrap();
    assert_eq!(records.len(), 2, "the newest first");
    let record = &records[0];
    assert_eq!(record["uid"], "2");
    assert_eq!(record["category"], "chats");
    assert_eq!(record["pipeline_id"], 1);
    assert_eq!(record["metadata"]["from"], "Grace");
    assert_eq!(record["metadata"]["to"], record["source_uid"]);
    assert_eq!(record["metadata"]["client"]["name"], "Grace");
    assert_eq!(record["source_name"], "First messenger");
    assert_eq!(record["metadata"]["source_name"], "First messenger");
    assert_eq!(record["metadata"]["last_message_text"], "text of m");
    assert_eq!(record["metadata"]["last_message_type"], "text");
    assert_eq!(
        record["metadata"]["origin"]["chat_id"],
        conversations[1].as_str()
    );
    assert_eq!(record["metadata"]["origin"]["ref"], "c2");
    assert_eq!(record["_embedded"]["leads"][0]["id"], 2);
}

/// The words beside a waiting customer are the customer's, also after an answer.
#[tokio::test]
async fn an_answer_does_not_stand_for_the_words_of_the_customer() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = floor::conversations(client, 1).await.remove(0);
    client.replied(&conversation, "our answer").await;
    let list = client.read(UNSORTED).await;
    let record = &list["_embedded"]["unsorted"][0];
    assert_eq!(record["metadata"]["last_message_text"], "text of m");
    client.sent(&message("m2", "c1")).await;
    let list = client.read(UNSORTED).await;
    let record = &list["_embedded"]["unsorted"][0];
    assert_eq!(record["metadata"]["last_message_text"], "text of m2");
}

#[tokio::test]
async fn accepting_makes_the_user_responsible_for_lead_and_contact() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let mut rights = floor::rights("M");
    rights["status_rights"] = json!([floor::stage(1, "A")]);
    let mia = floor::add(client, "Mia", &rights).await;
    let target = format!("{UNSORTED}/1/accept");
    let response = mia.asks(client, "POST", &target).send().await.is(200).json;
    assert_eq!(response["uid"], "1");
    assert_eq!(response["_embedded"]["leads"][0]["id"], 1);
    let lead = mia.reads(client, "/api/v4/leads/1").await.is(200).json;
    assert_eq!(
        (&lead["status_id"], &lead["responsible_user_id"]),
        (&json!(2), &json!(mia.id))
    );
    let contact = mia.reads(client, "/api/v4/contacts/1").await.is(200).json;
    assert_eq!(contact["responsible_user_id"], mia.id);
    // Once.
    let again = mia.asks(client, "POST", &target).send().await.is(409);
    assert!(again.json["detail"].as_str().unwrap().contains("unsorted"));
    let decline = format!("{UNSORTED}/1/decline");
    mia.asks(client, "DELETE", &decline).send().await.is(409);
    client.get(UNSORTED).await.is(204);
}

#[tokio::test]
async fn a_record_is_accepted_into_a_stage_for_another_user() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let target = format!("{UNSORTED}/1/accept");
    let wrong = json!({ "user_id": 99, "status_id": 1 });
    let refusal = floor::admin(client, "POST", &target, &wrong).await.is(400);
    let paths: Vec<String> = refusal.wrong().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["status_id", "user_id"]);
    let body = json!({ "user_id": mia.id, "status_id": 4 });
    floor::admin(client, "POST", &target, &body).await.is(200);
    let lead = mia.reads(client, "/api/v4/leads/1").await.is(200).json;
    assert_eq!(lead["status_id"], 4);
}

#[tokio::test]
async fn a_declined_record_is_lost_and_the_next_message_opens_another() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let target = format!("{UNSORTED}/1/decline");
    // A body is neither needed nor a fault.
    floor::admin(client, "DELETE", &target, &json!({ "user_id": 1 }))
        .await
        .is(200);
    assert_eq!(client.leads().await[0]["status_id"], 143);
    client.sent(&message("m2", "c1")).await;
    let list = client.read(UNSORTED).await;
    assert_eq!(list["_embedded"]["unsorted"][0]["uid"], "2");
    let again = floor::admin(client, "DELETE", &target, &json!({})).await;
    again.is(409);
}
