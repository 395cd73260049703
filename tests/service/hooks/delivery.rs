//! Hooks reach their receivers: each event, in order, and again across kills.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use switchboard_actors::domain::webhooks::code::WebhookCode;

use crate::erasure::done;
use crate::hooks::{event, form, hooks, hooks_of, patient, send_in_account, subscribes};
use crate::inbox::listen::Stream;
use crate::inbox::webhooks::administrator;
use crate::rights::floor;
use crate::support::client::{Client, message, silent_message};
use crate::support::eventually;
use crate::support::oauth::does;
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, OTHER_TOKEN, TOKEN};
use switchboard_worlds::sink::Behaviour;

#[tokio::test]
async fn a_message_reaches_a_webhook_as_a_form() {
    let receiver = Receiver::start().await;
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m0", "c")).await;
    subscribes(client, &receiver, &["add_message"]).await;
    client.sent(&message("m1", "c")).await;
    let requests = receiver.requests(1).await;
    assert_eq!(requests.len(), 1, "nothing of what happened before");
    let request = requests.first().unwrap();
    assert_eq!(request.method, "POST");
    for (name, value) in [
        ("content-type", "application/x-www-form-urlencoded"),
        ("user-agent", "amoCRM-Webhooks/3.0"),
        ("accept-encoding", "gzip"),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    assert!(request.header("x-amocrm-requestid").is_some());
    for absent in ["x-signature", "x-delivery-attempt", "webhook-id", "accept"] {
        assert_eq!(request.header(absent), None, "{absent}");
    }
    assert!(request.body.starts_with(b"account%5Bsubdomain%5D="));
    let form = form(request);
    assert_eq!(event(&form), "message[add]");
    assert_eq!(form["message[add][0][text]"], "text of m1");
    assert_eq!(form["message[add][0][entity_type]"], "lead");
    assert_eq!(form["account[_links][self]"], server.url());
}

/// The life of two leads, their contacts and a task: everything that is an event happens to one of them.
async fn lives_through_everything(client: &Client) {
    let send = async |method: &str, target: &str, body: Value| {
        let answer = floor::admin(client, method, target, &body).await;
        assert!(answer.status < 300, "{method} {target}: {}", answer.json);
    };
    let mia = floor::add(client, "mia", &floor::rights("A")).await.id;
    for (msgid, chat) in [("m1", "c"), ("m2", "c"), ("m3", "d")] {
        client.sent(&message(msgid, chat)).await;
    }
    send("POST", "/api/v4/leads/unsorted/1/accept", json!({})).await;
    // The one that the chat of lead 2 goes to.
    send("POST", "/api/v4/leads", json!([{ "name": "Repeat" }])).await;
    let lead = json!({ "entity_id": 3, "entity_type": "leads" });
    send(
        "POST",
        "/api/v4/leads/unsorted/2/link",
        json!({ "link": lead }),
    )
    .await;
    let bouquet = json!({ "name": "Bouquet", "status_id": 2, "responsible_user_id": mia });
    send("PATCH", "/api/v4/leads/1", bouquet).await;
    let grace = json!({ "name": "Grace H.", "responsible_user_id": mia });
    send("PATCH", "/api/v4/contacts/1", grace).await;
    for entity in ["leads", "contacts"] {
        let note = json!([{ "note_type": "common", "params": { "text": "n" } }]);
        send("POST", &format!("/api/v4/{entity}/1/notes"), note).await;
    }
    let task = json!([{ "text": "Call", "complete_till": 2_000_000_000, "entity_type": "leads", "entity_id": 1 }]);
    send("POST", "/api/v4/tasks", task).await;
    send(
        "PATCH",
        "/api/v4/tasks/1",
        json!({ "responsible_user_id": mia }),
    )
    .await;
    let conversation = client.conversations().await[0]["id"].clone();
    client.replied(conversation.as_str().unwrap(), "hi").await;
    send("POST", "/api/v4/talks/1/close", json!({})).await;
    let template = json!([{ "name": "Paid", "content": "It is paid.", "type": "waba" }]);
    send("POST", "/api/v4/chats/templates", template).await;
    send("POST", "/api/v4/chats/templates/1/review", json!({})).await;
}

/// One webhook for everything that can happen: each event comes, each hook once, and nothing else.
#[tokio::test]
async fn each_event_of_an_account_is_one_hook() {
    let receiver = Receiver::start().await;
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    let codes = WebhookCode::ALL.iter().filter(|code| code.is_sent());
    let expected: BTreeSet<&str> = codes.map(|code| code.as_str()).collect();
    let all: Vec<&str> = WebhookCode::ALL.iter().map(|code| code.as_str()).collect();
    subscribes(client, &receiver, &all).await;
    lives_through_everything(client).await;
    let events = eventually("all hooks have arrived", async || {
        let events: BTreeSet<String> = hooks_of(&receiver).await.into_iter().collect();
        let has_all = expected.iter().all(|code| events.contains(*code));
        has_all.then_some(events)
    })
    .await;
    for code in &events {
        assert!(expected.contains(code.as_str()), "{code}");
    }
    let requests = receiver.requests(1).await;
    let ids: Vec<_> = requests
        .iter()
        .map(|it| it.header("x-amocrm-requestid").unwrap().to_owned())
        .collect();
    let mut different = ids.clone();
    different.sort();
    different.dedup();
    assert_eq!(ids.len(), different.len(), "each hook came once");
}

/// A silent message behind the end of a talk takes nothing up, and the next one that is not silent does.
#[tokio::test]
async fn a_closed_talk_goes_on_behind_a_silent_message() {
    let receiver = Receiver::start().await;
    let server = patient().start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    subscribes(client, &receiver, &["update_talk", "add_message"]).await;
    let close = async || {
        let body = json!({});
        let closed = floor::admin(client, "POST", "/api/v4/talks/1/close", &body).await;
        closed.is(202);
    };
    close().await;
    client.sent(&silent_message("m2", "c1")).await;
    client.sent(&message("m3", "c1")).await;
    client.sent(&message("m4", "c1")).await;
    let count = |codes: &[String], name: &str| codes.iter().filter(|code| *code == name).count();
    // The end of the talk, and its new beginning: of the first message alone.
    let codes = eventually("the hooks of both messages have arrived", async || {
        let codes = hooks_of(&receiver).await;
        let is_all = count(&codes, "add_message") == 2 && count(&codes, "update_talk") >= 2;
        is_all.then_some(codes)
    })
    .await;
    assert_eq!(count(&codes, "update_talk"), 2, "{codes:?}");
}

/// A hook that was not delivered outlives a kill, and has the same id and form in its next attempt.
#[tokio::test]
async fn a_hook_survives_a_kill_and_is_sent_again() {
    let receiver = Receiver::answering(500).await;
    let mut server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    subscribes(client, &receiver, &["add_message"]).await;
    client.sent(&message("m1", "c")).await;
    client.sent(&message("m2", "c")).await;
    receiver.requests(1).await;
    let waiting = eventually("the hook waits for its next attempt", async || {
        let hooks = send_in_account(client, "GET", "/webhooks/1/hooks")
            .await
            .json;
        let first = hooks["hooks"].as_array()?.last()?.clone();
        (first["state"] == "waiting").then_some(first)
    })
    .await;
    assert_eq!(waiting["attempts"], 1);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let replay = format!("/webhooks/1/hooks/{}/replay", waiting["id"]);
    receiver.script([Behaviour::status(200), Behaviour::status(200)]);
    send_in_account(client, "POST", &replay).await.is(200);
    // The second message of the chat follows the first.
    let requests = receiver.requests(3).await;
    let id = |index: usize| requests[index].header("x-amocrm-requestid").unwrap();
    assert_eq!((id(0), &requests[0].body), (id(1), &requests[1].body));
    assert_eq!(requests[1].header("x-delivery-attempt"), Some("2"));
    assert_eq!(form(&requests[2])["message[add][0][text]"], "text of m2");
    eventually("both hooks are delivered", async || {
        let hooks = send_in_account(client, "GET", "/webhooks/1/hooks")
            .await
            .json;
        let hooks = hooks["hooks"].as_array()?.clone();
        (hooks.len() == 2 && hooks.iter().all(|it| it["state"] == "delivered")).then_some(())
    })
    .await;
}

/// Receivers that hold their requests delay neither another one nor callbacks: everything arrives there before one of the held
/// attempts ends.
#[tokio::test]
async fn a_silent_receiver_delays_no_other() {
    let (silent, slow) = (
        Receiver::behaving(Behaviour::Hang).await,
        Receiver::behaving(Behaviour::slow_head(Duration::from_millis(100))).await,
    );
    let (other, channel) = (Receiver::start().await, Receiver::start().await);
    let server = patient().webhook(&channel).start().await;
    let client = server.client();
    client.connect("v2").await;
    for receiver in [&silent, &slow, &other] {
        subscribes(client, receiver, &["add_message", "add_outgoing_message"]).await;
    }
    for chat in ["c1", "c2", "c3"] {
        client.sent(&message(&format!("m-{chat}"), chat)).await;
    }
    eventually("requests of all chats are held", async || {
        let counts = [silent.connections(), slow.connections()];
        (counts == [3, 3]).then_some(())
    })
    .await;
    other.requests(3).await;
    let conversation = client.conversations().await[0]["id"].clone();
    for number in 0..5 {
        let text = format!("reply {number}");
        client.replied(conversation.as_str().unwrap(), &text).await;
    }
    channel.requests(5).await;
    let requests = other.requests(8).await;
    for webhook in [1, 2] {
        let list = hooks(client, webhook).await;
        assert_eq!(list.len(), 8);
        for hook in list {
            // An attempt counts when it has ended.
            assert_eq!(hook["attempts"], 0, "the others did not wait: {hook}");
        }
    }
    let texts: Vec<_> = requests
        .iter()
        .skip(3)
        .map(|request| form(request)["outgoing_message[add][0][text]"].clone())
        .collect();
    let expected: Vec<_> = (0..5).map(|number| format!("reply {number}")).collect();
    assert_eq!(texts, expected, "in the order of the chat");
    assert_eq!(silent.connections(), 3, "one at a time of a chat");
}

/// The notices of a stream about webhooks, up to the one that says that a webhook is on.
async fn notices(stream: &mut Stream) -> Vec<Value> {
    let mut notices: Vec<Value> = Vec::new();
    while notices.last().is_none_or(|it| it["disabled"] == true) {
        let event = stream.next().await.unwrap();
        if event.name == "webhook" {
            notices.push(event.data);
        }
    }
    notices
}

/// More than 100 bad answers within two hours switch a webhook off, with one notice; it gets nothing until it is switched on.
#[tokio::test]
async fn bad_answers_switch_a_webhook_off() {
    let receiver = Receiver::answering(404).await;
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    subscribes(client, &receiver, &["add_message"]).await;
    let write = async |number: usize| {
        let event = message(&format!("m{number}"), &format!("c{number}"));
        client.sent(&event).await["conversation_id"].clone()
    };
    for number in 0..100 {
        write(number).await;
    }
    receiver.requests(100).await;
    let mut stream = Stream::open(&server, TOKEN, None).await;
    write(100).await;
    let webhook = eventually("the webhook is switched off", async || {
        let list = send_in_account(client, "GET", "/webhooks").await.json;
        let webhook = list["webhooks"][0].clone();
        (webhook["disabled_by"] == "failures").then_some(webhook)
    })
    .await;
    assert!(webhook["disabled_at"].is_number());
    let list = client.read("/inbox/v1/webhooks").await;
    assert_eq!(list["webhooks"][0]["disabled_by"], "failures");
    assert!(list["webhooks"][0]["disabled_at"].is_number());
    assert_eq!(receiver.requests(101).await.len(), 101);
    let late = write(101).await;
    let list = client.read("/api/v4/webhooks").await;
    assert_eq!(list["_embedded"]["webhooks"][0]["disabled"], true);
    // What happens while it is off is not sent later: the next hook is of what happened behind.
    subscribes(client, &receiver, &["add_lead"]).await;
    receiver.script([Behaviour::status(200)]);
    write(102).await;
    let requests = receiver.requests(102).await;
    assert_eq!(requests.len(), 102);
    assert_eq!(event(&form(&requests[101])), "leads[add]");
    let newest = hooks(client, 1).await;
    assert_eq!(newest[0]["event"], "add_lead");
    assert!(newest.iter().all(|hook| hook["conversation_id"] != late));
    let switched = |disabled: bool| json!({ "webhook_id": 1, "disabled": disabled });
    assert_eq!(
        notices(&mut stream).await,
        [switched(true), switched(false)]
    );
}

/// A webhook is the account's: it gets everything also when who subscribed it is no administrator any more.
#[tokio::test]
async fn a_webhook_outlives_the_role_of_its_creator() {
    let receiver = Receiver::start().await;
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    let (bo, token) = administrator(client).await;
    let body = json!({ "destination": receiver.webhook("in"), "settings": ["add_message"] });
    does(client, &token, "POST", "/api/v4/webhooks", &body)
        .await
        .is(201);
    let user = format!("/admin/v1/accounts/{ACCOUNT}/users/{bo}");
    client
        .operates("PATCH", &user, &json!({ "is_admin": false }))
        .await
        .is(200);
    client.sent(&message("m1", "c")).await;
    assert_eq!(event(&form(&receiver.requests(1).await[0])), "message[add]");
}

#[tokio::test]
async fn hooks_of_deleted_webhooks_and_other_accounts_are_not_sent() {
    let (receiver, stranger) = (Receiver::answering(500).await, Receiver::start().await);
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    subscribes(client, &receiver, &["add_message"]).await;
    let body = json!({ "destination": stranger.webhook("in"), "settings": ["add_message"] });
    let other = client
        .request("POST", "/api/v4/webhooks")
        .bearer(OTHER_TOKEN);
    let other = other.header("Content-Type", "application/json");
    other.body(body.to_string()).send().await.is(201);
    client.sent(&message("m1", "c")).await;
    receiver.requests(1).await;
    let body = json!({ "destination": receiver.webhook("in") });
    floor::admin(client, "DELETE", "/api/v4/webhooks", &body)
        .await
        .is(204);
    client.sent(&message("m2", "c")).await;
    send_in_account(client, "GET", "/webhooks/1/hooks")
        .await
        .is(404);
    subscribes(client, &receiver, &["add_message"]).await;
    client.sent(&message("m3", "c")).await;
    let requests = receiver.requests(2).await;
    assert_eq!(form(&requests[1])["message[add][0][text]"], "text of m3");
    assert_eq!(stranger.connections(), 0);
}

/// What hooks said of a customer goes with the customer.
#[tokio::test]
async fn hooks_are_erased_with_their_customer() {
    let receiver = Receiver::answering(500).await;
    let server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    subscribes(client, &receiver, &["add_message"]).await;
    for chat in ["c", "d"] {
        client.sent(&message(&format!("of {chat}"), chat)).await;
    }
    receiver.requests(2).await;
    let hooks = async || {
        let list = send_in_account(client, "GET", "/webhooks/1/hooks").await;
        list.json["hooks"].as_array().unwrap().clone()
    };
    let ids: Vec<_> = hooks()
        .await
        .iter()
        .rev()
        .map(|it| it["id"].clone())
        .collect();
    let form_of = async |id: &Value| {
        let target = format!("/webhooks/1/hooks/{id}");
        send_in_account(client, "GET", &target).await.json["form"].clone()
    };
    assert!(form_of(&ids[0]).await.as_str().unwrap().contains("of+c"));
    let order = json!({ "what": "customer", "account_id": ACCOUNT, "contact_id": 1 });
    let answer = client.operates("POST", "/admin/v1/erasures", &order).await;
    answer.is(202);
    done(client, 1).await;
    eventually("the hook of the erased customer is gone", async || {
        form_of(&ids[0]).await.is_null().then_some(())
    })
    .await;
    assert!(form_of(&ids[1]).await.as_str().unwrap().contains("of+d"));
}
