//! The hooks of a customer's lead, contact, notes and task go with the customer, also from the files.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use switchboard_actors::domain::webhooks::code::WebhookCode;

use crate::erasure::{NAME, WORD, contact, done, order_hers, traces};
use crate::hooks::{hooks, patient, send_in_account, subscribes};
use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::receiver::Receiver;

/// The events of a life, whatever else happens in it.
const EVENTS: [&str; 8] = [
    "add_message",
    "add_lead",
    "update_lead",
    "note_lead",
    "add_contact",
    "update_contact",
    "note_contact",
    "add_task",
];

/// A customer with this name writes this word in a chat. Their lead and their contact are changed; there is a note about each, and a
/// task at the end.
async fn lives(client: &Client, chat: &str, name: &str, word: &str) {
    let mut event = message(&format!("m-{chat}"), chat);
    event["payload"]["sender"]["name"] = name.into();
    event["payload"]["message"]["text"] = word.into();
    client.sent(&event).await;
    let number = contact(client, name).await;
    let entry = format!("/api/v4/contacts/{number}");
    let with_leads = client.read(&format!("{entry}?with=leads")).await;
    let lead = &with_leads["_embedded"]["leads"][0]["id"];
    let phone = json!([{ "field_code": "PHONE", "values": [{ "value": "+49 30 7" }] }]);
    let note = json!([{ "note_type": "common", "params": { "text": word } }]);
    let task = json!([{
        "text": word, "complete_till": 2_000_000_000,
        "entity_type": "contacts", "entity_id": number,
    }]);
    for (method, target, body) in [
        (
            "POST",
            format!("/api/v4/leads/unsorted/{lead}/accept"),
            json!({}),
        ),
        (
            "PATCH",
            format!("/api/v4/leads/{lead}"),
            json!({ "name": word }),
        ),
        (
            "PATCH",
            entry.clone(),
            json!({ "custom_fields_values": phone }),
        ),
        ("POST", format!("/api/v4/leads/{lead}/notes"), note.clone()),
        ("POST", format!("{entry}/notes"), note),
        ("POST", "/api/v4/tasks".to_owned(), task),
    ] {
        floor::admin(client, method, &target, &body).await.is(200);
    }
}

/// The hooks of so many lives, newest first.
async fn hooks_of_lives(client: &Client, count: usize) -> Vec<Value> {
    eventually("the last hook is made", async || {
        let list = hooks(client, 1).await;
        let tasks = list.iter().filter(|hook| hook["event"] == "add_task");
        (tasks.count() == count).then_some(list)
    })
    .await
}

/// The form of a hook; none when it is erased.
async fn form_of(client: &Client, id: &Value) -> Option<String> {
    let target = format!("/webhooks/1/hooks/{id}");
    let hook = send_in_account(client, "GET", &target).await.json;
    hook["form"].as_str().map(str::to_owned)
}

#[tokio::test]
async fn hooks_of_all_objects_are_erased_with_their_customer() {
    let receiver = Receiver::answering(500).await;
    let mut server = patient().start().await;
    let client = server.client();
    client.connect("v2").await;
    let codes: Vec<&str> = WebhookCode::ALL.iter().map(|code| code.as_str()).collect();
    subscribes(client, &receiver, &codes).await;
    lives(client, "c", NAME, WORD).await;
    let hers = hooks_of_lives(client, 1).await;
    lives(client, "d", "Somebody else", "roses").await;
    let all = hooks_of_lives(client, 2).await;
    let events: BTreeSet<&str> = hers.iter().filter_map(|it| it["event"].as_str()).collect();
    for event in EVENTS {
        assert!(events.contains(event), "{event} is not in {events:?}");
    }
    for hook in &all {
        assert!(form_of(client, &hook["id"]).await.is_some(), "{hook}");
    }
    order_hers(client).await;
    done(client, 1).await;
    eventually("her hooks are gone", async || {
        for hook in &hers {
            if form_of(client, &hook["id"]).await.is_some() {
                return None;
            }
        }
        Some(())
    })
    .await;
    let (of_others, _) = all.split_at(all.len() - hers.len());
    assert!(of_others.len() >= EVENTS.len());
    for hook in of_others {
        assert!(form_of(client, &hook["id"]).await.is_some(), "{hook}");
    }
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&server.data(), &[NAME, WORD]), [""; 0]);
}
