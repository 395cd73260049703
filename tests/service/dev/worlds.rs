//! Worlds over HTTP, as a test kit in any language meets them.

mod console;
mod ends;
mod faults;
mod habits;
mod hooks;
mod oauth;
mod own_ids;
mod pieces;
mod questions;
mod reported;
mod secrets;
mod snapshots;
mod sockets;
pub(crate) mod targets;
mod time;
pub(crate) mod world;
mod wrong;

use serde_json::{Value, json};

use self::world::World;
use crate::support::receiver::Receiver;
use crate::support::server::{Server, Setup};

pub(crate) async fn started() -> Server {
    Setup::default().with_worlds().start().await
}

#[tokio::test]
async fn a_reply_in_a_world_reaches_the_program_outside() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = World::make(&server, json!({ "webhook": receiver.webhook("v2") })).await;
    world.say("bo", "Have you any tulips?").await;
    let reply = world.reply("ada", "bo", "Red ones.").await;
    let event = world.wait("until=callback.delivered").await;
    assert_eq!(event["met"], true, "{event}");
    let entry = &event["entries"][0];
    assert_eq!(entry["message_id"], reply["message_id"]);
    assert_eq!(entry["outcome"], "answered 200");
    let [request] = &receiver.requests(1).await[..] else {
        panic!("it arrived more than once")
    };
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body["message"]["message"]["text"], "Red ones.");
    let texts = world.texts("bo").await;
    assert_eq!(texts, ["in Have you any tulips?", "out Red ones."]);
}

/// Messages of an integration are accepted, refused and recorded in the journal as by the service itself.
#[tokio::test]
async fn the_address_of_a_world_is_a_whole_service() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    assert_eq!(world.post("m-1").await.status, 200);
    let wrong = world.client().request("POST", &world.chat()).body("{}");
    assert_eq!(wrong.send().await.status, 403);
    let account = world
        .client()
        .get_as(&world.token(), "/api/v4/account")
        .await;
    let links = account.is(200).json["_links"]["self"]["href"].clone();
    assert!(links.as_str().unwrap().starts_with(world.url()), "{links}");
    let stream = world
        .client()
        .get_as(&world.token(), "/inbox/v1/events")
        .await;
    assert_eq!(stream.status, 404);
    let journal = world.text("/journal?form=text").await;
    for words in ["/api/v4/account → 200", "→ 403", "→ 404"] {
        assert!(journal.contains(words), "{words}: {journal}");
    }
    let har: Value = serde_json::from_str(&world.text("/journal?form=har").await).unwrap();
    let first = &har["log"]["entries"][0];
    assert_eq!(
        (&first["request"]["method"], &first["response"]["status"]),
        (&json!("POST"), &json!(200))
    );
    assert!(
        first["request"]["postData"]["text"]
            .as_str()
            .unwrap()
            .contains("m-1")
    );
    let page = world.text("/journal?form=html").await;
    assert!(
        page.starts_with("<!doctype html>") && page.contains("→ 403"),
        "{page}"
    );
    let lines = world.text("/journal").await;
    let entries = lines.lines().map(serde_json::from_str::<Value>);
    let cursors: Vec<u64> = entries
        .map(|it| it.unwrap()["cursor"].as_u64().unwrap())
        .collect();
    assert!(cursors.is_sorted() && cursors.len() >= 4, "{cursors:?}");
}

/// The program that is tested posts a message; a user answers it.
#[tokio::test]
async fn a_user_answers_what_the_program_has_posted() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    assert_eq!(world.post("m-1").await.status, 200);
    world.reply("ada", "program", "Here I am.").await;
    let last = json!({ "text": "Still here." });
    world.order("POST", "/users/ada/reply", last).await;
    let texts = world.texts("program").await;
    assert_eq!(
        texts,
        ["in text of m-1", "out Here I am.", "out Still here."]
    );
    let event = world.wait("until=callback.delivered&count=2").await;
    assert_eq!(event["met"], true, "{event}");
}

/// The current generation signs `Date`, which programs read from the machine, whatever time a world has.
#[tokio::test]
async fn a_date_counts_by_the_clock_of_the_machine_and_of_the_world() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    for (msgid, later, status) in [("m-1", 0, 200), ("m-2", 3_600, 403)] {
        assert_eq!(world.post_today(msgid, later).await.status, status);
    }
    world
        .order("POST", "/advance", json!({ "seconds": 3_600 }))
        .await;
    for (msgid, later, status) in [("m-3", 0, 200), ("m-4", 3_600, 200), ("m-5", 7_200, 403)] {
        let answer = world.post_today(msgid, later).await;
        assert_eq!(answer.status, status, "{msgid}");
    }
}

#[tokio::test]
async fn two_hundred_worlds_at_once_know_nothing_of_each_other() {
    let server = started().await;
    let creations = (0..200).map(|number| World::make(&server, json!({ "seed": number + 1 })));
    let worlds = futures_util::future::join_all(creations).await;
    let talks = worlds.iter().enumerate().map(async |(number, world)| {
        world.say("bo", &format!("question {number}")).await;
        world.reply("ada", "bo", &format!("answer {number}")).await;
        let event = world.wait("until=callback.delivered").await;
        assert_eq!(event["met"], true, "{event}");
        let own = [
            format!("in question {number}"),
            format!("out answer {number}"),
        ];
        assert_eq!(world.texts("bo").await, own);
    });
    futures_util::future::join_all(talks).await;
    let list = world::order(&server, "GET", "/worlds", json!(null)).await;
    assert_eq!(list.is(200).json["worlds"].as_array().unwrap().len(), 200);
}

#[tokio::test]
async fn many_that_wait_keep_back_no_order() {
    let server = started().await;
    let world = World::make(&server, json!({ "seed": 1 })).await;
    let waits = (0..100).map(|_| world.wait("until=request.seen&timeout=60"));
    let acts = async {
        world
            .order("POST", "/advance", json!({ "seconds": 1 }))
            .await;
        world.post("m1").await.is(200);
    };
    let (waits, ()) = tokio::join!(futures_util::future::join_all(waits), acts);
    assert!(waits.iter().all(|it| it["met"] == true), "{waits:?}");
}

#[tokio::test]
async fn the_same_calls_with_the_same_seed_give_the_same_ids() {
    let server = started().await;
    let mut texts = Vec::new();
    for seed in [7, 7, 8] {
        let world = World::make(&server, json!({ "seed": seed })).await;
        texts.push(world.say("bo", "Hello").await["message_id"].clone());
    }
    assert_eq!(texts[0], texts[1]);
    assert_ne!(texts[0], texts[2]);
}

#[tokio::test]
async fn only_who_knows_the_token_makes_worlds_and_serve_has_none() {
    let server = started().await;
    let dev = &server.ready()["dev"];
    let url = dev["url"]
        .as_str()
        .unwrap()
        .strip_suffix("/dev/v1")
        .unwrap();
    let client = crate::support::client::Client::undescribed(url);
    let answer = client.get_as("another token", "/dev/v1/worlds").await;
    assert_eq!(answer.status, 401);
    let service = server.client().undescribed_at(server.url());
    assert_eq!(service.get("/dev/v1/worlds").await.status, 401);
    let plain = Server::start().await;
    assert_eq!(plain.ready()["dev"], Value::Null);
    let service = plain.client().undescribed_at(plain.url());
    assert_eq!(service.get("/dev/v1/worlds").await.status, 404);
}
