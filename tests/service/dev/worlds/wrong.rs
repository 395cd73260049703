//! Orders that are wrong: each is refused with what there is instead, and changes nothing.

use serde_json::{Value, json};

use super::started;
use super::world::{World, order};

/// Method, path and body of an order, and words of its refusal.
type Case = (&'static str, &'static str, Value, &'static str);

fn wrong_faults() -> Vec<Case> {
    let fault_bodies = [
        (
            json!({ "on": "moon", "do": "drop" }),
            "answers, media, oauth, callbacks, hooks, questions, engine",
        ),
        (
            json!({ "on": "callbacks", "do": "explode" }),
            "bad_signature",
        ),
        (
            json!({ "on": "oauth", "do": "explode" }),
            "revoked, refresh_race",
        ),
        (
            json!({ "on": "callbacks", "do": "drip", "seconds": 1 }),
            "set a webhook first",
        ),
        (
            json!({ "on": "answers", "do": "truncated", "probability": 1.01 }),
            "more than 0 and at most 1",
        ),
        (
            json!({ "on": 7, "do": "drop", "times": "x", "colour": "red" }),
            "colour: unknown key, expected only on, do, times, match, status, retry_after, seconds, probability, seed; on: expected a string, found a whole number; times: expected a whole number, found a string",
        ),
        (json!([]), "expected an object"),
    ];
    let faults = fault_bodies.map(|(body, words)| ("POST", "/faults", body, words));
    faults.into_iter().collect()
}

fn wrong_orders() -> Vec<Case> {
    vec![
        (
            "POST",
            "/clock",
            json!({ "mode": "fast" }),
            "mode: expected one of skip, frozen, real",
        ),
        ("POST", "/advance", json!({ "seconds": -1 }), "more than 0"),
        (
            "POST",
            "/advance",
            json!({ "minutes": 1 }),
            "minutes: unknown key, expected only seconds",
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
    ]
}

fn wrong_queries() -> Vec<Case> {
    vec![
        (
            "GET",
            "/wait?until=doomsday",
            json!(null),
            "callback.delivered",
        ),
        (
            "GET",
            "/wait?until=doomsday&count=x&colour=red",
            json!(null),
            "until: there is no state «doomsday»",
        ),
        (
            "GET",
            "/wait?until=doomsday&count=x&colour=red",
            json!(null),
            "count: expected a whole number, not «x»; colour: there is no such parameter",
        ),
        ("GET", "/wait?count=1", json!(null), "until: is missing"),
        (
            "GET",
            "/journal?form=xml",
            json!(null),
            "form: there is no form «xml»; there are json, document",
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

fn wrong_habits() -> Vec<Case> {
    let habit_bodies = [
        (json!({ "do": "sleeps", "after": 1 }), "answers, reads"),
        (
            json!({ "do": "reads", "after": "x", "text": 7, "times": true }),
            "after: expected a number, found a string; times: expected a whole number, found true; text: the habit «reads» has no text",
        ),
        (json!({ "do": "reads" }), "after: this field is missing"),
        (
            json!({ "do": "reads", "after": -1 }),
            "after: expected a number from 0 to",
        ),
        (
            json!({ "do": "reads", "after": 1, "text": "x" }),
            "has no text",
        ),
        (json!({ "do": "answers", "after": 1 }), "needs text"),
        (
            json!({ "do": "takes_over", "after": 1 }),
            "do: expected one of answers, reads",
        ),
        (json!({ "do": "answers", "after": 1, "text": "" }), "text:"),
        (
            json!({ "do": "reads", "after": 1, "times": 0 }),
            "times: expected a whole number from 1",
        ),
        (
            json!({ "do": "reads", "after": 1, "when": "today" }),
            "when: unknown key, expected only do, after, text, seconds, times",
        ),
    ];
    let habits = habit_bodies.map(|(body, words)| ("PUT", "/customers/bo/habits", body, words));
    let name = json!({ "do": "reads", "after": 1 });
    habits
        .into_iter()
        .chain([
            (
                "PUT",
                "/users/ada/habits",
                json!({ "do": "snoozes", "after": 1, "text": "x" }),
                "text: the habit «snoozes» has no text; seconds: the habit «snoozes» needs seconds",
            ),
            (
                "PUT",
                "/users/ada/habits",
                json!({ "do": "snoozes", "after": 1, "seconds": 0 }),
                "seconds: expected a number from 1",
            ),
            (
                "PUT",
                "/users/ada/habits",
                json!({ "do": "notes", "after": 1 }),
                "text: the habit «notes» needs text",
            ),
            (
                "PUT",
                "/customers/b%20o/habits",
                name.clone(),
                "letters, digits",
            ),
            ("PUT", "/users/%23/habits", name, "no name of a user"),
            ("POST", "/users/%23/consent", json!({}), "no name of a user"),
        ])
        .collect()
}

#[tokio::test]
async fn wrong_orders_are_400_and_name_what_there_is() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    for (method, tail, body, words) in [
        wrong_orders(),
        wrong_queries(),
        wrong_faults(),
        wrong_habits(),
    ]
    .concat()
    {
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
        ("GET", "/users/ada/habits", 405),
        ("PUT", "/habits", 405),
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
        json!({ "redirect_uri": "here" }),
    ];
    for body in wrong {
        let answer = order(&server, "POST", "/worlds", body).await;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    let list = order(&server, "GET", "/worlds", Value::Null).await;
    assert_eq!(list.json, json!({ "worlds": [] }));
}
