//! `POST …/messages/{message}/withdraw`: a message that waits is not sent, and the next one is.

use serde_json::json;
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{conversation, delivery_is};
use crate::rights::floor::{self, rights};
use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::receiver::Receiver;
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

async fn withdraw(client: &Client, token: &str, conversation: &str, message: &str) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/messages/{message}/withdraw");
    client.request("POST", &target).bearer(token).send().await
}

/// The integration refuses, and wants the next attempt in an hour.
fn refuse() -> Behaviour {
    Behaviour::Answer(Reply::new(500).header("Retry-After", "3600"))
}

#[tokio::test]
async fn a_withdrawn_message_lets_the_next_one_go_at_once() {
    let receiver = Receiver::start().await;
    receiver.script([refuse(), Behaviour::status(200)]);
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let id = conversation(&server, "c").await;
    let first = client.replied(&id, "first").await;
    client.callback_is(&id, &first, "waiting").await;
    let second = client.replied(&id, "second").await;
    withdraw(client, TOKEN, &id, &first).await.is(204);
    let message = client.callback_is(&id, &first, "cancelled").await;
    assert_eq!(message["callback"]["reason_code"], "withdrawn");
    delivery_is(&server, &second, "delivered").await;
    assert_eq!(
        receiver.callbacks(2).await.len(),
        2,
        "the first was attempted once"
    );
    withdraw(client, TOKEN, &id, &first).await.is(409);
    withdraw(client, TOKEN, &id, &second).await.is(409);
    // Who withdraws a message knows that it is not sent: the conversation is no failed one.
    let target = format!("/inbox/v1/conversations/{id}");
    assert!(client.read(&target).await["trouble"].is_null());
    server.kill_9();
    server.restart().await;
    assert!(server.client().read(&target).await["trouble"].is_null());
    let audit = server
        .client()
        .operate("GET", "/admin/v1/audit?limit=50")
        .send()
        .await
        .is(200);
    assert!(audit.body.contains("delivery.discard") && audit.body.contains("\"kind\":\"user\""));
}

#[tokio::test]
async fn withdrawing_needs_the_right_to_write_in_the_conversation() {
    let receiver = Receiver::start().await;
    receiver.script([refuse()]);
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let id = conversation(&server, "c").await;
    let message = client.replied(&id, "first").await;
    client.callback_is(&id, &message, "waiting").await;
    let mut onlooker = rights("D");
    onlooker["leads"] = json!({ "view": "A" });
    onlooker["status_rights"] = json!([{
        "entity_type": "leads", "pipeline_id": 1, "status_id": 1,
        "rights": { "view": "A", "edit": "D", "delete": "D" },
    }]);
    let onlooker = floor::add(client, "Onlooker", &onlooker).await;
    let nobody = floor::add(client, "Nobody", &rights("D")).await;
    let target = format!("/inbox/v1/conversations/{id}/messages/{message}/withdraw");
    for (person, status) in [(&onlooker, 403), (&nobody, 404)] {
        person
            .sends(client, "POST", &target, &json!({}))
            .await
            .is(status);
    }
    withdraw(client, OTHER_TOKEN, &id, &message).await.is(404);
    for unknown in ["x", "30c362b9-9201-4864-8c24-1f637b1733ed"] {
        withdraw(client, TOKEN, &id, unknown).await.is(404);
    }
    let other = conversation(&server, "d").await;
    withdraw(client, TOKEN, &other, &message).await.is(404);
    assert_eq!(
        delivery_is(&server, &message, "waiting").await["attempts"],
        1
    );
}
