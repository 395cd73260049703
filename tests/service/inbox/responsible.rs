//! `PATCH …/responsible`, `POST …/close`, and the status of a conversation.

use serde_json::{Value, json};

use crate::inbox::setting::conversation;
use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::{Client, message, silent_message};
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

/// The administrator.
const ADA: u64 = 1;

fn target(conversation: &str, part: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/{part}")
}

async fn assigns(client: &Client, conversation: &str, body: &Value) -> Answer {
    floor::admin(client, "PATCH", &target(conversation, "responsible"), body).await
}

async fn assigns_as(client: &Client, by: &Person, conversation: &str, body: &Value) -> Answer {
    let target = target(conversation, "responsible");
    by.sends(client, "PATCH", &target, body).await
}

async fn closes(client: &Client, conversation: &str) -> Answer {
    let target = target(conversation, "close");
    client.request("POST", &target).bearer(TOKEN).send().await
}

/// The ids of the conversations that a list has.
async fn listed(client: &Client, query: &str) -> Vec<String> {
    let page = client
        .read(&format!("/inbox/v1/conversations?{query}"))
        .await;
    let conversations = page["conversations"].as_array().unwrap().iter();
    conversations
        .map(|one| one["id"].as_str().unwrap().to_owned())
        .collect()
}

async fn status(client: &Client, id: &str) -> String {
    let conversation = client.read(&format!("/inbox/v1/conversations/{id}")).await;
    conversation["status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_user_is_assigned_taken_over_and_given_back() {
    let mut server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let take = json!({ "user_id": ADA, "replaces": null });
    let changed = assigns(client, &id, &take).await.is(200).json;
    assert_eq!(changed["lead"]["responsible_user_id"], ADA);
    let late = json!({ "user_id": boris.id, "replaces": null });
    let refusal = assigns_as(client, &boris, &id, &late).await.is(409).json;
    assert_eq!(refusal["responsible_user_id"], ADA);
    let take_over = json!({ "user_id": boris.id, "replaces": ADA });
    assigns_as(client, &boris, &id, &take_over).await.is(200);
    assert_eq!(listed(client, "responsible=me").await, Vec::<String>::new());
    assert_eq!(
        listed(client, &format!("responsible={}", boris.id)).await,
        [id.as_str()]
    );
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let lead = client.leads().await.remove(0);
    assert_eq!(lead["responsible_user_id"], boris.id);
    let give_back = json!({ "user_id": null, "replaces": boris.id });
    assigns_as(client, &boris, &id, &give_back).await.is(200);
    assert_eq!(listed(client, "responsible=none").await, [id]);
    let request = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = request.send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().iter();
    let changes = entries.filter(|entry| entry["action"] == "lead.update");
    assert!(changes.count() >= 3, "{log:#}");
}

/// Both saw the same user.
#[tokio::test]
async fn of_two_who_take_it_at_the_same_instant_one_has_it() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let mut user = Value::Null;
    for _ in 0..20 {
        let mine = json!({ "user_id": ADA, "replaces": user });
        let theirs = json!({ "user_id": boris.id, "replaces": user });
        let (mine, theirs) = tokio::join!(
            assigns(client, &id, &mine),
            assigns_as(client, &boris, &id, &theirs)
        );
        let (winner, refusal) = match (mine.status, theirs.status) {
            (200, 409) => (json!(ADA), theirs),
            (409, 200) => (json!(boris.id), mine),
            other => panic!("{other:?}"),
        };
        assert_eq!(refusal.json["responsible_user_id"], winner);
        let give_back = json!({ "user_id": null, "replaces": winner });
        let free = assigns(client, &id, &give_back).await.is(200).json;
        user = free["lead"]["responsible_user_id"].clone();
        assert_eq!(user, Value::Null);
    }
}

#[tokio::test]
async fn a_wrong_user_changes_nothing_and_has_a_reason() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let unknown = json!({ "user_id": 99, "replaces": null });
    let refusal = assigns(client, &id, &unknown).await.is(400);
    let wrong = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    assert_eq!(refusal.wrong(), [wrong("user_id", "NotSupportedChoice")]);
    let refusal = assigns(client, &id, &json!({})).await.is(400);
    assert_eq!(
        refusal.wrong(),
        [
            wrong("replaces", "FieldMissing"),
            wrong("user_id", "FieldMissing")
        ]
    );
    let take = json!({ "user_id": dora.id, "replaces": null });
    assigns_as(client, &dora, &id, &take).await.is(404);
    let target = target(&id, "responsible");
    let other = client.request("PATCH", &target).bearer(OTHER_TOKEN);
    other.body(take.to_string()).send().await.is(404);
    client.sent(&silent_message("s1", "silent")).await;
    let all = client.conversations().await;
    let without_lead = all.iter().find(|one| one["lead"].is_null()).unwrap();
    let silent = without_lead["id"].as_str().unwrap();
    let refusal = assigns(client, silent, &take).await.is(409).json;
    assert!(refusal["detail"].as_str().unwrap().contains("no lead"));
    assert_eq!(refusal.get("responsible_user_id"), None);
    closes(client, silent).await.is(409);
    let lead = client.leads().await.remove(0);
    assert_eq!(lead["responsible_user_id"], 0);
}

#[tokio::test]
async fn the_status_follows_from_messages_and_the_talk() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    assert_eq!(status(client, &id).await, "open");
    client.replied(&id, "Yes").await;
    assert_eq!(status(client, &id).await, "waiting");
    assert_eq!(
        listed(client, "status=waiting").await,
        std::slice::from_ref(&id)
    );
    assert_eq!(listed(client, "status=open").await, Vec::<String>::new());
    closes(client, &id).await.is(204);
    assert_eq!(status(client, &id).await, "closed");
    closes(client, &id).await.is(409);
    assert_eq!(
        listed(client, "status=closed&responsible=none").await,
        std::slice::from_ref(&id)
    );
    client.sent(&message("m2", "c")).await;
    assert_eq!(status(client, &id).await, "open");
    let wrong = client.get("/inbox/v1/conversations?status=shut").await;
    assert!(wrong.is(400).body.contains("waiting"));
    let wrong = client.get("/inbox/v1/conversations?responsible=ada").await;
    assert!(wrong.is(400).body.contains("none"));
}
