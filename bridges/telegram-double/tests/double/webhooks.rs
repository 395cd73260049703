//! Webhooks: proof, order, repeats and their end, by the clock of the double.

use serde_json::json;

use crate::support::{Receiver, World, eventually};

async fn hooked() -> (World, Receiver) {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let receiver = Receiver::start().await;
    let settings = json!({"url": receiver.url, "secret_token": "se-cret_1", "max_connections": 5});
    it.done("setWebhook", settings).await;
    (it, receiver)
}

async fn until_pending(it: &World, count: usize) {
    eventually(&format!("{count} updates wait"), || async {
        let info = it.done("getWebhookInfo", json!({})).await;
        (info["pending_update_count"] == count).then_some(())
    })
    .await;
}

/// Waits until the last call of the webhook has failed at the present moment.
async fn until_error(it: &World) {
    let now = it.orders().clock().await.unwrap().now / 1_000;
    eventually("the webhook fails", || async {
        let info = it.done("getWebhookInfo", json!({})).await;
        (info["last_error_date"] == now).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_webhook_gets_updates_with_its_secret() {
    let (it, receiver) = hooked().await;
    it.say("Hello").await;
    let hooks = receiver.until(1).await;
    assert!(
        hooks[0]
            .head
            .contains("x-telegram-bot-api-secret-token: se-cret_1"),
        "{}",
        hooks[0].head
    );
    assert_eq!(hooks[0].update["message"]["text"], "Hello");
    until_pending(&it, 0).await;
    let list = it.orders().confirmed(42).await.unwrap();
    assert_eq!(list.count, 1);
    let info = it.done("getWebhookInfo", json!({})).await;
    assert_eq!(
        (&info["url"], &info["max_connections"]),
        (&json!(receiver.url), &json!(5))
    );
}

#[tokio::test]
async fn a_failing_chat_waits_in_order_while_others_go_on() {
    let (it, receiver) = hooked().await;
    receiver.answer(7, "500 Error", 1);
    it.say("one").await;
    receiver.until(1).await;
    until_error(&it).await;
    it.say("two").await;
    it.order("say", json!({"from": 8, "text": "other"})).await;
    receiver.until(2).await;
    until_pending(&it, 2).await;
    assert_eq!(receiver.texts(), ["one", "other"]);
    it.advance(1).await;
    receiver.until(4).await;
    assert_eq!(receiver.texts(), ["one", "other", "one", "two"]);
    until_pending(&it, 0).await;
}

#[tokio::test]
async fn repeats_double_by_the_clock_that_a_test_moves() {
    let (it, receiver) = hooked().await;
    receiver.answer(7, "502 Bad Gateway", 4);
    it.say("one").await;
    for (count, wait) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
        receiver.until(count).await;
        until_error(&it).await;
        if wait > 1 {
            it.advance(wait - 1).await;
            assert_eq!(receiver.hooks().len(), count, "it waits {wait} seconds");
            it.advance(1).await;
        } else {
            it.advance(wait).await;
        }
    }
    receiver.until(5).await;
    until_pending(&it, 0).await;
    let info = it.done("getWebhookInfo", json!({})).await;
    assert_eq!(
        info["last_error_message"],
        "Wrong response from the webhook: 502 Bad Gateway"
    );
}

#[tokio::test]
async fn a_webhook_names_its_wait() {
    let (it, receiver) = hooked().await;
    receiver.answer(7, "503 Busy\r\nRetry-After: 30", 1);
    it.say("one").await;
    receiver.until(1).await;
    until_error(&it).await;
    it.advance(29).await;
    assert_eq!(receiver.hooks().len(), 1);
    it.advance(1).await;
    receiver.until(2).await;
}

#[tokio::test]
async fn a_webhook_that_cannot_be_reached_keeps_its_updates() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    it.done("setWebhook", json!({"url": "http://127.0.0.1:1/hook"}))
        .await;
    it.say("one").await;
    until_error(&it).await;
    let info = it.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["last_error_message"], "Connection refused");
    it.done("deleteWebhook", json!({})).await;
    assert_eq!(
        it.updates(0).await.len(),
        1,
        "a poll gets what the webhook did not"
    );
}

#[tokio::test]
async fn an_update_is_given_up_after_24_hours() {
    let (it, receiver) = hooked().await;
    receiver.answer(7, "500 Error", 2);
    it.say("one").await;
    receiver.until(1).await;
    until_error(&it).await;
    it.advance(86_399).await;
    receiver.until(2).await;
    until_pending(&it, 0).await;
    let list = it.orders().confirmed(42).await.unwrap();
    assert_eq!((list.count, list.dropped.expired), (0, 1));
}

#[tokio::test]
async fn a_webhook_that_is_gone_for_23_hours_is_dropped() {
    let (it, receiver) = hooked().await;
    receiver.answer(7, "410 Gone", 3);
    it.say("one").await;
    receiver.until(1).await;
    until_error(&it).await;
    it.advance(23 * 3_600).await;
    receiver.until(2).await;
    until_error(&it).await;
    it.advance(120).await;
    receiver.until(3).await;
    eventually("the webhook is dropped", || async {
        let info = it.done("getWebhookInfo", json!({})).await;
        (info["url"] == "").then_some(())
    })
    .await;
    assert_eq!(it.updates(0).await.len(), 1);
}

#[tokio::test]
async fn updates_that_wait_are_dropped_on_demand() {
    let it = World::start().await;
    it.say("one").await;
    let receiver = Receiver::start().await;
    it.done(
        "setWebhook",
        json!({"url": receiver.url, "drop_pending_updates": true}),
    )
    .await;
    it.say("two").await;
    receiver.until(1).await;
    assert_eq!(receiver.texts(), ["two"]);
}

#[tokio::test]
async fn odd_webhooks_are_refused() {
    let it = World::start().await;
    for (body, text) in [
        (json!({"url": "nonsense"}), "invalid webhook URL specified"),
        (
            json!({"url": "ftp://a.example"}),
            "An HTTPS URL must be provided",
        ),
        (
            json!({"url": "https://a.example:99"}),
            "only on ports 80, 88, 443 or 8443",
        ),
        (
            json!({"url": "https://a.example", "secret_token": "a b"}),
            "secret token contains unallowed characters",
        ),
        (
            json!({"url": "https://a.example", "secret_token": "a".repeat(257)}),
            "secret token is too long",
        ),
    ] {
        let (code, description) = it.refused("setWebhook", body).await;
        assert_eq!(code, 400);
        assert!(description.contains(text), "{description}");
    }
}
