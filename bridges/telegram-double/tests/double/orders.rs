//! Orders over HTTP: their list, their mistakes, and the reset.

use serde_json::{Value, json};
use telegram_double::OrderError;
use telegram_double::orders::{ORDERS, Say};

use crate::support::{TOKEN, World};

#[tokio::test]
async fn every_order_of_the_list_is_known_and_its_example_is_read() {
    let it = World::start().await;
    let (status, list) = it.get("/double").await;
    assert_eq!(status, 200);
    assert_eq!(list["orders"].as_array().unwrap().len(), ORDERS.len());
    for row in ORDERS {
        if row.method == "GET" {
            assert_eq!(it.get(row.path).await.0, 200, "{}", row.path);
            continue;
        }
        let body: Value = serde_json::from_str(row.body).unwrap();
        let (status, answer) = it.post(row.path, &body).await;
        let text = answer.to_string();
        assert_ne!(status, 404, "{}", row.path);
        assert!(
            !text.contains("the body is no such order"),
            "{}: {text}",
            row.path
        );
    }
}

#[tokio::test]
async fn mistakes_are_named_with_their_paths() {
    let it = World::start().await;
    let (status, answer) = it.post("/double/nonsense", &json!({})).await;
    assert_eq!(status, 404);
    assert!(
        answer["errors"][0]["detail"]
            .as_str()
            .unwrap()
            .contains("POST /double/say")
    );
    let (status, answer) = it.post("/double/say", &json!([1])).await;
    assert_eq!(status, 400, "{answer}");
    let error = it.orders().say(&Say::text(99, "x")).await;
    let Err(OrderError::Refused(problems)) = error else {
        panic!("{error:?}")
    };
    assert_eq!(problems.errors[0].path, "from");
    let (status, answer) = it
        .post("/double/clock", &json!({"advance_seconds": -1}))
        .await;
    assert_eq!(
        (status, &answer["errors"][0]["path"]),
        (400, &json!("advance_seconds"))
    );
    let (status, answer) = it.get("/double/state?bot=9").await;
    assert_eq!((status, &answer["errors"][0]["path"]), (400, &json!("bot")));
}

#[tokio::test]
async fn two_bots_have_worlds_of_their_own() {
    let it = World::start().await;
    it.order("bots", json!({"token": "43:B"})).await;
    let (status, answer) = it
        .post("/double/say", &json!({"from": 7, "text": "x"}))
        .await;
    assert_eq!(status, 400, "{answer}");
    it.order("say", json!({"bot": 43, "from": 7, "text": "x"}))
        .await;
    assert!(it.updates(0).await.is_empty());
    let (_, updates) = it.get("/bot43:B/getUpdates").await;
    assert_eq!(updates["result"][0]["message"]["text"], "x");
}

#[tokio::test]
async fn a_reset_forgets_bots_and_people() {
    let it = World::start().await;
    it.say("one").await;
    it.orders().reset().await.unwrap();
    assert_eq!(it.refused("getMe", json!({})).await.0, 401);
    let state = it.orders().state().await.unwrap();
    assert!(state.bots.is_empty() && state.people.is_empty());
}

#[tokio::test]
async fn no_answer_of_an_order_shows_a_token() {
    let it = World::start().await;
    it.say("one").await;
    let secret = TOKEN.split(':').nth(1).unwrap();
    for path in [
        "/double",
        "/double/state",
        "/double/confirmed",
        "/double/faults",
    ] {
        let (_, answer) = it.get(path).await;
        assert!(!answer.to_string().contains(secret), "{path}");
    }
    let registered = it.order("bots", json!({"token": TOKEN})).await;
    assert!(!registered.to_string().contains(secret));
    assert!(!format!("{:?}", it.double).contains(secret));
}
