//! `POST` and `DELETE …/snooze`: conversations that are out of the way until a time, or until the customer writes.

use serde_json::{Value, json};
use switchboard_engine::runtime::clock::{Clock as _, SystemClock};

use crate::inbox::listen::{Event, Stream};
use crate::inbox::setting::conversation;
use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::{Client, message, silent_message};
use crate::support::eventually;
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

const HOUR: u64 = 3_600;
/// The seconds of a short snooze: a busy machine takes some of them before it answers what follows.
const SHORT: u64 = 8;

fn target(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/snooze")
}

/// So many seconds from now.
pub(crate) fn in_seconds(seconds: u64) -> u64 {
    SystemClock.now().secs() + seconds
}

/// The next event about a snooze.
async fn next_snooze(stream: &mut Stream) -> Event {
    stream.upto("snooze").await.pop().unwrap()
}

async fn snoozes(client: &Client, id: &str, body: &Value) -> Answer {
    floor::admin(client, "POST", &target(id), body).await
}

async fn snoozes_as(client: &Client, by: &Person, id: &str, body: &Value) -> Answer {
    by.sends(client, "POST", &target(id), body).await
}

async fn wakes(client: &Client, id: &str) -> Answer {
    client
        .request("DELETE", &target(id))
        .bearer(TOKEN)
        .send()
        .await
}

async fn shown(client: &Client, id: &str) -> Value {
    client.read(&format!("/inbox/v1/conversations/{id}")).await
}

async fn status(client: &Client, id: &str) -> String {
    shown(client, id).await["status"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The statuses whose lists have the conversation.
async fn lists(client: &Client) -> Vec<&'static str> {
    let mut lists = Vec::new();
    for status in ["open", "waiting", "snoozed", "closed"] {
        let target = format!("/inbox/v1/conversations?status={status}");
        let page = client.read(&target).await;
        if !page["conversations"].as_array().unwrap().is_empty() {
            lists.push(status);
        }
    }
    lists
}

#[tokio::test]
async fn a_snoozed_conversation_is_in_its_list_alone() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let until = in_seconds(HOUR);
    let snoozed = snoozes(client, &id, &json!({ "until": until })).await;
    let view = snoozed.is(200).json;
    assert_eq!(view["status"], "snoozed");
    let snooze = &view["snooze"];
    assert_eq!(snooze["until"], until);
    assert_eq!(snooze["wake_on_message"], true);
    assert_eq!(snooze["user_id"], 1);
    assert_eq!(lists(client).await, ["snoozed"]);
    wakes(client, &id).await.is(204);
    let view = shown(client, &id).await;
    assert_eq!(
        (&view["status"], &view["snooze"]),
        (&json!("open"), &Value::Null)
    );
    assert_eq!(lists(client).await, ["open"]);
    wakes(client, &id).await.is(204);
}

#[tokio::test]
async fn a_loud_message_ends_one_kind_and_not_the_other() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let until = in_seconds(HOUR);
    snoozes(client, &id, &json!({ "until": until }))
        .await
        .is(200);
    client.sent(&silent_message("s1", "c")).await;
    assert_eq!(status(client, &id).await, "snoozed");
    client.replied(&id, "I ask the workshop.").await;
    assert_eq!(
        status(client, &id).await,
        "snoozed",
        "a reply ends no snooze"
    );
    client.sent(&message("m2", "c")).await;
    assert_eq!(status(client, &id).await, "open");
    let body = json!({ "until": until, "wake_on_message": false });
    snoozes(client, &id, &body).await.is(200);
    client.sent(&message("m3", "c")).await;
    assert_eq!(status(client, &id).await, "snoozed");
}

#[tokio::test]
async fn closing_ends_a_snooze_and_a_closed_talk_takes_none() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let body = json!({ "until": in_seconds(HOUR), "wake_on_message": false });
    snoozes(client, &id, &body).await.is(200);
    let close = format!("/inbox/v1/conversations/{id}/close");
    let closed = client.request("POST", &close).bearer(TOKEN).send().await;
    closed.is(204);
    let view = shown(client, &id).await;
    assert_eq!(
        (&view["status"], &view["snooze"]),
        (&json!("closed"), &Value::Null)
    );
    let refusal = snoozes(client, &id, &body).await.is(409).json;
    assert!(
        refusal["detail"].to_string().contains("closed"),
        "{refusal}"
    );
    client.sent(&message("m2", "c")).await;
    assert_eq!(status(client, &id).await, "open", "the snooze has gone");
    snoozes(client, &id, &body).await.is(200);
    floor::place(client, 1, 143, None).await;
    let view = shown(client, &id).await;
    assert_eq!(
        (&view["status"], &view["snooze"]),
        (&json!("closed"), &Value::Null)
    );
}

/// The event is a record: those who listen hear it at the time, and lists change with it.
#[tokio::test]
async fn it_is_open_at_its_time_and_the_stream_says_so() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    client.replied(&id, "I ask the workshop.").await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let until = in_seconds(SHORT);
    snoozes(client, &id, &json!({ "until": until }))
        .await
        .is(200);
    let event = next_snooze(&mut stream).await;
    assert_eq!(event.data["snooze"]["until"], until);
    assert_eq!(lists(client).await, ["snoozed"]);
    let event = next_snooze(&mut stream).await;
    assert_eq!(event.data["conversation_id"], id);
    assert_eq!(event.data["snooze"], Value::Null);
    assert_eq!(event.data["ended_by"], "due");
    assert_eq!(event.data["user"], Value::Null);
    assert!(in_seconds(0) >= until);
    assert_eq!(
        lists(client).await,
        ["open"],
        "though the account answered last"
    );
    assert!(shown(client, &id).await["active_at"].as_u64().unwrap() >= until);
    client.replied(&id, "It is ready.").await;
    assert_eq!(lists(client).await, ["waiting"]);
    snoozes(client, &id, &json!({ "until": in_seconds(HOUR) }))
        .await
        .is(200);
    next_snooze(&mut stream).await;
    wakes(client, &id).await.is(204);
    let event = next_snooze(&mut stream).await;
    assert_eq!(
        (&event.data["ended_by"], &event.data["user"]["id"]),
        (&json!("user"), &json!(1))
    );
    assert_eq!(lists(client).await, ["waiting"]);
}

/// One timer is due while no service runs, the other one after the start.
#[tokio::test]
async fn timers_survive_a_kill_and_a_service_that_was_down() {
    let mut server = Server::start().await;
    let client = server.client();
    let early = conversation(client).await;
    let answer = client.sent(&message("m1", "c2")).await;
    let late = answer["conversation_id"].as_str().unwrap().to_owned();
    let until = in_seconds(SHORT);
    snoozes(client, &early, &json!({ "until": until }))
        .await
        .is(200);
    snoozes(client, &late, &json!({ "until": in_seconds(HOUR) }))
        .await
        .is(200);
    server.kill_9();
    eventually("the time is over", async || {
        (in_seconds(0) > until).then_some(())
    })
    .await;
    server.restart().await;
    let client = server.client();
    eventually("the timer that was due is found", async || {
        (status(client, &early).await == "open").then_some(())
    })
    .await;
    assert_eq!(status(client, &late).await, "snoozed");
    let until = in_seconds(SHORT);
    snoozes(client, &late, &json!({ "until": until }))
        .await
        .is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    eventually("the timer goes on after the start", async || {
        (status(client, &late).await == "open").then_some(())
    })
    .await;
    assert!(in_seconds(0) >= until);
}

#[tokio::test]
async fn a_wrong_time_is_refused_with_its_field() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let year = 366 * 24 * HOUR;
    for (until, code) in [
        (json!(in_seconds(0) - 1), "InvalidValue"),
        (json!(0), "InvalidValue"),
        (json!(in_seconds(year + 60)), "InvalidValue"),
        (json!(-5), "InvalidValue"),
        (json!("tomorrow"), "InvalidType"),
    ] {
        let refusal = snoozes(client, &id, &json!({ "until": until }))
            .await
            .is(400);
        assert_eq!(
            refusal.wrong(),
            [("until".to_owned(), code.to_owned())],
            "{until}"
        );
    }
    let refusal = snoozes(client, &id, &json!({ "wake_on_message": 1 })).await;
    let mut fields: Vec<String> = refusal.is(400).wrong().into_iter().map(|it| it.0).collect();
    fields.sort();
    assert_eq!(fields, ["until", "wake_on_message"]);
    snoozes(client, &id, &json!({ "until": in_seconds(year - 60) }))
        .await
        .is(200);
    client.sent(&silent_message("s1", "silent")).await;
    let all = client.conversations().await;
    let without_lead = all.iter().find(|one| one["lead"].is_null()).unwrap();
    let body = json!({ "until": in_seconds(HOUR) });
    let refusal = snoozes(client, without_lead["id"].as_str().unwrap(), &body).await;
    assert!(
        refusal.is(409).json["detail"]
            .to_string()
            .contains("no lead")
    );
}

#[tokio::test]
async fn only_users_who_may_edit_the_lead_snooze() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let mut viewing = floor::rights("A");
    viewing["leads"]["edit"] = json!("D");
    viewing["leads"]["delete"] = json!("D");
    let vera = floor::add(client, "vera", &viewing).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let body = json!({ "until": in_seconds(HOUR) });
    snoozes_as(client, &vera, &id, &body).await.is(403);
    snoozes_as(client, &dora, &id, &body).await.is(404);
    snoozes_as(client, &dora, &id, &json!({})).await.is(404);
    let foreign = client.request("POST", &target(&id)).bearer(OTHER_TOKEN);
    foreign.body(body.to_string()).send().await.is(404);
    assert_eq!(status(client, &id).await, "open");
    snoozes(client, &id, &body).await.is(200);
    vera.asks(client, "DELETE", &target(&id))
        .send()
        .await
        .is(403);
    dora.asks(client, "DELETE", &target(&id))
        .send()
        .await
        .is(404);
    assert_eq!(status(client, &id).await, "snoozed");
}

/// The conversation orders them: one timer is left, and each answer shows the one that was stored for it or a later one.
#[tokio::test]
async fn of_two_who_snooze_at_once_one_timer_stays() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    for round in 0..20 {
        let mine = json!({ "until": in_seconds(HOUR + round) });
        let theirs = json!({ "until": in_seconds(2 * HOUR + round) });
        let (first, second) = tokio::join!(
            snoozes(client, &id, &mine),
            snoozes_as(client, &boris, &id, &theirs)
        );
        let seen = [first.is(200).json, second.is(200).json].map(|view| view["snooze"].clone());
        let stored = shown(client, &id).await["snooze"].clone();
        assert!(seen.contains(&stored), "{stored} {seen:?}");
    }
    wakes(client, &id).await.is(204);
    assert_eq!(status(client, &id).await, "open");
}
