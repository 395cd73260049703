//! Quotas of accounts: what is refused, in which words, and what a restart knows of them.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::{Client, message, silent_message};
use crate::support::server::{OTHER_ACCOUNT, Server, Setup, TOKEN};
use crate::support::upload::{form, post};

const ACCOUNT_PATH: &str = "/admin/v1/accounts/0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3";

async fn set(client: &Client, quotas: Value) {
    let response = client.operates("PATCH", ACCOUNT_PATH, &quotas).await;
    response.is(200);
}

/// Returns the usage of the account.
async fn used(client: &Client) -> Value {
    let account = client.operate("GET", ACCOUNT_PATH).send().await;
    account.is(200).json["usage"].clone()
}

/// Returns the seconds after which a refusal allows another attempt.
fn retry_after(answer: &Answer) -> u64 {
    answer.header("retry-after").parse().unwrap()
}

/// The conversations and how many messages they have; attempts at callbacks go on meanwhile.
async fn stored(client: &Client) -> Vec<[Value; 3]> {
    let list = client.conversations().await.into_iter();
    list.map(|it| ["client_id", "messages", "unread"].map(|key| it[key].clone()))
        .collect()
}

#[tokio::test]
async fn messages_beyond_a_quota_are_refused_and_repeats_are_not() {
    let mut server = Server::start().await;
    let client = server.client().clone();
    client.connect("v2").await;
    set(&client, json!({ "messages_per_day": 3 })).await;
    let first = client.sent(&message("m1", "c")).await;
    let conversation = first["conversation_id"].as_str().unwrap();
    client.sent(&silent_message("m2", "c")).await;
    client.replied(conversation, "Yes").await;
    let before = stored(&client).await;
    let refusal = client.send(&message("m3", "c")).await.is(429);
    assert_eq!(refusal.json["error_type"], "QUOTA_EXCEEDED");
    let sentence = "the account has used up its quota: 3 messages per day (messages_per_day); it resets at 00:00 UTC";
    assert_eq!(refusal.json["error_description"], sentence);
    assert!((1..=86_400).contains(&retry_after(&refusal)));
    let imported = client.send(&silent_message("m3", "d")).await;
    imported.is(429);
    let reply = client.reply(conversation, "No").await.is(429);
    assert_eq!(reply.json["detail"], sentence);
    assert!((1..=86_400).contains(&retry_after(&reply)));
    // What is stored already is no more: its repeat gets the answer of then.
    assert_eq!(client.sent(&message("m1", "c")).await, first);
    assert_eq!(stored(&client).await, before);
    // Whatever ends the service, it knows what was used.
    for _ in 0..2 {
        server.kill_9();
        server.restart().await;
        server.client().send(&message("m3", "c")).await.is(429);
        let usage = used(server.client()).await;
        assert_eq!(usage["messages_per_day"], json!({ "used": 3, "quota": 3 }));
        assert_eq!(
            usage["messages_per_month"],
            json!({ "used": 3, "quota": 0 })
        );
        assert_eq!(usage["storage_bytes"]["used"], 3 * 1024);
    }
    let client = server.client();
    let metrics = client.get("/metrics").await.is(200).body;
    let metric = r#"switchboard_account_quota_refused_total{quota="messages_per_day"} 1"#;
    assert!(metrics.contains(metric), "{metrics}");
    set(
        client,
        json!({ "messages_per_day": 4, "messages_per_month": 5 }),
    )
    .await;
    client.sent(&message("m3", "c")).await;
    client.send(&message("m4", "c")).await.is(429);
    set(client, json!({ "messages_per_day": null })).await;
    client.sent(&message("m4", "c")).await;
    let refusal = client.send(&message("m5", "c")).await.is(429);
    let sentence = refusal.json["error_description"].as_str().unwrap();
    assert!(sentence.contains("5 messages per month"), "{sentence}");
    assert!(retry_after(&refusal) <= 31 * 86_400);
    set(client, json!({ "messages_per_month": 0 })).await;
    client.sent(&message("m5", "c")).await;
    assert_eq!(used(client).await["messages_per_day"]["used"], 6);
}

#[tokio::test]
async fn writers_at_once_get_exactly_what_a_quota_has_left() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    set(client, json!({ "messages_per_month": 20 })).await;
    let sends = (0..60).map(|n| async move {
        let event = message(&format!("m{n}"), &format!("c{}", n % 7));
        client.send(&event).await.status
    });
    let statuses = futures_util::future::join_all(sends).await;
    let successes = statuses.iter().filter(|status| **status == 200).count();
    assert_eq!(successes, 20, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 429].contains(status)));
    assert_eq!(used(client).await["messages_per_month"]["used"], 20);
}

#[tokio::test]
async fn the_configuration_sets_quotas_for_accounts_without_their_own() {
    let setup = Setup::default()
        .setting("account_quotas", "messages_per_day = 1")
        .setting("account_quotas", "storage_bytes = 100000");
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    client.sent(&message("m1", "c")).await;
    client.send(&message("m2", "c")).await.is(429);
    // 0 stands for none, whatever the default is.
    set(client, json!({ "messages_per_day": 0 })).await;
    client.sent(&message("m2", "c")).await;
    let usage = used(client).await;
    assert_eq!(usage["messages_per_day"], json!({ "used": 2, "quota": 0 }));
    assert_eq!(
        usage["storage_bytes"],
        json!({ "used": 2048, "quota": 100_000 })
    );
    let other = client
        .operate("GET", &format!("/admin/v1/accounts/{OTHER_ACCOUNT}"))
        .send()
        .await
        .is(200)
        .json;
    assert_eq!(
        other["usage"]["messages_per_day"],
        json!({ "used": 0, "quota": 1 })
    );
}

#[tokio::test]
async fn messages_and_uploads_beyond_the_storage_quota_are_refused() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m1", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    set(client, json!({ "storage_bytes": 12_000 })).await;
    let upload = async |bytes| post(client, TOKEN, form("file", "a.bin", &vec![7; bytes])).await;
    let refusal = upload(20_000).await.is(429);
    let sentence = refusal.json["detail"].as_str().unwrap();
    assert!(
        sentence.contains("12000 bytes of messages and files"),
        "{sentence}"
    );
    assert_eq!(retry_after(&refusal), 3_600);
    let file = upload(8_000).await.is(201).json;
    let body = json!({ "type": "file", "media_id": file["id"], "text": "" });
    let target = format!("/inbox/v1/conversations/{conversation}/messages");
    let reply = async || {
        client
            .request("POST", &target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json")
            .body(body.to_string())
            .send()
            .await
    };
    reply().await.is(201);
    let usage = used(client).await;
    assert_eq!(usage["storage_bytes"]["used"], 2 * 1024 + 8_000);
    // Another file like it fits no more, and neither do two messages.
    reply().await.is(429);
    client.sent(&message("m2", "c")).await;
    client.send(&message("m3", "c")).await.is(429);
}
