//! Too much queued: 429 for what is narrower than the node, 503 for the node, and nothing written.

use futures_util::future::join_all;
use serde_json::json;

use crate::delivery::conversation;
use crate::support::eventually;
use crate::support::receiver::Receiver;
use crate::support::server::{CHANNEL, Server, Setup};

async fn full(setting: &str) -> (Server, String) {
    let server = Setup::default().setting("dispatch", setting).start().await;
    server.client().connect("v2").await;
    let conversation = conversation(&server, "c").await;
    for text in ["one", "two"] {
        server.client().replied(&conversation, text).await;
    }
    (server, conversation)
}

#[tokio::test]
async fn each_quota_answers_with_name_limit_and_retry_after() {
    let table = [
        ("queued_per_conversation_max = 2", "conversation", 429),
        ("queued_per_scope_max = 2", "scope", 429),
        ("queued_per_endpoint_max = 2", "endpoint", 429),
        ("queued_max = 2", "node", 503),
    ];
    for (setting, name, status) in table {
        let (server, conversation) = full(setting).await;
        let before = server.client().messages(&conversation).await;
        let answer = server
            .client()
            .reply(&conversation, "three")
            .await
            .is(status);
        let seconds: u64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=3_600).contains(&seconds));
        let quota = &answer.json["quota"];
        assert_eq!(
            (&quota["name"], &quota["limit"], &quota["queued"]),
            (&name.into(), &2.into(), &2.into())
        );
        assert!(
            answer.json["endpoint"]["health"].is_string(),
            "{}",
            answer.body
        );
        let after = server.client().messages(&conversation).await;
        assert_eq!(after.len(), before.len(), "nothing was written");
    }
}

/// A refusal stays after `kill -9`, and ends when the integration accepts the queued callbacks.
#[tokio::test]
async fn backpressure_survives_kill_9_and_ends_when_callbacks_drain() {
    let (mut server, conversation) = full("queued_per_conversation_max = 2").await;
    server.kill_9();
    server.restart().await;
    server.client().reply(&conversation, "three").await.is(429);
    let receiver = Receiver::start().await;
    assert_eq!(server.terminate().await, Some(0));
    server.change(|setup| setup.webhook(&receiver));
    server.restart().await;
    receiver.callbacks(2).await;
    crate::support::eventually("there is room again", async || {
        let answer = server.client().reply(&conversation, "three").await;
        (answer.status == 201).then_some(())
    })
    .await;
    let arrived = receiver.callbacks(3).await;
    assert_eq!(arrived[2].json["message"]["message"]["text"], "three");
}

#[tokio::test]
async fn sixty_four_writers_at_a_quota_get_exactly_the_remaining_room() {
    let (server, conversation) = full("queued_per_scope_max = 12").await;
    let client = server.client();
    let writers = (0..64).map(|_| client.reply(&conversation, "at once"));
    let answers = join_all(writers).await;
    let successes = answers.iter().filter(|it| it.status == 201).count();
    let refusals = answers.iter().filter(|it| it.status == 429).count();
    assert_eq!((successes, refusals), (10, 54));
    assert_eq!(client.messages(&conversation).await.len(), 13);
}

/// A full queue of a paused channel gives the reason and a short `Retry-After`.
#[tokio::test]
async fn a_full_queue_in_a_pause_has_a_reason_and_retry_after() {
    let (server, conversation) = full("queued_per_conversation_max = 2").await;
    let target = format!("/admin/v1/channels/{CHANNEL}/pause");
    let client = server.client();
    client.operates("POST", &target, &json!({})).await.is(200);
    let answer = eventually("the dispatcher knows of the pause", async || {
        let answer = client.reply(&conversation, "three").await.is(429);
        (answer.json["endpoint"]["health"] == "switched_off").then_some(answer)
    })
    .await;
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(answer.json["endpoint"]["reason_code"], "channel_paused");
    let detail = answer.json["detail"].as_str().unwrap();
    assert!(
        detail.ends_with("they leave when it is resumed"),
        "{detail}"
    );
}
