//! Hooks that no receiver takes: each attempt says why.

use serde_json::{Value, json};
use switchboard_worlds::sink::Behaviour;

use crate::hooks::{hooks, patient, send_in_account, subscribes};
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::Setup;

/// The only hook of the first webhook, once it waits for its second attempt.
async fn waiting(client: &Client) -> Value {
    let hook = eventually("the hook waits for its next attempt", async || {
        let newest = hooks(client, 1).await.into_iter().next()?;
        (newest["state"] == "waiting").then_some(newest)
    })
    .await;
    assert_eq!(hook["attempts"], 1);
    hook
}

/// A receiver that never answers has the time of the setting, and is asked again after five minutes.
#[tokio::test]
async fn an_attempt_that_is_never_answered_ends_with_its_time() {
    let receiver = Receiver::behaving(Behaviour::Hang).await;
    let setup = Setup::default().setting("dispatch", "hook_timeout_seconds = 1");
    let server = setup.start().await;
    let client = server.client();
    client.connect("v2").await;
    subscribes(client, &receiver, &["add_message"]).await;
    client.sent(&message("m1", "c")).await;
    let hook = waiting(client).await;
    let attempt = &hook["last_attempt"];
    assert_eq!(
        (&attempt["failure"], &attempt["status"]),
        (&json!("timed_out"), &Value::Null)
    );
    let took = attempt["took_ms"].as_u64().unwrap();
    assert!((900..30_000).contains(&took), "{took}");
    let seconds = |value: &Value| value.as_u64().unwrap();
    let wait = seconds(&hook["next_attempt_at"]) - seconds(&attempt["at"]);
    assert!((300..360).contains(&wait), "{wait}");
}

/// The destination was allowed when it was subscribed. The guard looks at it again with each attempt.
#[tokio::test]
async fn a_hook_to_an_address_that_is_forbidden_by_now_does_not_leave() {
    let receiver = Receiver::start().await;
    let mut server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    subscribes(client, &receiver, &["add_message"]).await;
    assert_eq!(server.terminate().await, Some(0));
    server.change(|setup| setup.setting("dispatch", "allow_private_networks = false"));
    server.restart().await;
    let client = server.client();
    client.sent(&message("m1", "c")).await;
    let hook = waiting(client).await;
    let attempt = &hook["last_attempt"];
    assert_eq!(
        (&attempt["failure"], &attempt["status"], &attempt["address"]),
        (&json!("forbidden_address"), &Value::Null, &Value::Null)
    );
    let excerpt = attempt["excerpt"].as_str().unwrap();
    assert!(excerpt.contains("loopback address"), "{excerpt}");
    assert_eq!(receiver.connections(), 0);
    // It is still forbidden when the operator asks for an attempt.
    let replay = format!("/webhooks/1/hooks/{}/replay", hook["id"]);
    send_in_account(client, "POST", &replay).await.is(200);
    eventually("there was another attempt", async || {
        let newest = hooks(client, 1).await.into_iter().next()?;
        (newest["attempts"] == 2).then_some(())
    })
    .await;
    assert_eq!(receiver.connections(), 0);
}
