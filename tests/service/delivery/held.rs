//! Every accepted reply is in a state that a person can see, with its reason.

use std::time::Duration;

use serde_json::Value;
use switchboard_worlds::sink::{Behaviour, Reply};

use crate::delivery::{conversation, delivery_is};
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup};

#[tokio::test]
async fn the_inbox_and_the_operator_see_the_same_states_with_reasons() {
    let receiver = Receiver::start().await;
    // Each state lasts for some seconds, so that it is seen on a slow machine too.
    let later = Reply::new(500).header("Retry-After", "6");
    receiver.script([
        Behaviour::slow_head(Duration::from_millis(200)),
        Behaviour::Answer(later),
    ]);
    let server = Setup::default()
        .webhook(&receiver)
        .setting("dispatch", "timeout_seconds = 6")
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    let conversation = conversation(&server, "c").await;
    let one = client.replied(&conversation, "one").await;
    let two = client.replied(&conversation, "two").await;
    let sending = client.callback_is(&conversation, &one, "sending").await;
    assert_eq!(sending["callback"]["reason"], "attempt 1 is in progress");
    assert_eq!(sending["callback"]["reason_code"], "attempt_in_progress");
    let message_view = client.callback_is(&conversation, &two, "queued").await;
    assert_eq!(
        message_view["callback"]["reason"],
        "the callback waits for an earlier message of its conversation"
    );
    assert_eq!(message_view["callback"]["attempts"], 0);
    // The short wait after the first attempt, which came to nothing in time, may or may not be seen.
    let waiting = eventually("the callback waits for its third attempt", async || {
        let waiting = client.callback_is(&conversation, &one, "waiting").await;
        (waiting["callback"]["attempts"] == 2).then(|| waiting["callback"].clone())
    })
    .await;
    assert!(waiting["next_attempt_at"].is_u64());
    assert_eq!(waiting["reason"], "the integration answered 500");
    assert_eq!(waiting["reason_code"], "server_error");
    assert_eq!(waiting["reason_details"]["status"], 500);
    for message in [&one, &two] {
        let view = client
            .callback_is(&conversation, message, "delivered")
            .await;
        assert_eq!(view["callback"]["reason"], Value::Null);
        assert_eq!(view["callback"]["reason_code"], Value::Null);
        delivery_is(&server, message, "delivered").await;
    }
}

/// A delivery that an open endpoint holds says so, also behind the head of its queue and during a probe.
#[tokio::test]
async fn deliveries_held_by_an_open_breaker_give_the_reason() {
    let receiver = Receiver::answering(401).await;
    let server = Server::calling(&receiver).await;
    let client = server.client();
    client.connect("v2").await;
    let mut all = Vec::new();
    for name in ["a", "b", "c", "d"] {
        let conversation = conversation(&server, name).await;
        for text in ["one", "two"] {
            let id = client.replied(&conversation, text).await;
            all.push((conversation.clone(), id));
        }
    }
    for (conversation, message) in &all {
        let message_view = client.callback_is(conversation, message, "held").await;
        let reason = message_view["callback"]["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("the endpoint failed too often"),
            "{reason}"
        );
        assert_eq!(message_view["callback"]["reason_code"], "address_failing");
        assert!(
            message_view["callback"]["next_attempt_at"].is_u64(),
            "{message_view}"
        );
    }
}
