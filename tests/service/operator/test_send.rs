//! One signed test callback, to see what comes.

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::operator::{act, change, done};
use crate::support::client::{message, scope};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, Server, Setup};

async fn test(server: &Server, body: &Value) -> Value {
    act(server, "test-send", body).await
}

#[tokio::test]
async fn a_test_send_is_signed_and_is_no_delivery() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    server.client().connect("v1").await;
    let new_message = server.client().sent(&message("m", "c")).await;
    let came = test(&server, &json!({})).await;
    assert_eq!(came["delivered"], true);
    assert_eq!(
        (&came["status"], &came["failure"]),
        (&json!(200), &Value::Null)
    );
    assert_eq!(came["version"], "v1", "what the connected account speaks");
    assert_eq!(came["scope_id"], scope(CHANNEL, ACCOUNT));
    assert_eq!(came["reason"], "the integration accepted it");
    assert!(came["took_ms"].is_u64() && came["answered_ms"].is_u64());
    assert!(came["address"].as_str().unwrap().starts_with("127.0.0.1:"));
    // The receiver checks the signature of everything it gets.
    let callbacks = receiver.callbacks(1).await;
    let callback = &callbacks[0];
    assert_eq!(
        callback.request.header("webhook-id"),
        came["message_id"].as_str()
    );
    assert_eq!(callback.request.header("x-delivery-attempt"), Some("1"));
    assert!(
        callback.json["text"]
            .as_str()
            .unwrap()
            .contains("test callback")
    );
    let conversation = new_message["conversation_id"].as_str().unwrap();
    assert_eq!(server.client().messages(conversation).await.len(), 1);
    assert_eq!(server.client().conversations().await.len(), 1);
    assert_eq!(done(&server).await, ["channel.test-send"]);
}

/// Version and account can be chosen, and no account has to be connected.
#[tokio::test]
async fn a_test_send_can_choose_version_and_account_without_scopes() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let came = test(&server, &json!({})).await;
    assert_eq!(came["version"], "v2");
    let body = json!({ "version": "v1", "account_id": OTHER_ACCOUNT });
    let came = test(&server, &body).await;
    assert_eq!(came["scope_id"], scope(CHANNEL, OTHER_ACCOUNT));
    let callbacks = receiver.callbacks(2).await;
    assert!(callbacks[0].json["message"]["message"]["id"].is_string());
    assert!(callbacks[1].json["conversation_id"].is_string());
    let path = &callbacks[1].request.target;
    assert!(path.ends_with(&scope(CHANNEL, OTHER_ACCOUNT)), "{path}");
}

#[tokio::test]
async fn a_test_send_works_during_a_pause_and_skips_the_queue() {
    let receiver = Receiver::start().await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    act(&server, "pause", &json!({})).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let reply = client.replied(conversation, "waits").await;
    assert_eq!(test(&server, &json!({})).await["delivered"], true);
    client.callback_is(conversation, &reply, "held").await;
    assert_eq!(receiver.so_far().len(), 1);
}

#[tokio::test]
async fn an_invalid_address_gives_the_reason() {
    let receiver = Receiver::start().await;
    let body = format!("no {}", "x".repeat(9_000));
    receiver.script([
        Behaviour::Answer(Reply::new(500).body(body)),
        Behaviour::status(404),
    ]);
    let server = Server::calling(&receiver).await;
    let failing = test(&server, &json!({})).await;
    assert_eq!(
        (&failing["delivered"], &failing["status"]),
        (&json!(false), &json!(500))
    );
    let excerpt = failing["excerpt"].as_str().unwrap();
    assert!(excerpt.starts_with("no xxx") && excerpt.len() < 5_000);
    let wrong = test(&server, &json!({})).await;
    assert!(
        wrong["reason"].as_str().unwrap().contains("the endpoint"),
        "{wrong}"
    );
    // Port 9 of the loopback: it has no listener.
    change(&server, &json!({ "webhook_v2": "http://127.0.0.1:9/" })).await;
    let dead = test(&server, &json!({})).await;
    assert_eq!(
        (&dead["failure"], &dead["status"]),
        (&json!("refused"), &Value::Null)
    );
    assert!(!dead["detail"].as_str().unwrap().is_empty(), "{dead}");
    change(&server, &json!({ "webhook_v2": null })).await;
    let target = format!("/admin/v1/channels/{CHANNEL}/test-send");
    let none = server
        .client()
        .operates("POST", &target, &json!({ "version": "v2" }))
        .await;
    assert!(none.is(409).body.contains("webhook_v2"));
}

#[tokio::test]
async fn a_test_send_passes_the_guard_of_callbacks() {
    let setup = Setup::default().setting("dispatch", "allow_private_networks = false");
    let server = setup.start().await;
    let came = test(&server, &json!({})).await;
    assert_eq!(came["failure"], "forbidden_address");
    assert!(
        came["reason"]
            .as_str()
            .unwrap()
            .contains("allow_private_networks")
    );
}

/// A receiver that hangs, and a service that waits for it as long as can be set.
async fn hanging() -> (Receiver, Server) {
    let receiver = Receiver::behaving(Behaviour::Hang).await;
    let setup = Setup::default()
        .webhook(&receiver)
        .setting("dispatch", "timeout_seconds = 30");
    (receiver, setup.start().await)
}

#[tokio::test]
async fn a_test_send_takes_no_longer_than_the_channel_allows() {
    let (_receiver, server) = hanging().await;
    change(&server, &json!({ "timeout_seconds": 1 })).await;
    let came = test(&server, &json!({})).await;
    assert_eq!(came["failure"], "timed_out");
    let took = came["took_ms"].as_u64().unwrap();
    assert!((900..30_000).contains(&took), "{took}");
}

#[tokio::test]
async fn concurrent_test_sends_are_limited_even_when_abandoned() {
    let (receiver, server) = hanging().await;
    let target = format!("/admin/v1/channels/{CHANNEL}/test-send");
    let nothing = json!({});
    for count in 1..=4 {
        // The caller goes away as soon as the receiver has been reached.
        let asking = server.client().operates("POST", &target, &nothing);
        let reached = eventually("the receiver is reached", async || {
            (receiver.connections() >= count).then_some(())
        });
        tokio::select! {
            answer = asking => panic!("{}", answer.body),
            () = reached => {}
        }
    }
    let fifth = server.client().operates("POST", &target, &nothing).await;
    assert_eq!(fifth.is(503).header("retry-after"), "1");
}
