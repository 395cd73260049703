//! Hooks of worlds, as a program outside receives them, with each fault.

use serde_json::{Value, json};
use switchboard_worlds::hook_form::HookForm;

use super::started;
use super::world::World;
use crate::support::receiver::Receiver;
use crate::support::server::Server;

/// A program subscribes by the interface of the account.
async fn subscribed(world: &World<'_>, receiver: &Receiver, settings: &[&str]) {
    let body = json!({ "destination": receiver.webhook("in?k=1"), "settings": settings });
    let client = world.client();
    let request = client.request("POST", "/api/v4/webhooks");
    let json = request.header("Content-Type", "application/json");
    let signed = json.bearer(&world.token());
    signed.body(body.to_string()).send().await.is(201);
}

/// A world whose program hears of what customers write.
async fn made<'s>(server: &'s Server, receiver: &Receiver) -> World<'s> {
    let world = World::make(server, json!({})).await;
    let url = receiver.webhook("in");
    let order = json!({ "url": url, "settings": ["add_message"] });
    let shown = world.order("PUT", "/hooks", order).await;
    assert_eq!(shown["hooks"][0]["url"], json!(url));
    world
}

async fn texts(receiver: &Receiver, count: usize) -> Vec<String> {
    let requests = receiver.requests(count).await;
    let forms = requests.iter().map(|it| HookForm::parse(&it.body).item());
    forms
        .map(|item| item["text"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_program_subscribes_and_gets_hooks() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = World::make(&server, json!({})).await;
    assert_eq!(world.made["hooks"], json!([]));
    subscribed(&world, &receiver, &["add_message", "add_outgoing_message"]).await;
    world.say("bo", "Have you any tulips?").await;
    world.reply("ada", "bo", "Red ones.").await;
    let met = world.wait("until=hook.delivered&count=2").await;
    assert_eq!(met["met"], true, "{met}");
    let entry = &met["entries"][0];
    assert_eq!(entry["kind"], "hook");
    assert_eq!(
        (&entry["code"], &entry["attempt"]),
        (&json!("add_message"), &json!(1))
    );
    assert_eq!(entry["item"]["text"], "Have you any tulips?");
    let request = &receiver.requests(2).await[0];
    assert_eq!(
        request.header("x-amocrm-requestid"),
        entry["request_id"].as_str()
    );
    assert_eq!(
        entry["form"].as_str().unwrap().as_bytes(),
        &request.body[..]
    );
    let form = HookForm::parse(&request.body);
    assert_eq!(form.get("account[_links][self]"), Some(world.url()));
    // Programs put secrets into queries.
    assert!(entry["what"].as_str().unwrap().ends_with("/in"), "{entry}");
    for text in ["add_outgoing_message", "Red%20ones.", "%5Btext%5D=Red"] {
        let query = format!("until=hook.delivered&match={text}");
        let met = world.wait(&query).await;
        assert_eq!(met["entries"].as_array().unwrap().len(), 1, "{text}: {met}");
        assert_eq!(met["entries"][0]["code"], "add_outgoing_message");
    }
    let unmet = world.wait("until=hook.delivered&match=add_lead").await;
    assert_eq!(unmet["met"], false, "{unmet}");
    let journal = world.text("/journal?form=text").await;
    assert!(journal.contains("hook      add_message "), "{journal}");
    assert!(!journal.contains("/in?k=1"), "{journal}");
    let page = world.text("/journal?form=html").await;
    assert!(page.contains("message%5Badd%5D"), "{page}");
    world.order("DELETE", "/hooks", json!(null)).await;
    world.say("bo", "Hello?").await;
    assert_eq!(world.wait("until=quiet").await["met"], true);
    assert_eq!(receiver.requests(2).await.len(), 2);
}

/// Programs leave messages alone whose time is long past.
#[tokio::test]
async fn customers_write_at_the_time_of_the_world() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = made(&server, &receiver).await;
    world.say("bo", "Hello?").await;
    let order = json!({ "seconds": 864_000 });
    world.order("POST", "/advance", order).await;
    world.say("bo", "Are you still there?").await;
    let met = world.wait("until=hook.delivered&count=2").await;
    let written = |index: usize| -> u64 {
        let text = met["entries"][index]["item"]["created_at"].as_str();
        text.unwrap().parse().unwrap()
    };
    let days = (written(1) - written(0)) / 86_400;
    assert_eq!(days, 10, "{met}");
}

/// The table of the published interface, by the clock of a world: minutes after the first attempt.
#[tokio::test]
async fn attempts_follow_the_table_by_the_clock_of_the_world() {
    let server = started().await;
    for (status, table) in [(404, [0, 5, 20].as_slice()), (503, &[0, 5, 20, 35, 95])] {
        let receiver = Receiver::answering(status).await;
        let world = made(&server, &receiver).await;
        world.say("bo", "Have you any tulips?").await;
        let failed = world.wait("until=hook.failed&timeout=86400").await;
        assert_eq!(failed["met"], true, "{failed}");
        let query = format!("until=hook.attempt&count={}", table.len());
        let attempts = world.wait(&query).await;
        let entries = attempts["entries"].as_array().unwrap();
        let at = |entry: &Value| {
            let at: jiff::Timestamp = entry["at"].as_str().unwrap().parse().unwrap();
            at.as_second()
        };
        let minutes: Vec<_> = entries
            .iter()
            .map(|entry| (at(entry) - at(&entries[0])) / 60)
            .collect();
        assert_eq!(minutes, table, "{attempts}");
        let requests = receiver.requests(table.len()).await;
        assert_eq!(requests.len(), table.len());
        let id = |index: usize| requests[index].header("x-amocrm-requestid");
        assert!((1..table.len()).all(|it| id(it) == id(0)));
        assert_eq!(requests[1].header("x-delivery-attempt"), Some("2"));
    }
}

#[tokio::test]
async fn a_wait_that_is_not_met_says_when_the_next_attempt_is() {
    let (server, receiver) = (started().await, Receiver::answering(503).await);
    let world = made(&server, &receiver).await;
    world.say("bo", "Have you any tulips?").await;
    let unmet = world.wait("until=hook.delivered&timeout=400").await;
    assert_eq!(unmet["met"], false, "{unmet}");
    let near = unmet["near"].to_string();
    assert!(
        near.contains("attempt 2: answered 503, next in 14 min"),
        "{near}"
    );
    let quiet = world.wait("until=quiet&timeout=60").await;
    assert_eq!(quiet["met"], false, "{quiet}");
}

/// Each fault has its number of arrivals, and of attempts by the service.
#[tokio::test]
async fn faults_of_hooks_reach_the_program() {
    let server = started().await;
    for (mut fault, arrivals, attempts) in [
        (json!({ "do": "status", "status": 503 }), 1, 2),
        (json!({ "do": "drop" }), 1, 2),
        (json!({ "do": "answer_lost" }), 2, 2),
        (json!({ "do": "duplicate" }), 2, 1),
        (json!({ "do": "twice_at_once" }), 2, 1),
        (json!({ "do": "late", "seconds": 900 }), 1, 1),
        (json!({ "do": "other_account" }), 1, 1),
    ] {
        let receiver = Receiver::start().await;
        let world = made(&server, &receiver).await;
        fault["on"] = json!("hooks");
        fault["match"] = json!("tulips");
        world.fault(fault.clone()).await;
        world.say("cy", "Hello?").await;
        world.say("bo", "Have you any tulips?").await;
        let met = world.wait("until=hook.delivered&match=tulips").await;
        assert_eq!(met["met"], true, "{fault}: {met}");
        assert_eq!(met["entries"][0]["attempt"], attempts, "{fault}: {met}");
        let requests = receiver.requests(arrivals + 1).await;
        let forms: Vec<_> = requests
            .iter()
            .map(|it| (it, HookForm::parse(&it.body)))
            .filter(|(_, form)| form.has("tulips"))
            .collect();
        assert_eq!(forms.len(), arrivals, "{fault}");
        let id = |index: usize| forms[index].0.header("x-amocrm-requestid");
        assert!(id(0).is_some() && (1..arrivals).all(|it| id(it) == id(0)));
        let account = forms[0].1.get("account[id]").unwrap();
        let own = HookForm::parse(&requests[0].body);
        let is_other = own.get("account[id]") != Some(account);
        assert_eq!(is_other, fault["do"] == "other_account", "{account}");
        let now = world.order("GET", "", json!(null)).await;
        let passed = now["clock"]["now_ms"].as_u64().unwrap()
            - world.made["clock"]["now_ms"].as_u64().unwrap();
        assert_eq!(
            passed >= 900_000,
            fault["do"] == "late",
            "{passed}: {fault}"
        );
    }
}

/// Two messages of a chat arrive in the other order; one alone waits for another, and the wait says so.
#[tokio::test]
async fn a_hook_arrives_behind_the_next_one() {
    let (server, receiver) = (started().await, Receiver::start().await);
    let world = made(&server, &receiver).await;
    world
        .fault(json!({ "on": "hooks", "do": "reordered" }))
        .await;
    world.say("bo", "First.").await;
    let held = world.wait("until=quiet").await;
    assert_eq!(held["met"], false, "{held}");
    assert!(
        held["why"].as_str().unwrap().contains("reordered"),
        "{held}"
    );
    world.say("bo", "Second.").await;
    assert_eq!(world.wait("until=quiet").await["met"], true);
    assert_eq!(texts(&receiver, 2).await, ["Second.", "First."]);
}

/// The power goes before the hook is delivered, or the service starts again.
#[tokio::test]
async fn a_hook_outlives_the_service_of_its_world() {
    let server = started().await;
    for again in ["restart", "power_cut"] {
        let receiver = Receiver::answering(503).await;
        let world = made(&server, &receiver).await;
        world.say("bo", "Have you any tulips?").await;
        receiver.requests(1).await;
        match again {
            "restart" => drop(world.order("POST", "/restart", json!({})).await),
            what => world.fault(json!({ "on": "engine", "do": what })).await,
        }
        receiver.script([switchboard_worlds::sink::Behaviour::status(200)]);
        let met = world.wait("until=hook.delivered").await;
        assert_eq!(met["met"], true, "{again}: {met}");
        let requests = receiver.requests(2).await;
        let id = |index: usize| requests[index].header("x-amocrm-requestid");
        assert_eq!((id(0), &requests[0].body), (id(1), &requests[1].body));
    }
}

#[tokio::test]
async fn snapshots_and_forks_have_webhooks_and_queued_hooks() {
    let (server, receiver) = (started().await, Receiver::answering(503).await);
    let world = made(&server, &receiver).await;
    world.say("bo", "Have you any tulips?").await;
    let attempt = world.wait("until=hook.attempt").await;
    let id = &attempt["entries"][0]["request_id"];
    world.order("POST", "/snapshots", json!({})).await;
    world.order("DELETE", "/hooks", json!(null)).await;
    let fork = world.fork("s1").await;
    assert_eq!(fork.made["hooks"][0]["settings"], json!(["add_message"]));
    let restored = world
        .order("POST", "/snapshots/s1/restore", json!({}))
        .await;
    assert_eq!(restored["hooks"], fork.made["hooks"]);
    receiver.script(vec![switchboard_worlds::sink::Behaviour::status(200); 2]);
    for world in [&fork, &world] {
        let met = world.wait("until=hook.delivered").await;
        assert_eq!(&met["entries"][0]["request_id"], id, "{met}");
    }
}

/// Without an address, the receiver in memory takes hooks; the same seed gives the same ones.
#[tokio::test]
async fn the_receiver_in_memory_takes_hooks() {
    let server = started().await;
    let mut ids = Vec::new();
    for seed in [7, 7, 8] {
        let world = World::make(&server, json!({ "seed": seed })).await;
        let shown = world.order("PUT", "/hooks", json!({})).await;
        assert_eq!(shown["hooks"][0]["url"], Value::Null);
        world.say("bo", "Have you any tulips?").await;
        let met = world.wait("until=hook.delivered&match=add_message").await;
        assert_eq!(met["met"], true, "{met}");
        ids.push(met["entries"][0]["request_id"].clone());
        let journal = world.text("/journal?form=text").await;
        assert!(journal.contains("to the receiver in memory"), "{journal}");
    }
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[2]);
}

#[tokio::test]
async fn a_wrong_webhook_is_refused_with_all_that_is_wrong() {
    let server = started().await;
    let world = World::make(&server, json!({})).await;
    let body = json!({ "url": "ftp://a", "settings": ["add_moon"], "colour": 1 });
    let answer = world.try_order("PUT", "/hooks", body).await;
    let detail = answer.is(400).json["detail"].as_str().unwrap().to_owned();
    for path in ["url: ", "settings.0: ", "colour: "] {
        assert!(detail.contains(path), "{path}: {detail}");
    }
    let answer = world.try_order("POST", "/hooks", json!({})).await;
    assert_eq!(answer.status, 405);
    let now = world.order("GET", "", json!(null)).await;
    assert_eq!(now["hooks"], json!([]));
}
