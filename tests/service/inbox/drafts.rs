//! `/inbox/v1/conversations/{id}/drafts/reply`: what a user has written and not sent.

use serde_json::{Value, json};

use crate::inbox::listen::Stream;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};
use crate::support::upload::{self, form, uploaded};

fn target(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/drafts/reply")
}

async fn conversation(client: &Client) -> String {
    client.connect("v2").await;
    let sent = client.sent(&message("m1", "c")).await;
    sent["conversation_id"].as_str().unwrap().to_owned()
}

async fn stores(client: &Client, conversation: &str, body: &Value) -> Answer {
    floor::admin(client, "PATCH", &target(conversation), body).await
}

async fn draft(client: &Client, conversation: &str) -> Value {
    client.get(&target(conversation)).await.is(200).json
}

/// Ada sends a text that was this version of her draft.
async fn sends(client: &Client, conversation: &str, text: &str, number: u64) -> Answer {
    let body = json!({ "type": "text", "text": text, "draft": number });
    let messages = format!("/inbox/v1/conversations/{conversation}/messages");
    floor::admin(client, "POST", &messages, &body).await
}

#[tokio::test]
async fn a_draft_is_its_writers_alone_and_outlives_a_kill() {
    let mut server = Server::start().await;
    let conversation = conversation(server.client()).await;
    let none = draft(server.client(), &conversation).await;
    assert_eq!(
        none,
        json!({ "number": 0, "updated_at": null, "text": "", "file": null })
    );
    let body = json!({ "based_on": 0, "text": "Red ones and" });
    let stored = stores(server.client(), &conversation, &body)
        .await
        .is(200)
        .json;
    assert_eq!(
        (&stored["number"], &stored["text"]),
        (&json!(1), &json!("Red ones and"))
    );
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(draft(client, &conversation).await, stored);
    floor::place(client, 1, 2, None).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let of_boris = boris.reads(client, &target(&conversation)).await.is(200);
    assert_eq!(of_boris.json["number"], 0);
    // It does not follow its writer to another conversation.
    let other = client.sent(&message("m2", "c2")).await;
    let other = other["conversation_id"].as_str().unwrap();
    assert_eq!(draft(client, other).await["text"], "");
    // It is no message, and no search finds it.
    assert_eq!(client.messages(&conversation).await.len(), 1);
    let found = client
        .read("/inbox/v1/conversations?query=Red%20ones")
        .await;
    assert_eq!(found["conversations"], json!([]));
}

#[tokio::test]
async fn an_older_page_gets_the_newer_version_and_overwrites_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let at = |based_on: u64, text: &str| json!({ "based_on": based_on, "text": text });
    let mut stream = Stream::open(&server, TOKEN, None).await;
    stores(client, &conversation, &at(0, "One")).await.is(200);
    let event = stream.upto("draft").await.pop().unwrap();
    assert_eq!(
        event.data,
        json!({ "conversation_id": conversation, "kind": "reply", "number": 1 })
    );
    stores(client, &conversation, &at(1, "Two")).await.is(200);
    let refusal = stores(client, &conversation, &at(1, "Late")).await.is(409);
    assert_eq!(
        (
            &refusal.json["draft"]["text"],
            &refusal.json["draft"]["number"]
        ),
        (&json!("Two"), &json!(2))
    );
    assert_eq!(draft(client, &conversation).await["text"], "Two");
    let deleted = stores(client, &conversation, &at(2, "")).await.is(200);
    assert_eq!(
        (&deleted.json["text"], &deleted.json["number"]),
        (&json!(""), &json!(3))
    );
    stores(client, &conversation, &at(2, "Late")).await.is(409);
}

#[tokio::test]
async fn a_sent_draft_is_gone_and_a_newer_one_stays() {
    let mut server = Server::start().await;
    let conversation = conversation(server.client()).await;
    let body = json!({ "based_on": 0, "text": "One" });
    stores(server.client(), &conversation, &body).await.is(200);
    sends(server.client(), &conversation, "One", 1)
        .await
        .is(201);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let gone = draft(client, &conversation).await;
    assert_eq!((&gone["text"], &gone["number"]), (&json!(""), &json!(2)));
    let body = json!({ "based_on": 2, "text": "Two" });
    stores(client, &conversation, &body).await.is(200);
    let body = json!({ "based_on": 3, "text": "Two and a half" });
    stores(client, &conversation, &body).await.is(200);
    // An older page sends what it has: the newer words stay.
    sends(client, &conversation, "Two", 3).await.is(201);
    assert_eq!(draft(client, &conversation).await["text"], "Two and a half");
    assert_eq!(client.messages(&conversation).await.len(), 3);
}

#[tokio::test]
async fn a_change_by_a_colleague_leaves_the_draft_alone() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let body = json!({ "based_on": 0, "text": "One" });
    stores(client, &conversation, &body).await.is(200);
    floor::place(client, 1, 2, None).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    floor::place(client, 1, 3, Some(boris.id)).await;
    let messages = format!("/inbox/v1/conversations/{conversation}/messages");
    let said = json!({ "type": "text", "text": "I take this one" });
    boris.sends(client, "POST", &messages, &said).await.is(201);
    let kept = draft(client, &conversation).await;
    assert_eq!((&kept["text"], &kept["number"]), (&json!("One"), &json!(1)));
}

#[tokio::test]
async fn a_draft_has_an_upload_of_its_account_alone() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    let own = uploaded(client, "tulips.txt", b"red").await;
    let body = json!({ "based_on": 0, "media_id": own["id"] });
    let stored = stores(client, &conversation, &body).await.is(200).json;
    let file = &stored["file"];
    assert_eq!(
        (&file["id"], &file["file_name"], &file["file_size"]),
        (&own["id"], &json!("tulips.txt"), &json!(3))
    );
    let foreign = upload::post(client, OTHER_TOKEN, form("file", "secret.txt", b"x")).await;
    let body = json!({ "based_on": 1, "text": "x", "media_id": foreign.is(201).json["id"] });
    let refusal = stores(client, &conversation, &body).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "media_id");
    assert!(!refusal.body.contains("secret"), "{}", refusal.body);
    assert_eq!(draft(client, &conversation).await, stored);
}

#[tokio::test]
async fn a_wrong_draft_stores_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let conversation = conversation(client).await;
    for (body, path) in [
        (json!({ "text": "x" }), "based_on"),
        (json!({ "based_on": -1, "text": "x" }), "based_on"),
        (json!({ "based_on": 0, "text": 7 }), "text"),
        (json!({ "based_on": 0, "media_id": "../x" }), "media_id"),
        (json!({ "based_on": 0, "draft": "x" }), "draft"),
        (json!({ "based_on": 0, "text": "x".repeat(65_537) }), "text"),
    ] {
        let refusal = stores(client, &conversation, &body).await.is(400);
        assert_eq!(refusal.wrong()[0].0, path, "{}", refusal.body);
    }
    let huge = json!({ "based_on": 0, "text": "x".repeat(4 << 20) });
    stores(client, &conversation, &huge).await.is(413);
    stores(
        client,
        &conversation,
        &json!({ "based_on": 7, "text": "x" }),
    )
    .await
    .is(409);
    assert_eq!(draft(client, &conversation).await["number"], 0);
    let other_kind = format!("/inbox/v1/conversations/{conversation}/drafts/letter");
    client.get(&other_kind).await.is(404);
    client
        .get_as(OTHER_TOKEN, &target(&conversation))
        .await
        .is(404);
    client.get(&target("x")).await.is(404);
}
