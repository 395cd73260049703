//! The buckets of sending.

use serde_json::{Value, json};
use telegram_double::Rates;

use crate::support::World;

async fn send(it: &World, chat: i64) -> Option<i64> {
    let (status, envelope) = it
        .call("sendMessage", json!({"chat_id": chat, "text": "x"}))
        .await;
    let wait = envelope["parameters"]["retry_after"].as_i64();
    assert_eq!(status, if wait.is_some() { 429 } else { 200 }, "{envelope}");
    if let Some(seconds) = wait {
        assert_eq!(
            envelope["description"],
            format!("Too Many Requests: retry after {seconds}")
        );
    }
    wait
}

#[tokio::test]
async fn a_chat_takes_a_burst_and_one_message_a_second() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    it.order("start", json!({"from": 8})).await;
    for _ in 0..5 {
        assert_eq!(send(&it, 7).await, None);
    }
    assert_eq!(send(&it, 7).await, Some(1));
    assert_eq!(send(&it, 8).await, None, "another chat goes on");
    it.advance(1).await;
    assert_eq!(send(&it, 7).await, None);
    assert_eq!(send(&it, 7).await, Some(1));
}

#[tokio::test]
async fn a_group_takes_20_messages_a_minute() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    let rates = Rates {
        chat_per_second: 0,
        ..Rates::default()
    };
    it.orders().set_rates(&rates).await.unwrap();
    let chat = it
        .order("groups", json!({"title": "T", "members": [7]}))
        .await["chat"]
        .as_i64()
        .unwrap();
    for _ in 0..20 {
        assert_eq!(send(&it, chat).await, None);
    }
    assert_eq!(send(&it, chat).await, Some(3));
    it.advance(3).await;
    assert_eq!(send(&it, chat).await, None);
}

#[tokio::test]
async fn all_chats_take_30_messages_a_second() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    for id in 100..131 {
        it.order("people", json!({"id": id, "first_name": "P"}))
            .await;
        it.order("start", json!({"from": id})).await;
    }
    for id in 100..130 {
        assert_eq!(send(&it, id).await, None);
    }
    assert_eq!(send(&it, 130).await, Some(1));
    it.advance(1).await;
    assert_eq!(send(&it, 130).await, None);
}

#[tokio::test]
async fn the_header_names_the_wait_as_well() {
    let it = World::start().await;
    it.orders().hold_clock().await.unwrap();
    for _ in 0..5 {
        send(&it, 7).await;
    }
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!(
        "{}/bot{}/sendMessage?chat_id=7&text=x",
        it.double.url(),
        crate::support::TOKEN
    );
    let response = client.get(url).send().await.unwrap();
    assert_eq!(response.headers()["retry-after"], "1");
    let envelope: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(envelope["error_code"], 429);
}
