//! A body written by hand, sent once in place of a callback.

use serde_json::{Value, json};

use crate::delivery::{conversation, delivery_is, done, read};
use crate::support::answer::Answer;
use crate::support::client::signature;
use crate::support::receiver::Receiver;
use crate::support::server::{SECRET, Server, Setup};

async fn send(server: &Server, id: &str, body: &Value) -> Answer {
    let target = format!("/admin/v1/deliveries/{id}/edited-replay");
    server.client().operates("POST", &target, body).await
}

/// A message that arrived.
async fn delivered(server: &Server) -> (String, String) {
    server.client().connect("v2").await;
    let conversation = conversation(server, "c").await;
    let id = server.client().replied(&conversation, "Good day").await;
    delivery_is(server, &id, "delivered").await;
    (conversation, id)
}

#[tokio::test]
async fn an_edited_replay_is_signed_as_given_and_changes_nothing() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let (conversation, id) = delivered(&server).await;
    let before = read(&server, &format!("/admin/v1/deliveries/{id}")).await;
    let messages = server.client().messages(&conversation).await;
    let body = "{ \"by\": \"hand <é>\" }\n";
    let came = send(&server, &id, &json!({ "body": body })).await.is(200);
    assert_eq!(
        (&came.json["delivered"], &came.json["message_id"]),
        (&json!(true), &json!(id))
    );
    let request = receiver.requests(2).await.remove(1);
    assert_eq!(request.body, body.as_bytes());
    let right = signature(SECRET, body.as_bytes());
    assert_eq!(request.header("x-signature"), Some(right.as_str()));
    assert_eq!(request.header("webhook-id"), Some(id.as_str()));
    assert_eq!(request.header("x-delivery-attempt"), Some("2"));
    let after = read(&server, &format!("/admin/v1/deliveries/{id}")).await;
    assert_eq!(after, before);
    assert_eq!(server.client().messages(&conversation).await, messages);
    assert_eq!(
        done(&server).await,
        [("delivery.edited-replay".to_owned(), id)]
    );
    let log = read(&server, "/admin/v1/audit?limit=1").await;
    assert!(!log.to_string().contains("by hand"), "{log}");
}

#[tokio::test]
async fn an_edited_replay_carries_the_given_signature() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let (_, id) = delivered(&server).await;
    let wrong = signature(SECRET, b"something else");
    let edited = json!({ "body": "{}", "signature": wrong, "version": "v1" });
    let came = send(&server, &id, &edited).await.is(200).json;
    assert_eq!(
        (&came["version"], &came["status"]),
        (&json!("v1"), &json!(200))
    );
    let request = receiver.requests(2).await.remove(1);
    assert_eq!(request.header("x-signature"), Some(wrong.as_str()));
    assert!(request.target.starts_with("/v1/"), "{}", request.target);
    let log = read(&server, "/admin/v1/audit?limit=1").await;
    let fields: Vec<_> = log["entries"][0]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert_eq!(
        fields,
        [
            &json!({ "field": "version", "before": null, "after": "v1" }),
            &json!({ "field": "body" }),
            &json!({ "field": "signature" })
        ]
    );
}

#[tokio::test]
async fn an_edited_replay_passes_the_guard_and_names_its_errors() {
    let setup = Setup::default().setting("dispatch", "allow_private_networks = false");
    let server = setup.start().await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let id = server.client().replied(&conversation, "Good day").await;
    let came = send(&server, &id, &json!({ "body": "{}" })).await.is(200);
    assert_eq!(came.json["failure"], "forbidden_address");
    let wrong = json!({ "signature": "two words", "version": "v3", "more": 1 });
    let response = send(&server, &id, &wrong).await.is(400).body;
    for path in ["body", "signature", "version", "more"] {
        assert!(
            response.contains(&format!("\"path\":\"{path}\"")),
            "{path}: {response}"
        );
    }
    let unknown = "30c362b9-9201-4864-8c24-1f637b1733ed";
    let body = json!({ "body": "{}" });
    send(&server, unknown, &body).await.is(404);
}
