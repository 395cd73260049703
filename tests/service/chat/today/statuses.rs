//! Delivery status in both of its spellings, and with what clients send along.

use serde_json::{Value, json};

use super::{answered, connected, text};
use crate::support::answer::Answer;
use crate::support::client::scope;
use crate::support::server::{ACCOUNT, CHANNEL, Server};

async fn report(server: &Server, message: &str, body: &Value) -> Answer {
    let tail = format!("{}/{message}/delivery_status", scope(CHANNEL, ACCOUNT));
    server.client().post_today(&tail, body).await
}

/// Both names of the status are accepted, and errors may be null or empty.
#[tokio::test]
async fn both_status_keys_are_accepted_and_errors_may_be_empty() {
    let server = connected().await;
    let client = server.client();
    let (_, sent) = answered(&server).await;
    let conversation = text(&sent["conversation_id"]);
    for (body, status) in [
        (
            json!({ "status_code": -1, "error_code": 905, "error": "Error text" }),
            "error",
        ),
        (
            json!({ "delivery_status": 1, "error_code": null, "error": null }),
            "delivered",
        ),
        (
            json!({ "delivery_status": -1, "status_code": -1, "error_code": 901, "error": "" }),
            "error",
        ),
        (
            json!({ "status_code": 1, "error_code": 0, "error": "" }),
            "delivered",
        ),
        (
            json!({ "status_code": 2, "error_code": 905, "error": "Error text" }),
            "read",
        ),
    ] {
        let message = client.messages(conversation).await[0]["id"].clone();
        assert_eq!(
            report(&server, text(&message), &body).await.is(200).body,
            ""
        );
        let stored_message = client.messages(conversation).await.remove(0);
        assert_eq!(stored_message["delivery"]["status"], status, "{body}");
    }
}

#[tokio::test]
async fn a_contradictory_or_missing_status_is_400() {
    let server = connected().await;
    let (_, sent) = answered(&server).await;
    let message = server
        .client()
        .messages(text(&sent["conversation_id"]))
        .await[0]["id"]
        .clone();
    for (body, path, code) in [
        (
            json!({ "status_code": 1, "delivery_status": 2 }),
            "status_code",
            "InvalidValue",
        ),
        (json!({}), "delivery_status", "FieldMissing"),
        (
            json!({ "status_code": 3 }),
            "status_code",
            "NotSupportedChoice",
        ),
        (json!({ "status_code": -1 }), "error_code", "FieldMissing"),
        (
            json!({ "status_code": -1, "error_code": 0 }),
            "error_code",
            "NotSupportedChoice",
        ),
        (
            json!({ "status_code": 1, "msgid": "deadbeef-0000-4000-8000-000000000000" }),
            "msgid",
            "InvalidValue",
        ),
        (
            json!({ "status_code": 1, "status": 1 }),
            "status",
            "InvalidValue",
        ),
    ] {
        let wrong = report(&server, text(&message), &body).await.is(400).wrong();
        assert_eq!(wrong, [(path.to_owned(), code.to_owned())], "{body}");
    }
}
