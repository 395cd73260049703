//! `GET /api/v4/talks/{id}`: what is said about one lead.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message, silent_message};
use crate::support::server::{CHANNEL, Server};

#[tokio::test]
async fn a_talk_names_its_chat_its_contact_and_its_lead() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    let talk = client.get("/api/v4/talks/2").await.is(200);
    assert_eq!(talk.header("content-type"), "application/hal+json");
    let talk = talk.json;
    for (key, value) in [
        ("talk_id", json!(2)),
        ("contact_id", json!(2)),
        ("chat_id", json!(chats[1])),
        ("entity_id", json!(2)),
        ("entity_type", json!("lead")),
        ("is_in_work", json!(true)),
        ("is_read", json!(false)),
        ("origin", json!(CHANNEL)),
        ("rate", json!(0)),
        ("missed_at", json!(null)),
        ("source_id", json!(null)),
        ("status", json!("in_work")),
        ("account_id", json!(1)),
    ] {
        assert_eq!(talk[key], value, "{key}");
    }
    for kind in ["contacts", "leads"] {
        let href = format!("{}/api/v4/{kind}/2", server.url());
        assert_eq!(talk["_embedded"][kind][0]["_links"]["self"]["href"], href);
    }
}

#[tokio::test]
async fn a_talk_ends_with_its_lead_and_the_next_message_opens_another() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    floor::place(client, 1, 142, None).await;
    client.sent(&message("m2", "c1")).await;
    let response = client.read("/api/v4/talks/1").await;
    assert_eq!(
        (&response["is_in_work"], &response["is_read"]),
        (&json!(false), &json!(true))
    );
    let going_on = client.read("/api/v4/talks/2").await;
    assert_eq!(going_on["chat_id"], chats[0]);
    assert_eq!(
        (&going_on["is_in_work"], &going_on["is_read"]),
        (&json!(true), &json!(false))
    );
    let read = format!("/inbox/v1/conversations/{}/read", chats[0]);
    floor::admin(client, "POST", &read, &json!({}))
        .await
        .is(204);
    assert_eq!(client.read("/api/v4/talks/2").await["is_read"], true);
}

#[tokio::test]
async fn an_unknown_talk_and_a_hidden_one_get_the_same_404() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let refusal = dee.reads(client, "/api/v4/talks/1").await.is(404);
    for never in ["x", "-1"] {
        let target = format!("/api/v4/talks/{never}");
        let nothing = dee.reads(client, &target).await.is(404);
        assert_eq!(
            nothing.json["detail"],
            format!("there is nothing at GET {target}")
        );
    }
    for never in ["0", "2", "18446744073709551616"] {
        let unknown = dee.reads(client, &format!("/api/v4/talks/{never}")).await;
        assert_eq!(unknown.is(404).body, refusal.body, "{never}");
    }
}

async fn close(client: &Client, talk: u64) -> Answer {
    let target = format!("/api/v4/talks/{talk}/close");
    let body = json!({ "force_close": true });
    floor::admin(client, "POST", &target, &body).await
}

async fn in_work(client: &Client, talk: u64) -> Value {
    client.read(&format!("/api/v4/talks/{talk}")).await["is_in_work"].clone()
}

#[tokio::test]
async fn a_closed_talk_keeps_its_lead_and_goes_on_with_a_message() {
    let mut server = Server::start().await;
    let chats = floor::conversations(server.client(), 1).await;
    let answer = close(server.client(), 1).await.is(202);
    assert_eq!(answer.body, "");
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(in_work(client, 1).await, false);
    assert_eq!(client.read("/api/v4/leads/1").await["status_id"], 1);
    let refusal = close(client, 1).await.is(422);
    assert_eq!(refusal.json["detail"], "Talk is closed");
    let closed = client.read("/api/v4/talks/1").await;
    assert_eq!(closed["status"], "closed");
    client.sent(&silent_message("m2", "c1")).await;
    assert_eq!(in_work(client, 1).await, false, "an import is no news");
    client.sent(&message("m3", "c1")).await;
    assert_eq!(in_work(client, 1).await, true);
    assert_eq!(client.leads().await.len(), 1, "the lead is still active");
    close(client, 1).await.is(202);
    assert_eq!(in_work(client, 1).await, false);
    client.replied(&chats[0], "Anything else?").await;
    assert_eq!(
        in_work(client, 1).await,
        true,
        "an answer takes it up again"
    );
}

#[tokio::test]
async fn a_talk_that_ended_stays_ended() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    close(client, 1).await.is(202);
    floor::place(client, 1, 142, None).await;
    client.sent(&message("m2", "c1")).await;
    assert_eq!(
        (in_work(client, 1).await, in_work(client, 2).await),
        (json!(false), json!(true))
    );
    close(client, 1).await.is(422);
    assert_eq!(in_work(client, 2).await, true);
}

#[tokio::test]
async fn talks_come_newest_first_and_are_filtered() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 3).await;
    close(client, 2).await.is(202);
    floor::place(client, 3, 142, None).await;
    for (query, expected) in [
        ("", vec![3, 2, 1]),
        ("limit=2", vec![3, 2]),
        ("limit=2&page=2", vec![1]),
        ("order[id]=asc", vec![1, 2, 3]),
        ("filter[contact_id][]=1&filter[contact_id][]=3", vec![3, 1]),
        ("filter[entity_id]=2", vec![2]),
        ("filter[entity_id]=2&filter[entity_type]=lead", vec![2]),
        ("filter[entity_type]=leads", vec![3, 2, 1]),
        ("filter[only_in_work]=1", vec![1]),
        ("filter[only_in_work]=true", vec![1]),
        ("filter[only_in_work]=false", vec![3, 2, 1]),
    ] {
        let page = client.read(&format!("/api/v4/talks?{query}")).await;
        let talks = crate::support::client::entries(&page, "talks");
        let ids: Vec<u64> = talks
            .iter()
            .map(|it| it["talk_id"].as_u64().unwrap())
            .collect();
        assert_eq!(ids, expected, "{query}");
    }
    for empty in [
        "filter[entity_type]=contact",
        "filter[entity_id]=9",
        "filter[entity_id]=2&filter[id]=1",
        "filter[contact_id]=9",
        "filter[entity_id]=2&filter[only_in_work]=1",
    ] {
        let answer = client.get(&format!("/api/v4/talks?{empty}")).await;
        assert_eq!(answer.is(204).body, "", "{empty}");
    }
    for wrong in [
        "filter[entity_type]=talk",
        "filter[only_in_work]=2",
        "filter[entity_id]=x",
        "filter[status]=closed",
    ] {
        client.get(&format!("/api/v4/talks?{wrong}")).await.is(400);
    }
}

#[tokio::test]
async fn closing_a_talk_checks_rights_number_and_body() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    floor::place(client, 1, 2, None).await;
    let mut rights = floor::rights("A");
    for right in ["edit", "delete"] {
        rights["leads"][right] = json!("D");
    }
    let eve = floor::add(client, "Eve", &rights).await;
    let target = "/api/v4/talks/1/close";
    eve.asks(client, "POST", target).send().await.is(403);
    for never in ["0", "9", "x"] {
        let target = format!("/api/v4/talks/{never}/close");
        floor::admin(client, "POST", &target, &json!({}))
            .await
            .is(404);
    }
    for wrong in [json!({ "force_close": 1 }), json!([1])] {
        floor::admin(client, "POST", target, &wrong).await.is(400);
    }
    assert_eq!(in_work(client, 1).await, true);
}
