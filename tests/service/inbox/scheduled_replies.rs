//! `…/scheduled-replies`: replies that are sent at a time, once, or held with a reason.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use crate::erasure::{NAME, WORD, done, filled, order_hers, traces};
use crate::inbox::listen::Stream;
use crate::inbox::setting::conversation;
use crate::inbox::snooze::in_seconds;
use crate::rights::floor::{self, Person};
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::server::{OTHER_TOKEN, Server, TOKEN};

const HOUR: u64 = 3_600;
/// The seconds until a short time: a busy machine takes some of them before it answers what follows.
const SHORT: u64 = 8;
/// The replies that are cancelled at the same instant as they are due.
const RACES: usize = 50;

fn target(conversation: &str) -> String {
    format!("/inbox/v1/conversations/{conversation}/scheduled-replies")
}

fn place(conversation: &str, number: u64) -> String {
    format!("{}/{number}", target(conversation))
}

fn body(text: &str, send_at: u64) -> Value {
    json!({ "type": "text", "text": text, "send_at": send_at })
}

async fn schedules(client: &Client, id: &str, body: &Value) -> Answer {
    floor::admin(client, "POST", &target(id), body).await
}

/// The scheduled replies that are not at their end.
async fn open(client: &Client, id: &str) -> Vec<Value> {
    let list = client.read(&target(id)).await;
    list["scheduled_replies"].as_array().unwrap().clone()
}

/// The texts of the account's messages, newest first.
async fn sent(client: &Client, id: &str) -> Vec<String> {
    let messages = client.messages(id).await;
    let own = messages.iter().filter(|it| it["direction"] == "out");
    own.map(|it| it["text"].as_str().unwrap().to_owned())
        .collect()
}

/// Waits until the first one is held; gives the code of the reason.
async fn held(client: &Client, id: &str) -> String {
    eventually("the scheduled reply is held", async || {
        let first = open(client, id).await.first()?.clone();
        first["held"]["code"].as_str().map(str::to_owned)
    })
    .await
}

async fn becomes_message(client: &Client, id: &str, text: &str) {
    eventually("the scheduled reply is sent", async || {
        let texts = sent(client, id).await;
        texts.iter().any(|it| it == text).then_some(())
    })
    .await;
}

/// The next event about a scheduled reply.
async fn next(stream: &mut Stream) -> Value {
    stream.upto("scheduled_reply").await.pop().unwrap().data
}

/// A request that is not Ada's.
async fn request(client: &Client, by: &Person, method: &str, target: &str, body: &Value) -> Answer {
    by.sends(client, method, target, body).await
}

#[tokio::test]
async fn it_is_sent_at_its_time_and_the_stream_says_so() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let draft = json!({ "based_on": 0, "text": "It is ready." });
    let drafts = format!("/inbox/v1/conversations/{id}/drafts/reply");
    floor::admin(client, "PATCH", &drafts, &draft).await.is(200);
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let send_at = in_seconds(SHORT);
    let mut scheduled = body("It is ready.", send_at);
    scheduled["draft"] = json!(1);
    let reply = schedules(client, &id, &scheduled).await.is(201).json;
    assert_eq!(
        (&reply["number"], &reply["status"]),
        (&json!(1), &json!("waiting"))
    );
    assert_eq!(
        (&reply["send_at"], &reply["unless_customer_wrote"]),
        (&json!(send_at), &json!(true))
    );
    assert_eq!(client.read(&drafts).await["text"], "", "the draft has gone");
    assert_eq!(open(client, &id).await, std::slice::from_ref(&reply));
    let event = next(&mut stream).await;
    let expected = json!({ "conversation_id": id, "change": "created", "scheduled_reply": reply });
    assert_eq!(event, expected);
    assert_eq!(sent(client, &id).await, [""; 0]);
    let event = next(&mut stream).await;
    assert!(in_seconds(0) >= send_at);
    assert_eq!(event["change"], "sent");
    assert_eq!(event["scheduled_reply"]["content"], Value::Null);
    let messages = client.messages(&id).await;
    assert_eq!(event["scheduled_reply"]["message_id"], messages[0]["id"]);
    assert_eq!(messages[0]["text"], "It is ready.");
    assert_eq!(messages[0]["sender"]["name"], reply["user"]["name"]);
    assert!(open(client, &id).await.is_empty());
}

#[tokio::test]
async fn a_wrong_body_is_refused_with_all_its_fields() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let year = 366 * 24 * HOUR;
    for send_at in [in_seconds(0) - 1, 0, in_seconds(year + 60)] {
        let refusal = schedules(client, &id, &body("x", send_at)).await.is(400);
        let wrong = [("send_at".to_owned(), "InvalidValue".to_owned())];
        assert_eq!(refusal.wrong(), wrong, "{send_at}");
    }
    let all = json!({
        "type": "text", "text": "", "send_at": 1, "unless_customer_wrote": "no", "seen": "x", "draft": -1,
    });
    let refusal = schedules(client, &id, &all).await.is(400);
    let mut fields: Vec<String> = refusal.wrong().into_iter().map(|it| it.0).collect();
    fields.sort();
    let all_fields = ["draft", "seen", "send_at", "text", "unless_customer_wrote"];
    assert_eq!(fields, all_fields);
    for (field, value) in [
        ("seen", json!("2b3f0f0e-0000-4000-8000-000000000000")),
        ("reply_to", json!("2b3f0f0e-0000-4000-8000-000000000000")),
    ] {
        let mut wrong = body("x", in_seconds(HOUR));
        wrong[field] = value;
        let refusal = schedules(client, &id, &wrong).await.is(400);
        assert_eq!(refusal.wrong()[0].0, field);
    }
    assert!(open(client, &id).await.is_empty());
    schedules(client, &id, &body("x", in_seconds(year - 60)))
        .await
        .is(201);
}

#[tokio::test]
async fn a_conversation_has_at_most_twenty() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    for number in 0..20 {
        let one = body(&format!("Text {number}"), in_seconds(HOUR));
        schedules(client, &id, &one).await.is(201);
    }
    let refusal = schedules(client, &id, &body("x", in_seconds(HOUR))).await;
    assert!(refusal.is(409).body.contains("20"));
    floor::admin(client, "DELETE", &place(&id, 7), &Value::Null)
        .await
        .is(204);
    schedules(client, &id, &body("x", in_seconds(HOUR)))
        .await
        .is(201);
    assert_eq!(open(client, &id).await.len(), 20);
}

#[tokio::test]
async fn a_repeated_request_is_one_scheduled_reply() {
    let mut server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let request = async |client: &Client, body: &Value| {
        let post = client.request("POST", &target(&id)).bearer(TOKEN);
        post.header("Content-Type", "application/json")
            .header("Idempotency-Key", "k1")
            .body(body.to_string())
            .send()
            .await
    };
    let one = body("Ready", in_seconds(HOUR));
    let first = request(client, &one).await.is(201).json;
    assert_eq!(request(client, &one).await.is(201).json, first);
    request(client, &body("Other", in_seconds(HOUR)))
        .await
        .is(409);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(request(client, &one).await.is(201).json, first);
    assert_eq!(open(client, &id).await, [first]);
}

#[tokio::test]
async fn its_writer_and_administrators_change_and_cancel_it() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let clara = floor::add(client, "clara", &floor::rights("A")).await;
    let dora = floor::add(client, "dora", &floor::rights("D")).await;
    let one = body("Ready", in_seconds(HOUR));
    request(client, &dora, "POST", &target(&id), &one)
        .await
        .is(404);
    request(client, &boris, "POST", &target(&id), &one)
        .await
        .is(201);
    let foreign = client.get_as(OTHER_TOKEN, &target(&id)).await;
    foreign.is(404);
    dora.reads(client, &target(&id)).await.is(404);
    let list = clara.reads(client, &target(&id)).await.is(200).json;
    assert_eq!(list["scheduled_replies"][0]["user"]["name"], "boris");
    let mut stream = Stream::open(&server, TOKEN, None).await;
    let at = place(&id, 1);
    let change = json!({ "based_on": 1, "text": "Ready now", "send_at": in_seconds(2 * HOUR) });
    request(client, &clara, "PATCH", &at, &change).await.is(403);
    request(client, &clara, "DELETE", &at, &Value::Null)
        .await
        .is(403);
    let now = json!({ "type": "text", "text": "x", "scheduled_reply": 1 });
    let messages = format!("/inbox/v1/conversations/{id}/messages");
    request(client, &clara, "POST", &messages, &now)
        .await
        .is(403);
    let changed = request(client, &boris, "PATCH", &at, &change).await;
    let changed = changed.is(200).json;
    assert_eq!(
        (&changed["version"], &changed["content"]["text"]),
        (&json!(2), &json!("Ready now"))
    );
    let event = next(&mut stream).await;
    assert_eq!(
        (&event["change"], &event["scheduled_reply"]),
        (&json!("changed"), &changed)
    );
    // An older page gets the version that is there.
    let refusal = floor::admin(client, "PATCH", &at, &change).await.is(409);
    assert_eq!(refusal.json["scheduled_reply"], changed);
    let rule = json!({ "based_on": 2, "unless_customer_wrote": false });
    let by_ada = floor::admin(client, "PATCH", &at, &rule).await.is(200).json;
    assert_eq!(by_ada["unless_customer_wrote"], false);
    assert_eq!(by_ada["user"]["name"], "boris");
    floor::admin(client, "DELETE", &at, &Value::Null)
        .await
        .is(204);
    next(&mut stream).await;
    let event = next(&mut stream).await;
    assert_eq!(
        (&event["change"], &event["scheduled_reply"]["cancelled_by"]),
        (&json!("cancelled"), &json!(1))
    );
    assert!(open(client, &id).await.is_empty());
    for method in ["PATCH", "DELETE"] {
        request(client, &boris, method, &at, &rule).await.is(404);
    }
    for unknown in ["9", "0", "x"] {
        let at = format!("{}/{unknown}", target(&id));
        floor::admin(client, "DELETE", &at, &Value::Null)
            .await
            .is(404);
    }
    a_cancellation_is_logged(client, "Ready now").await;
    assert!(sent(client, &id).await.is_empty());
}

async fn a_cancellation_is_logged(client: &Client, text: &str) {
    let request = client.operate("GET", "/admin/v1/audit?limit=250");
    let log = request.send().await.is(200).body;
    assert!(log.contains("scheduled_reply.delete"), "{log}");
    assert!(!log.contains(text), "the log has no text");
}

/// One is due while no service runs, the other one after the start.
#[tokio::test]
async fn they_survive_a_kill_and_a_service_that_was_down() {
    let mut server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let send_at = in_seconds(SHORT);
    schedules(client, &id, &body("First", send_at))
        .await
        .is(201);
    schedules(client, &id, &body("Second", in_seconds(HOUR)))
        .await
        .is(201);
    server.kill_9();
    eventually("the time is over", async || {
        (in_seconds(0) > send_at).then_some(())
    })
    .await;
    server.restart().await;
    let client = server.client();
    becomes_message(client, &id, "First").await;
    let second = open(client, &id).await;
    assert_eq!(second.len(), 1);
    let change = json!({ "based_on": 1, "send_at": in_seconds(SHORT) });
    floor::admin(client, "PATCH", &place(&id, 2), &change)
        .await
        .is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    becomes_message(client, &id, "Second").await;
    assert_eq!(sent(client, &id).await, ["Second", "First"]);
    assert!(open(client, &id).await.is_empty());
}

/// The service is killed around the time: in the end each is one message.
#[tokio::test]
async fn a_kill_at_the_due_time_sends_each_once() {
    let mut server = Server::start().await;
    let id = conversation(server.client()).await;
    for round in 0..4_u32 {
        let client = server.client();
        let send_at = in_seconds(3);
        let text = format!("Round {round}");
        schedules(client, &id, &body(&text, send_at)).await.is(201);
        // From a moment before the message to a moment behind it, by the round.
        eventually("it is due", async || {
            (in_seconds(0) >= send_at).then_some(())
        })
        .await;
        for _ in 0..round {
            open(client, &id).await;
        }
        server.kill_9();
        server.restart().await;
        becomes_message(server.client(), &id, &text).await;
    }
    let client = server.client();
    let rounds = ["Round 3", "Round 2", "Round 1", "Round 0"];
    assert_eq!(sent(client, &id).await, rounds);
    assert!(open(client, &id).await.is_empty());
}

/// The writer may have lost the right, or have left; the account may have been disconnected.
#[tokio::test]
async fn a_writer_without_rights_sends_nothing_and_hears_of_it() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let boris = floor::add(client, "boris", &floor::rights("A")).await;
    let clara = floor::add(client, "clara", &floor::rights("A")).await;
    let scheduled = body("Ready", in_seconds(SHORT));
    for writer in [&boris, &clara] {
        let answer = request(client, writer, "POST", &target(&id), &scheduled).await;
        answer.is(201);
    }
    let mut reads_only = floor::rights("A");
    reads_only["leads"]["edit"] = json!("D");
    reads_only["leads"]["delete"] = json!("D");
    let change = json!({ "rights": reads_only });
    let user = format!("/api/v4/users/{}", boris.id);
    floor::admin(client, "PATCH", &user, &change).await.is(202);
    let mut stream = Stream::open_with(&server, ("Cookie", &boris.cookie), None).await;
    let leaving = json!([{ "id": clara.id }]);
    floor::admin(client, "POST", "/api/v4/users/deactivate", &leaving)
        .await
        .is(204);
    let event = next(&mut stream).await;
    assert_eq!(event["change"], "held");
    assert_eq!(event["scheduled_reply"]["held"]["code"], "no_right");
    next(&mut stream).await;
    let replies = open(client, &id).await;
    let codes: Vec<&Value> = replies.iter().map(|it| &it["held"]["code"]).collect();
    assert_eq!(codes, ["no_right", "no_right"]);
    assert!(sent(client, &id).await.is_empty());
    // An administrator decides about what is left of them.
    let now = json!({ "type": "text", "text": "Ready", "scheduled_reply": 1 });
    let messages = format!("/inbox/v1/conversations/{id}/messages");
    floor::admin(client, "POST", &messages, &now).await.is(201);
    floor::admin(client, "DELETE", &place(&id, 2), &Value::Null)
        .await
        .is(204);
    assert_eq!(sent(client, &id).await, ["Ready"]);
    schedules(client, &id, &body("Late", in_seconds(SHORT)))
        .await
        .is(201);
    client.disconnect().await;
    assert_eq!(held(client, &id).await, "not_connected");
}

/// Of a cancellation and the due time at the same instant one is first: the reply is cancelled, or is one message.
#[tokio::test]
async fn of_a_cancellation_and_the_due_time_one_is_first() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let mut ids = Vec::new();
    for number in 0..RACES {
        let answer = client.sent(&message("m1", &format!("c{number}"))).await;
        ids.push(answer["conversation_id"].as_str().unwrap().to_owned());
    }
    let send_at = in_seconds(SHORT + 4);
    for id in &ids {
        schedules(client, id, &body("Ready", send_at)).await.is(201);
    }
    eventually("it is due", async || {
        (in_seconds(0) >= send_at).then_some(())
    })
    .await;
    let cancels = ids.iter().map(async |id| {
        let answer = floor::admin(client, "DELETE", &place(id, 1), &Value::Null).await;
        answer.status
    });
    let statuses = join_all(cancels).await;
    for (id, status) in ids.iter().zip(statuses) {
        match status {
            204 => {}
            404 => becomes_message(client, id, "Ready").await,
            other => panic!("{other}"),
        }
        let messages = sent(client, id).await.len();
        assert_eq!(messages, usize::from(status == 404), "{status}");
        assert!(open(client, id).await.is_empty());
    }
}

/// Two send the same one now: one message, and one is refused.
#[tokio::test]
async fn of_two_who_send_it_now_one_is_refused() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let messages = format!("/inbox/v1/conversations/{id}/messages");
    for round in 1..=20_u64 {
        schedules(client, &id, &body("Ready", in_seconds(HOUR)))
            .await
            .is(201);
        let now = json!({ "type": "text", "text": "Ready", "scheduled_reply": round });
        let (first, second) = join(
            floor::admin(client, "POST", &messages, &now),
            floor::admin(client, "POST", &messages, &now),
        )
        .await;
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 404]);
    }
    assert_eq!(sent(client, &id).await.len(), 20);
    let both = json!({ "type": "text", "text": "x", "scheduled_reply": 1, "draft": 1 });
    let refusal = floor::admin(client, "POST", &messages, &both).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "scheduled_reply");
}

/// A template is filled when it is sent, and not when it is scheduled.
#[tokio::test]
async fn a_template_is_filled_at_the_time() {
    let server = Server::start().await;
    let client = server.client();
    let id = conversation(client).await;
    let template = json!({ "name": "Hours", "content": "Dear {{contact.name}}, we open at nine." });
    let created = floor::admin(client, "POST", "/api/v4/chats/templates", &template).await;
    let number = created.is(200).json["_embedded"]["chat_templates"][0]["id"].clone();
    let scheduled =
        json!({ "type": "template", "template_id": number, "send_at": in_seconds(SHORT) });
    let reply = schedules(client, &id, &scheduled).await.is(201).json;
    assert_eq!(reply["content"]["template_id"], number);
    let text = json!({ "based_on": 1, "text": "Mine" });
    let refusal = floor::admin(client, "PATCH", &place(&id, 1), &text).await;
    assert_eq!(refusal.is(400).wrong()[0].0, "text");
    let name = json!({ "name": "Hedwig" });
    floor::admin(client, "PATCH", "/api/v4/contacts/1", &name)
        .await
        .is(200);
    becomes_message(client, &id, "Dear Hedwig, we open at nine.").await;
    schedules(client, &id, &scheduled_again(&number))
        .await
        .is(201);
    let target = format!("/api/v4/chats/templates/{number}");
    floor::admin(client, "DELETE", &target, &Value::Null)
        .await
        .is(204);
    assert_eq!(held(client, &id).await, "template");
}

fn scheduled_again(template: &Value) -> Value {
    json!({ "type": "template", "template_id": template, "send_at": in_seconds(SHORT) })
}

/// An erasure of the customer takes the scheduled replies to her, and nothing is sent.
#[tokio::test]
async fn an_erasure_of_the_customer_takes_them() {
    let server = Server::start().await;
    let client = server.client();
    let id = filled(client, 1).await;
    let text = format!("Your {WORD} is ready, {NAME}");
    schedules(client, &id, &body(&text, in_seconds(HOUR)))
        .await
        .is(201);
    order_hers(client).await;
    done(client, 1).await;
    client.get(&target(&id)).await.is(404);
    assert_eq!(traces(&server.data(), &[WORD]), [""; 0]);
}
