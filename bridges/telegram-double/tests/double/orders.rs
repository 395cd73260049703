//! Orders over HTTP: their list, their mistakes, and the reset.

use serde_json::{Value, json};
use telegram_double::OrderError;
use telegram_double::orders::{ORDERS, Say};

use tokio::io::AsyncWriteExt as _;

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
async fn bodies_have_bounds() {
    let it = World::start().await;
    let large = "x".repeat(2 << 20);
    assert_eq!(
        it.refused("sendMessage", json!({"chat_id": 7, "text": large}))
            .await
            .0,
        413
    );
    let (status, _) = it
        .post(
            "/double/say",
            &json!({"from": 7, "text": "x".repeat(33 << 20)}),
        )
        .await;
    assert_eq!(status, 400);
    let name = "x".repeat(257);
    let (status, answer) = it
        .post("/double/people", &json!({"first_name": name}))
        .await;
    assert_eq!(
        (status, &answer["errors"][0]["path"]),
        (400, &json!("first_name"))
    );
}

#[tokio::test]
async fn garbage_on_the_socket_does_no_harm() {
    let it = World::start().await;
    for bytes in [
        &b"\x16\x03\x01\x00"[..],
        b"GET\r\n\r\n",
        b"POST /botX HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
    ] {
        let mut stream = tokio::net::TcpStream::connect(it.double.address())
            .await
            .unwrap();
        stream.write_all(bytes).await.unwrap();
        stream.shutdown().await.unwrap();
    }
    for path in [
        "/bot%ff%fe/getMe",
        "/bot//",
        "/file/bot",
        "/double//",
        "/double/../x",
        "/%00",
    ] {
        let (status, _) = it.get(path).await;
        assert!(status == 404 || status == 200, "{path}: {status}");
    }
    it.done("getMe", json!({})).await;
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
