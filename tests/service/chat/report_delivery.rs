//! `POST <scope_id>/<msgid>/delivery_status`.

use serde_json::{Value, json};

use crate::support::client::{message, scope};
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, OTHER_ACCOUNT, Server};

/// A service in which an account user has answered, and the callback has arrived.
struct Answered {
    server: Server,
    _receiver: Receiver,
    conversation: String,
    message: String,
}

async fn answered() -> Answered {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap().to_owned();
    let message = client.replied(&conversation, "hello").await;
    client
        .callback_is(&conversation, &message, "delivered")
        .await;
    Answered {
        server,
        _receiver: receiver,
        conversation,
        message,
    }
}

impl Answered {
    async fn report(&self, mut body: Value) -> crate::support::answer::Answer {
        body["msgid"] = json!(self.message);
        self.server
            .client()
            .delivery_status(&self.message, &body)
            .await
    }

    async fn delivery(&self) -> Value {
        let messages = self.server.client().messages(&self.conversation).await;
        let message = messages
            .into_iter()
            .find(|known| known["id"] == self.message.as_str());
        message.unwrap()["delivery"].clone()
    }

    async fn status(&self) -> String {
        self.delivery().await["status"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_message_goes_from_sent_to_delivered_to_read() {
    let it = answered().await;
    assert_eq!(it.status().await, "sent");
    for (number, status) in [(1, "delivered"), (2, "read")] {
        let answer = it
            .report(json!({ "delivery_status": number }))
            .await
            .is(200);
        assert_eq!(answer.body, "");
        assert_eq!(it.status().await, status);
    }
}

#[tokio::test]
async fn read_is_final() {
    let it = answered().await;
    it.report(json!({ "delivery_status": 2 })).await.is(200);
    it.report(json!({ "delivery_status": 1 })).await.is(200);
    let error = json!({ "delivery_status": -1, "error_code": 901, "error": "gone" });
    it.report(error).await.is(200);
    assert_eq!(it.delivery().await, json!({ "status": "read" }));
}

#[tokio::test]
async fn a_delivery_status_that_goes_back_is_200_without_effect() {
    let it = answered().await;
    it.report(json!({ "delivery_status": 2 })).await.is(200);
    let before = it.server.client().conversations().await;
    it.report(json!({ "delivery_status": 1 })).await.is(200);
    assert_eq!(it.server.client().conversations().await, before);
    assert_eq!(it.status().await, "read");
}

#[tokio::test]
async fn a_failed_delivery_shows_code_and_text_and_may_succeed_later() {
    let it = answered().await;
    let error =
        json!({ "delivery_status": -1, "error_code": 905, "error": "<b>no</b> such number" });
    it.report(error).await.is(200);
    assert_eq!(
        it.delivery().await,
        json!({ "status": "error", "error_code": 905, "error": "<b>no</b> such number" })
    );
    it.report(json!({ "delivery_status": -1, "error_code": 901 }))
        .await
        .is(200);
    assert_eq!(it.delivery().await["error_code"], 901);
    it.report(json!({ "delivery_status": 1 })).await.is(200);
    assert_eq!(it.delivery().await, json!({ "status": "delivered" }));
}

#[tokio::test]
async fn an_error_code_beside_a_success_is_ignored() {
    let it = answered().await;
    let body = json!({ "delivery_status": 2, "error_code": 905, "error": "Error text" });
    it.report(body).await.is(200);
    assert_eq!(it.delivery().await, json!({ "status": "read" }));
}

#[tokio::test]
async fn the_msgid_of_the_body_must_be_that_of_the_path() {
    let it = answered().await;
    let body = json!({ "msgid": "deadbeef-0000-4000-8000-000000000000", "delivery_status": 1 });
    let answer = it
        .server
        .client()
        .delivery_status(&it.message, &body)
        .await
        .is(400);
    let wrong = ("msgid".to_owned(), "InvalidValue".to_owned());
    assert_eq!(answer.wrong(), [wrong]);
    assert_eq!(it.status().await, "sent");
}

#[tokio::test]
async fn unknown_foreign_and_customer_messages_get_the_same_404() {
    let it = answered().await;
    let client = it.server.client();
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let messages = client.messages(&it.conversation).await;
    let of_the_customer = messages[1]["id"].as_str().unwrap();
    let unknown = "deadbeef-0000-4000-8000-000000000000";
    let mut bodies = Vec::new();
    for (account, message) in [
        (crate::support::server::ACCOUNT, unknown),
        (crate::support::server::ACCOUNT, of_the_customer),
        (OTHER_ACCOUNT, it.message.as_str()),
    ] {
        let body = json!({ "msgid": message, "delivery_status": 1 });
        let tail = format!("{}/{message}/delivery_status", scope(CHANNEL, account));
        let answer = client.post(&tail, &body).await.is(404);
        assert_eq!(answer.error_type(), "MESSAGE_NOT_FOUND");
        bodies.push(answer.body);
    }
    assert!(bodies.iter().all(|body| body == &bodies[0]));
    assert_eq!(it.status().await, "sent");
}

#[tokio::test]
async fn an_invalid_message_id_in_the_path_is_404() {
    let it = answered().await;
    for path in ["m", "00000000-0000-0000-0000-000000000000", "-", "m-1_2"] {
        let body = json!({ "msgid": path, "delivery_status": 1 });
        let answer = it
            .server
            .client()
            .delivery_status(path, &body)
            .await
            .is(404);
        assert_eq!(answer.error_type(), "MESSAGE_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_disconnected_scope_refuses_delivery_reports() {
    let it = answered().await;
    it.server.client().disconnect().await;
    let refusal = it.report(json!({ "delivery_status": 1 })).await.is(404);
    assert_eq!(refusal.error_type(), "ORIGIN_NOT_REGISTERED");
    assert_eq!(it.status().await, "sent");
}

#[tokio::test]
async fn a_report_survives_a_restart() {
    let mut it = answered().await;
    it.report(json!({ "delivery_status": 2 })).await.is(200);
    it.server.kill_9();
    it.server.restart().await;
    assert_eq!(it.status().await, "read");
    it.report(json!({ "delivery_status": 1 })).await.is(200);
    assert_eq!(it.status().await, "read");
}
