//! `assign_first_answer` of a channel: a lead without a responsible user is assigned to the user who answers first.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::inbox::setting::conversation;
use crate::rights::floor;
use crate::support::client::Client;
use crate::support::server::{CHANNEL, Server, TOKEN};

const ADA: u64 = 1;

async fn switch(client: &Client, is_on: bool) {
    let target = format!("/admin/v1/channels/{CHANNEL}");
    let body = json!({ "assign_first_answer": is_on });
    client.operates("PATCH", &target, &body).await.is(200);
}

fn messages(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/messages")
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

async fn responsible(client: &Client) -> Value {
    client.leads().await.remove(0)["responsible_user_id"].clone()
}

/// The reasons that the audit log has for changes of the lead, newest first.
async fn reasons(client: &Client) -> Vec<String> {
    let request = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = request.send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().iter();
    let changes = entries.filter(|entry| entry["action"] == "lead.update");
    changes
        .flat_map(|entry| entry["changes"].as_array().unwrap().clone())
        .filter(|change| change["field"] == "reason")
        .map(|change| change["after"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn the_first_answer_assigns_and_outlives_a_kill() {
    let mut server = Server::start().await;
    let client = server.client();
    switch(client, true).await;
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let sent = boris
        .sends(client, "POST", &messages(&id), &text("Hello"))
        .await;
    sent.is(201);
    let event = stream.upto("lead").await.pop().unwrap();
    assert_eq!(event.data["lead"]["responsible_user_id"], boris.id);
    assert_eq!(event.data["reason"], "first_answer");
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(responsible(client).await, boris.id);
    let page = boris
        .reads(client, "/inbox/v1/conversations?responsible=me")
        .await;
    assert_eq!(page.is(200).json["conversations"][0]["id"], id.as_str());
    assert_eq!(reasons(client).await, ["first_answer"]);
    // Who answers next is a helper.
    floor::admin(client, "POST", &messages(&id), &text("Hello, too"))
        .await
        .is(201);
    assert_eq!(responsible(client).await, boris.id);
    let by_hand = json!({ "user_id": ADA, "replaces": boris.id });
    let target = format!("/inbox/v1/conversations/{id}/responsible");
    let mut stream = Stream::open(&server, TOKEN, None).await;
    floor::admin(client, "PATCH", &target, &by_hand)
        .await
        .is(200);
    let event = stream.upto("lead").await.pop().unwrap();
    assert_eq!(event.data["reason"], "by_hand");
    assert_eq!(reasons(client).await, ["by_hand", "first_answer"]);
}

#[tokio::test]
async fn without_the_setting_an_answer_assigns_no_lead() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    floor::admin(client, "POST", &messages(&id), &text("Hello"))
        .await
        .is(201);
    assert_eq!(responsible(client).await, 0);
    switch(client, true).await;
    let note = json!({ "text": "To the team" });
    let notes = format!("/inbox/v1/conversations/{id}/notes");
    floor::admin(client, "POST", &notes, &note).await.is(201);
    assert_eq!(responsible(client).await, 0, "a note is no answer");
    let program = json!({ "text": "Of a program" });
    let sent = floor::admin(client, "POST", "/api/v4/talks/1/messages", &program).await;
    assert!(sent.status < 500);
    assert_eq!(responsible(client).await, 0, "a program is no user");
    floor::admin(client, "POST", &messages(&id), &text("Hello again"))
        .await
        .is(201);
    assert_eq!(responsible(client).await, ADA);
    switch(client, false).await;
}

/// An answer with what its writer has seen and a draft is one step, too: what is refused assigns nothing.
#[tokio::test]
async fn a_refused_answer_assigns_no_lead() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let seen = client.messages(&id).await[0]["id"].clone();
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    boris
        .sends(client, "POST", &messages(&id), &text("Mine"))
        .await
        .is(201);
    switch(client, true).await;
    let drafts = format!("/inbox/v1/conversations/{id}/drafts/reply");
    let draft = json!({ "based_on": 0, "text": "Late" });
    floor::admin(client, "PATCH", &drafts, &draft).await.is(200);
    let late = json!({ "type": "text", "text": "Late", "seen": seen, "draft": 1 });
    floor::admin(client, "POST", &messages(&id), &late)
        .await
        .is(409);
    assert_eq!(responsible(client).await, 0);
    assert_eq!(client.read(&drafts).await["text"], "Late");
    let newest = client.messages(&id).await[0]["id"].clone();
    let body = json!({ "type": "text", "text": "Late", "seen": newest, "draft": 1 });
    floor::admin(client, "POST", &messages(&id), &body)
        .await
        .is(201);
    assert_eq!(responsible(client).await, ADA);
    assert_eq!(client.read(&drafts).await["text"], "");
}

/// Each answer is sent, and one of their writers has the lead.
#[tokio::test]
async fn of_two_first_answers_one_assigns() {
    let server = Server::start().await;
    let client = server.client();
    switch(client, true).await;
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    for round in 1..=10 {
        let (mine, theirs) = (text("Mine"), text("Theirs"));
        let target = messages(&id);
        let (one, other) = tokio::join!(
            floor::admin(client, "POST", &target, &mine),
            boris.sends(client, "POST", &target, &theirs)
        );
        one.is(201);
        other.is(201);
        let user = responsible(client).await;
        assert!(user == ADA || user == boris.id, "{user}");
        assert_eq!(client.messages(&id).await.len(), 1 + 2 * round);
        floor::place(client, 1, 2, None).await;
    }
    let firsts = reasons(client).await;
    let count = firsts.iter().filter(|it| *it == "first_answer").count();
    assert_eq!(count, 10);
}
