//! Habits of people, as a program outside sees them.

use serde_json::{Value, json};

use super::started;
use super::world::World;
use crate::support::receiver::Receiver;

impl World<'_> {
    async fn keep(&self, who: &str, habit: Value) -> Value {
        self.order("PUT", &format!("/{who}/habits"), habit).await
    }

    async fn habits(&self) -> Value {
        self.order("GET", "/habits", json!(null)).await["habits"].clone()
    }

    async fn now(&self) -> u64 {
        let response = self.order("GET", "", json!(null)).await;
        response["clock"]["now_ms"].as_u64().unwrap()
    }
}

/// The program posts a message, gets the answer as a callback, and its customer reads it: all in a wait.
#[tokio::test]
async fn habits_are_kept_while_a_client_waits() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
    let answers = json!({ "do": "answers", "after": 2, "text": "One moment." });
    let answer = world.keep("users/eve", answers).await;
    let habit = json!({ "user": "eve", "do": "answers", "after": 2.0, "text": "One moment.", "left": null });
    assert_eq!(answer, habit);
    world
        .keep("customers/program", json!({ "do": "reads", "after": 10 }))
        .await;
    assert_eq!(world.habits().await[1], habit);
    let before = world.now().await;
    assert_eq!(world.post("m-1").await.status, 200);
    let event = world.wait("until=quiet").await;
    assert_eq!(event["met"], true, "{event}");
    let took = world.now().await - before;
    assert!((12_000..14_000).contains(&took), "{took}");
    let [request] = &receiver.requests(1).await[..] else {
        panic!("it arrived more than once")
    };
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body["message"]["message"]["text"], "One moment.");
    let read = world.wait("until=delivery>=read").await;
    assert_eq!(read["met"], true, "{read}");
    let journal = world.text("/journal?form=text").await;
    for words in [
        "user eve  has a habit: {\"after\":2.0,\"do\":\"answers\",\"text\":\"One moment.\"}",
        "user eve  answers \"One moment.\" out of habit",
        "customer program reads out of habit",
    ] {
        assert!(journal.contains(words), "{words}: {journal}");
    }
    let facts = world.order("GET", "", json!(null)).await;
    assert_eq!(facts["users"][1]["name"], "eve");
    assert_eq!(facts["habits"].as_array().unwrap().len(), 2);
}

/// The id of a conversation that the program has posted may have any letters.
#[tokio::test]
async fn a_customer_of_the_program_has_habits() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let reads = json!({ "do": "reads", "after": 1 });
    let name = "/customers/chat%3A7%20%C3%A9/habits";
    let unknown = world.try_order("PUT", name, reads.clone()).await;
    assert_eq!(unknown.status, 400, "{unknown:?}");
    world.post_in("m-1", "chat:7 é").await.is(200);
    assert_eq!(
        world.order("PUT", name, reads).await["customer"],
        "chat:7 é"
    );
    world.reply("ada", "chat:7 é", "Hello.").await;
    let event = world.wait("until=delivery>=read").await;
    assert_eq!(event["met"], true, "{event}");
}

/// A report that is waited for comes in the time of the world, which passes until then and no further.
#[tokio::test]
async fn a_wait_for_a_report_takes_the_time_of_the_habit() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    world.say("bo", "Have you any tulips?").await;
    world
        .keep("customers/bo", json!({ "do": "reads", "after": 600 }))
        .await;
    world.reply("ada", "bo", "Red ones.").await;
    let before = world.now().await;
    let event = world.wait("until=delivery>=read").await;
    assert_eq!(event["met"], true, "{event}");
    let took = world.now().await - before;
    assert!((600_000..601_000).contains(&took), "{took}");
}

#[tokio::test]
async fn habits_follow_a_frozen_clock() {
    let server = started().await;
    let world = World::make(&server, json!({ "clock": "frozen" })).await;
    let answers = json!({ "do": "answers", "after": 60, "text": "Hello.", "times": 1 });
    world.keep("users/ada", answers).await;
    world.say("bo", "Have you any tulips?").await;
    assert_eq!(world.habits().await, json!([]), "its one time is due");
    let waits = world.wait("until=quiet").await;
    assert_eq!(waits["met"], false);
    let why = waits["why"].as_str().unwrap();
    assert!(why.contains("habit is later: use advance"), "{why}");
    let near = waits["near"].to_string();
    assert!(
        near.contains(r#"user ada answers \"Hello.\" at 20"#),
        "{near}"
    );
    world
        .order("POST", "/advance", json!({ "seconds": 59 }))
        .await;
    assert_eq!(world.texts("bo").await.len(), 1);
    world
        .order("POST", "/advance", json!({ "seconds": 1 }))
        .await;
    assert_eq!(world.texts("bo").await[1..], ["out Hello."]);
    assert_eq!(world.wait("until=quiet").await["met"], true);
}

/// Snapshots have habits, with what is due of them; a restart ends none.
#[tokio::test]
async fn habits_outlast_restarts_and_are_in_snapshots() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let answers = json!({ "do": "answers", "after": 60, "text": "Hello." });
    world.keep("users/ada", answers).await;
    world.say("bo", "Have you any tulips?").await;
    world.order("POST", "/restart", json!({})).await;
    let response = world.order("POST", "/snapshots", json!({})).await;
    let fork = World::fork(&world, response["id"].as_str().unwrap()).await;
    world
        .order("DELETE", "/users/ada/habits", json!(null))
        .await;
    assert_eq!(world.wait("until=quiet").await["met"], true);
    assert_eq!(world.texts("bo").await.len(), 1, "what was due is ended");
    world
        .order("POST", "/snapshots/s1/restore", json!({}))
        .await;
    for world in [&world, &fork] {
        assert_eq!(world.habits().await.as_array().unwrap().len(), 1);
        assert_eq!(world.wait("until=quiet").await["met"], true);
        assert_eq!(world.texts("bo").await[1..], ["out Hello."]);
        let journal = world.text("/journal?form=text").await;
        assert!(
            journal.contains("answers \"Hello.\" out of habit"),
            "{journal}"
        );
    }
    let result = world.order("DELETE", "/habits", json!(null)).await;
    assert_eq!(result, json!({ "habits": [] }));
}
