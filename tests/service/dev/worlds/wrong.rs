//! Orders that are wrong: each is refused with what there is instead, and changes nothing.

use serde_json::{Value, json};

use super::started;
use super::world::{World, order};

fn cases() -> [(&'static str, &'static str, Value, &'static str); 13] {
    [
        (
            "POST",
            "/clock",
            json!({ "mode": "fast" }),
            "`skip`, `frozen`, `real`",
        ),
        ("POST", "/advance", json!({ "seconds": -1 }), "more than 0"),
        (
            "POST",
            "/advance",
            json!({ "minutes": 1 }),
            "expected `seconds`",
        ),
        (
            "PUT",
            "/webhook",
            json!({ "url": "ftp://x" }),
            "http or https",
        ),
        (
            "POST",
            "/customers/b%20o/say",
            json!({ "text": "x" }),
            "letters, digits",
        ),
        ("POST", "/customers/bo/say", json!({ "text": "" }), "text:"),
        (
            "POST",
            "/users/ada/reply",
            json!({ "text": "x" }),
            "no customer has written",
        ),
        (
            "POST",
            "/users/ada/reply",
            json!({ "text": "x", "customer": "bo" }),
            "bo has written nothing",
        ),
        (
            "POST",
            "/faults",
            json!({ "on": "moon", "do": "drop" }),
            "answers, media, callbacks, engine",
        ),
        (
            "POST",
            "/faults",
            json!({ "on": "callbacks", "do": "explode" }),
            "bad_signature",
        ),
        (
            "GET",
            "/wait?until=doomsday",
            json!(null),
            "callback.delivered",
        ),
        (
            "GET",
            "/wait?until=quiet&count=0",
            json!(null),
            "at least 1",
        ),
        (
            "GET",
            "/wait?until=quiet&timeout=0",
            json!(null),
            "more than 0",
        ),
    ]
}

#[tokio::test]
async fn wrong_orders_are_400_and_name_what_there_is() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    for (method, tail, body, words) in cases() {
        let answer = world.try_order(method, tail, body).await;
        let detail = answer.json["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(words), "{method} {tail}: {answer:?}");
        assert_eq!(answer.status, 400, "{method} {tail}");
    }
    let journal = world.text("/journal?form=text").await;
    let mut lines = journal.lines();
    assert!(lines.next().unwrap().contains("makes the world"));
    let mut orders = lines.filter(|line| !line.contains("waits for"));
    assert!(orders.all(|line| line.contains(": refused: ")), "{journal}");
}

#[tokio::test]
async fn unknown_addresses_and_methods_are_named() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    for (method, tail, status) in [
        ("GET", "/moon", 404),
        ("GET", "/advance", 405),
        ("PATCH", "", 405),
    ] {
        assert_eq!(
            world.try_order(method, tail, json!(null)).await.status,
            status,
            "{tail}"
        );
    }
}

#[tokio::test]
async fn a_wrong_world_is_not_made() {
    let server = started().await;
    let wrong = [
        json!({ "clock": "fast" }),
        json!({ "colour": "red" }),
        json!({ "ttl": 0 }),
        json!({ "webhook": "here" }),
    ];
    for body in wrong {
        let answer = order(&server, "POST", "/worlds", body).await;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    let list = order(&server, "GET", "/worlds", Value::Null).await;
    assert_eq!(list.json, json!({ "worlds": [] }));
}
