//! Questions of salesbots in worlds, as a program outside receives them, with each fault.

use serde_json::{Value, json};

use super::started;
use super::world::World;
use crate::support::answer::Answer;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

/// A world with a salesbot that asks a program, and a lead from a chat.
async fn made<'s>(server: &'s Server, receiver: &Receiver) -> World<'s> {
    let url = receiver.webhook("ask?k=7d1f");
    let bot = json!({ "id": 70_001, "name": "Ask", "kind": "ask_program", "url": url });
    let world = World::make(server, json!({ "salesbots": [bot] })).await;
    world.say("bo", "When do you open?").await;
    world
}

/// Ada sends a body to the interface of the account.
pub(super) async fn posts(world: &World<'_>, method: &str, target: &str, body: &Value) -> Answer {
    let request = world.client().request(method, target);
    let signed = request.bearer(&world.token());
    let with_type = signed.header("Content-Type", "application/json");
    with_type.body(body.to_string()).send().await
}

/// Ada runs the salesbot for the lead.
pub(super) async fn runs(world: &World<'_>) {
    let subject = json!({ "entity_id": 1, "entity_type": "leads" });
    posts(world, "POST", "/api/v4/bots/70001/run", &subject)
        .await
        .is(202);
}

#[tokio::test]
async fn a_program_is_asked_and_answers() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = made(&server, &receiver).await;
    let nothing = world.wait("until=question.asked").await;
    assert_eq!(nothing["met"], false, "{nothing}");
    runs(&world).await;
    let answer = world.wait("until=question.asked&match=When%20do").await;
    assert_eq!(answer["met"], true, "{answer}");
    let entry = &answer["entries"][0];
    let facts = ["kind", "bot", "run", "attempt", "outcome", "taken"].map(|key| entry[key].clone());
    let expected = [
        json!("question"),
        json!(70_001),
        json!(1),
        json!(1),
        json!("answered 200"),
        json!(true),
    ];
    assert_eq!(facts, expected, "{entry}");
    let request = receiver.requests(1).await.remove(0);
    let question: Value = serde_json::from_slice(&request.body).unwrap();
    let body: Value = serde_json::from_str(entry["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["data"], question["data"]);
    assert_eq!(body["return_url"], question["return_url"]);
    let more = world.wait("until=question.asked&count=2").await;
    assert_eq!(more["met"], false, "{more}");
    let near = more["near"].to_string();
    assert!(
        near.contains("question  of salesbot 70001, run 1"),
        "{near}"
    );
    let url = question["return_url"].as_str().unwrap();
    let path = url.strip_prefix(world.url()).unwrap();
    let show = json!({ "handler": "show", "params": { "type": "text", "value": "At nine." } });
    let answer = json!({ "execute_handlers": [show] });
    posts(&world, "POST", path, &answer).await.is(202);
    posts(&world, "POST", path, &answer).await.is(404);
    let answered = world.wait("until=question.answered&match=At%20nine").await;
    assert_eq!(answered["met"], true, "{answered}");
    assert_eq!(answered["entries"].as_array().unwrap().len(), 1);
    let messages = world
        .order("GET", "/customers/bo/messages", Value::Null)
        .await;
    assert_eq!(messages["messages"][1]["text"], "At nine.");
    // Programs put secrets into queries.
    for form in ["text", "html"] {
        let journal = world.text(&format!("/journal?form={form}")).await;
        assert!(!journal.contains("ask?k="), "{journal}");
        assert!(journal.contains("question  of salesbot 70001"), "{journal}");
    }
}

/// 10 seconds after the first attempt, and 60 seconds after the second one, by the clock of the world.
#[tokio::test]
async fn attempts_follow_the_clock_of_the_world() {
    let (server, receiver) = (started().await, Receiver::answering(503).await);
    let world = made(&server, &receiver).await;
    runs(&world).await;
    let early = world.wait("until=question.asked&timeout=30").await;
    assert_eq!(early["met"], false, "{early}");
    let near = early["near"].to_string();
    assert!(
        near.contains("attempt 2: answered 503, asked again"),
        "{near}"
    );
    let met = world.wait("until=question.attempt&count=3").await;
    assert_eq!(met["met"], true, "{met}");
    let entries = met["entries"].as_array().unwrap().iter();
    let times: Vec<_> = entries
        .map(|entry| {
            let at: jiff::Timestamp = entry["at"].as_str().unwrap().parse().unwrap();
            at.as_second()
        })
        .collect();
    assert_eq!(times[1] - times[0], 10);
    assert_eq!(times[2] - times[1], 60);
    // The run has ended: nothing is asked any more.
    let unmet = world.wait("until=question.asked").await;
    let why = unmet["why"].as_str().unwrap();
    assert!(why.contains("question is left to be sent"), "{unmet}");
    assert_eq!(world.wait("until=quiet").await["met"], true);
    assert_eq!(receiver.requests(3).await.len(), 3);
}

/// Each fault has its number of arrivals, and of attempts by the service.
#[tokio::test]
async fn faults_of_questions_reach_the_program() {
    let server = started().await;
    for (mut fault, arrivals, attempts) in [
        (json!({ "do": "status", "status": 503 }), 1, 2),
        (json!({ "do": "drop" }), 1, 2),
        (json!({ "do": "answer_lost" }), 2, 2),
        (json!({ "do": "duplicate" }), 2, 1),
        (json!({ "do": "twice_at_once" }), 2, 1),
        (json!({ "do": "late", "seconds": 900 }), 1, 1),
    ] {
        let receiver = Receiver::start().await;
        let world = made(&server, &receiver).await;
        fault["on"] = json!("questions");
        fault["match"] = json!("do you open");
        world.fault(fault.clone()).await;
        let before = world.order("GET", "", Value::Null).await;
        runs(&world).await;
        let met = world.wait("until=question.asked").await;
        assert_eq!(met["met"], true, "{fault}: {met}");
        assert_eq!(met["entries"][0]["attempt"], attempts, "{fault}: {met}");
        let first = world.wait("until=question.attempt").await;
        assert_eq!(first["entries"][0]["fault"], fault["do"], "{first}");
        let requests = receiver.requests(arrivals).await;
        assert_eq!(requests.len(), arrivals, "{fault}");
        assert!(requests.iter().all(|it| it.body == requests[0].body));
        let after = world.order("GET", "", Value::Null).await;
        let now = |world: &Value| world["clock"]["now_ms"].as_u64().unwrap();
        let is_late = now(&after) - now(&before) >= 900_000;
        assert_eq!(is_late, fault["do"] == "late", "{fault}");
    }
    let receiver = Receiver::start().await;
    let world = made(&server, &receiver).await;
    let other = json!({ "on": "questions", "do": "other_account" });
    world.try_order("POST", "/faults", other).await.is(400);
}

/// The address at which the program answers is that of the world that asks, after a power cut too.
#[tokio::test]
async fn a_fork_asks_with_an_address_of_its_own() {
    let (server, receiver) = (started().await, Receiver::answering(503).await);
    let world = made(&server, &receiver).await;
    world.order("POST", "/snapshots", json!({})).await;
    let fork = world.fork("s1").await;
    runs(&fork).await;
    receiver.requests(1).await;
    let cut = json!({ "on": "engine", "do": "power_cut" });
    fork.fault(cut).await;
    receiver.script([switchboard_worlds::sink::Behaviour::status(200)]);
    let answer = fork.wait("until=question.asked").await;
    assert_eq!(answer["met"], true, "{answer}");
    for request in receiver.requests(2).await {
        let question: Value = serde_json::from_slice(&request.body).unwrap();
        let url = question["return_url"].as_str().unwrap();
        assert!(url.starts_with(fork.url()), "{url}");
    }
}
