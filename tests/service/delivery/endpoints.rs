//! The state of addresses, also after a restart.

use serde_json::{Value, json};
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{conversation, delivery_is, done, read};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server};

async fn endpoint(server: &Server) -> Value {
    let list = read(server, "/admin/v1/endpoints").await;
    let mut endpoints = list["endpoints"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["channel_id"] == CHANNEL && it["version"] == "v2");
    endpoints.next().unwrap().clone()
}

async fn endpoint_is(server: &Server, health: &str) -> Value {
    eventually(&format!("the endpoint is {health}"), async || {
        let endpoint = endpoint(server).await;
        (endpoint["health"] == health).then_some(endpoint)
    })
    .await
}

/// Waits until the state of an endpoint is stored: a change that is written behind it is acknowledged only after it.
async fn on_disk(server: &Server) {
    conversation(server, "behind it").await;
}

async fn enable(server: &Server, version: &str) -> u16 {
    let target = format!("/admin/v1/endpoints/{CHANNEL}/{version}/enable");
    server
        .client()
        .operates("POST", &target, &json!({}))
        .await
        .status
}

/// An endpoint that is gone stays so over a restart, until an operator enables it.
#[tokio::test]
async fn a_gone_endpoint_stays_gone_over_a_restart_until_enabled() {
    let receiver = Receiver::start().await;
    receiver.script([Behaviour::Answer(Reply {
        body: b"moved out".as_slice().into(),
        ..Reply::new(410)
    })]);
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = server.client().replied(&conversation, "one").await;
    let two = server.client().replied(&conversation, "two").await;
    let endpoint_view = endpoint_is(&server, "disabled").await;
    assert_eq!(endpoint_view["queued"], 2);
    assert_eq!(endpoint_view["last_error"]["status"], 410);
    assert_eq!(endpoint_view["last_error"]["excerpt"], "moved out");
    assert!(endpoint_view["disabled_at"].is_u64() && endpoint_view["failing_since"].is_u64());
    assert!(
        endpoint_view["address"]
            .as_str()
            .unwrap()
            .contains("/v2/:scope_id")
    );
    for message in [&one, &two] {
        let delivery = delivery_is(&server, message, "held").await;
        let reason = delivery["reason"].as_str().unwrap();
        assert!(
            reason.contains("an operator must enable it again"),
            "{reason}"
        );
    }
    on_disk(&server).await;
    server.kill_9();
    server.restart().await;
    let still = endpoint_is(&server, "disabled").await;
    assert_eq!(still["disabled_at"], endpoint_view["disabled_at"]);
    assert_eq!(still["last_error"], endpoint_view["last_error"]);
    delivery_is(&server, &two, "held").await;
    assert_eq!(receiver.so_far().len(), 1, "it is left alone");
    assert_eq!(enable(&server, "v1").await, 409);
    assert_eq!(enable(&server, "v3").await, 404);
    assert_eq!(enable(&server, "v2").await, 204);
    for message in [&one, &two] {
        delivery_is(&server, message, "delivered").await;
    }
    assert_eq!(enable(&server, "v2").await, 409);
    let well = endpoint(&server).await;
    assert!(["healthy", "slow_start"].contains(&well["health"].as_str().unwrap()));
    assert_eq!(
        (&well["failing_since"], &well["queued"]),
        (&Value::Null, &json!(0))
    );
    assert_eq!(
        done(&server).await,
        [("endpoint.enable".to_owned(), format!("{CHANNEL}/v2"))]
    );
}

#[tokio::test]
async fn a_new_address_is_tried_after_the_old_one_was_gone() {
    let receiver = Receiver::answering(410).await;
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = server.client().replied(&conversation, "one").await;
    endpoint_is(&server, "disabled").await;
    let target = Receiver::start().await;
    assert_eq!(server.terminate().await, Some(0));
    server.change(|setup| setup.webhook(&target));
    server.restart().await;
    delivery_is(&server, &one, "delivered").await;
    assert_eq!(target.callbacks(1).await.len(), 1);
}

#[tokio::test]
async fn a_failing_endpoint_shows_since_when_and_its_next_probe() {
    let receiver = Receiver::answering(404).await;
    let mut server = Server::calling(&receiver).await;
    server.client().connect("v2").await;
    for name in ["a", "b", "c"] {
        let conversation = conversation(&server, name).await;
        server.client().replied(&conversation, "hello").await;
    }
    let open = endpoint_is(&server, "open").await;
    assert!(open["next_probe_at"].is_u64());
    assert_eq!(open["reason_code"], "probed");
    assert_eq!(open["queued"], 3);
    assert!(open["oldest_queued_at"].is_u64());
    on_disk(&server).await;
    server.kill_9();
    server.restart().await;
    let after = eventually("it is known since when it fails", async || {
        let endpoint = endpoint(&server).await;
        endpoint["failing_since"].is_u64().then_some(endpoint)
    })
    .await;
    // One moment by two clocks, each cut to its second.
    let [before, after] = [&open, &after].map(|it| it["failing_since"].as_u64().unwrap());
    assert!(before.abs_diff(after) <= 1, "{before} and {after}");
}
