//! `POST …/unread` and `POST …/dismiss-failures`.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::receiver::Receiver;
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

async fn mark(client: &Client, token: &str, conversation: &str, what: &str) -> Answer {
    let target = format!("/inbox/v1/conversations/{conversation}/{what}");
    client.request("POST", &target).bearer(token).send().await
}

async fn shown(client: &Client, conversation: &str) -> Value {
    client
        .read(&format!("/inbox/v1/conversations/{conversation}"))
        .await
}

async fn count(client: &Client, of: &str) -> u64 {
    client.read("/inbox/v1/counts").await[of]["count"]
        .as_u64()
        .unwrap()
}

#[tokio::test]
async fn a_conversation_marked_unread_counts_until_it_is_read() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c")).await;
    let id = new_message["conversation_id"].as_str().unwrap();
    mark(client, TOKEN, id, "read").await.is(204);
    assert_eq!(count(client, "unread").await, 0);
    mark(client, TOKEN, id, "unread").await.is(204);
    mark(client, TOKEN, id, "unread").await.is(204);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(
        (
            shown(client, id).await["unread"].clone(),
            count(client, "unread").await
        ),
        (json!(1), 1)
    );
    mark(client, TOKEN, id, "read").await.is(204);
    assert_eq!(count(client, "unread").await, 0);
    for (token, status) in [(OTHER_TOKEN, 404), ("nobody", 401)] {
        mark(client, token, id, "unread").await.is(status);
    }
}

/// «Failed» has an end also where nothing is sent again; a later failure counts anew.
#[tokio::test]
async fn dismissed_failures_do_not_count_and_later_ones_do() {
    let receiver = Receiver::start().await;
    let mut server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c")).await;
    let id = new_message["conversation_id"].as_str().unwrap();
    let failed = async |client: &Client, text: &str| {
        let message = client.replied(id, text).await;
        client.callback_is(id, &message, "delivered").await;
        let report = json!({ "msgid": message, "delivery_status": -1, "error_code": 905, "error": "blocked" });
        client.delivery_status(&message, &report).await.is(200);
    };
    failed(client, "one").await;
    failed(client, "two").await;
    assert_eq!(
        (
            shown(client, id).await["trouble"].clone(),
            count(client, "failed").await
        ),
        (json!("error"), 1)
    );
    mark(client, OTHER_TOKEN, id, "dismiss-failures")
        .await
        .is(404);
    mark(client, TOKEN, id, "dismiss-failures").await.is(204);
    mark(client, TOKEN, id, "dismiss-failures").await.is(204);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(
        (
            shown(client, id).await["trouble"].clone(),
            count(client, "failed").await
        ),
        (Value::Null, 0)
    );
    failed(client, "three").await;
    assert_eq!(count(client, "failed").await, 1);
}
