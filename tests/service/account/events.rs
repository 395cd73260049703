//! The events of the account.

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::archive::{Place, archived};
use crate::erasure::{NAME, done, filled, order_hers};
use crate::rights::floor;
use crate::support::client::{Client, entries, message};
use crate::support::rounds::Rounds;
use crate::support::server::{Server, Setup};

const EVENTS: &str = "/api/v4/events";

async fn admin(client: &Client, method: &str, target: &str, body: &Value) -> Value {
    let target = format!("/api/v4/{target}");
    floor::admin(client, method, &target, body)
        .await
        .is(200)
        .json
}

async fn events(client: &Client, query: &str) -> Vec<Value> {
    let answer = client.get(&format!("{EVENTS}?{query}")).await;
    entries(&answer.when_read().json, "events")
}

fn types(events: &[Value]) -> Vec<&str> {
    let types = events.iter().map(|event| event["type"].as_str().unwrap());
    types.collect()
}

fn ids(events: &[Value]) -> Vec<&str> {
    let ids = events.iter().map(|event| event["id"].as_str().unwrap());
    ids.collect()
}

/// All events, page by page.
async fn walk(server: &Server, limit: usize) -> Vec<Value> {
    let mut all = Vec::new();
    let mut target = format!("{EVENTS}?limit={limit}");
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let page = server.client().get(&target).await.when_read().json;
        all.extend(entries(&page, "events"));
        let Some(next) = page["_links"]["next"]["href"].as_str() else {
            return all;
        };
        target = next.strip_prefix(server.url()).unwrap().to_owned();
    }
}

/// A chat with a message and its answer, and each kind of change of its lead.
async fn change_everything(client: &Client) -> String {
    let chat = floor::conversations(client, 1).await.remove(0);
    client.replied(&chat, "Yes").await;
    let note = json!([{ "note_type": "common", "params": { "text": "x" } }]);
    let contacts = json!([{ "to_entity_id": 1, "to_entity_type": "contacts" }]);
    for (method, target, body) in [
        ("PATCH", "leads/1", json!({ "status_id": 2 })),
        ("PATCH", "leads/1", json!({ "responsible_user_id": 1 })),
        (
            "PATCH",
            "leads/1",
            json!({ "tags_to_add": [{ "name": "vip" }] }),
        ),
        (
            "PATCH",
            "leads/1",
            json!({ "tags_to_delete": [{ "name": "vip" }] }),
        ),
        ("POST", "leads/1/notes", note),
    ] {
        admin(client, method, target, &body).await;
    }
    let unlink = "/api/v4/leads/1/unlink";
    floor::admin(client, "POST", unlink, &contacts)
        .await
        .is(204);
    admin(client, "POST", "leads/1/link", &contacts).await;
    admin(client, "POST", "leads", &json!([{ "name": "Own" }])).await;
    admin(client, "POST", "contacts", &json!([{ "name": "Own" }])).await;
    chat
}

/// Every type of events comes from what is stored, newest first, in pages of any size.
#[tokio::test]
async fn each_change_and_each_message_is_an_event() {
    let server = Server::start().await;
    let client = server.client();
    change_everything(client).await;
    let all = events(client, "limit=100").await;
    let mut all_types = types(&all);
    assert_eq!(all_types[..2], ["contact_added", "lead_added"]);
    all_types.sort_unstable();
    let expected = [
        "common_note_added",
        "contact_added",
        "contact_added",
        "entity_linked",
        "entity_responsible_changed",
        "entity_tag_added",
        "entity_tag_deleted",
        "entity_unlinked",
        "incoming_chat_message",
        "lead_added",
        "lead_added",
        "lead_status_changed",
        "outgoing_chat_message",
    ];
    assert_eq!(all_types, expected);
    for limit in [1, 4] {
        assert_eq!(walk(&server, limit).await, all);
    }
    let times: Vec<u64> = all
        .iter()
        .map(|event| event["created_at"].as_u64().unwrap())
        .collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older));
    for event in &all {
        let id = event["id"].as_str().unwrap();
        assert_eq!(client.read(&format!("{EVENTS}/{id}")).await, *event);
    }
}

#[tokio::test]
async fn an_event_has_its_values_before_and_after() {
    let server = Server::start().await;
    let client = server.client();
    change_everything(client).await;
    let of_type = async |event_type: &str| {
        let query = format!("filter[type][]={event_type}&filter[entity]=lead&filter[entity_id]=1");
        events(client, &query).await.remove(0)
    };
    let contact = json!([{ "link": { "entity": { "type": "contact", "id": 1 } } }]);
    for (event_type, before, after) in [
        (
            "lead_status_changed",
            json!([{ "lead_status": { "id": 1, "pipeline_id": 1 } }]),
            json!([{ "lead_status": { "id": 2, "pipeline_id": 1 } }]),
        ),
        (
            "entity_responsible_changed",
            json!([{ "responsible_user": { "id": 0 } }]),
            json!([{ "responsible_user": { "id": 1 } }]),
        ),
        (
            "entity_tag_added",
            json!([]),
            json!([{ "tag": { "name": "vip" } }]),
        ),
        (
            "entity_tag_deleted",
            json!([{ "tag": { "name": "vip" } }]),
            json!([]),
        ),
        (
            "common_note_added",
            json!([]),
            json!([{ "note": { "id": 1 } }]),
        ),
        ("entity_linked", json!([]), contact.clone()),
        ("entity_unlinked", contact, json!([])),
        ("lead_added", json!([]), json!([])),
    ] {
        let event = of_type(event_type).await;
        assert_eq!(event["value_before"], before, "{event_type}");
        assert_eq!(event["value_after"], after, "{event_type}");
    }
    let status = of_type("lead_status_changed").await;
    let id = status["id"].as_str().unwrap();
    assert_eq!(id.len(), 26);
    let url = server.url();
    let account = client.read("/api/v4/account").await["id"].clone();
    assert_eq!(
        status,
        json!({
            "id": id, "type": "lead_status_changed", "entity_id": 1, "entity_type": "lead",
            "created_by": 1, "created_at": status["created_at"],
            "value_after": [{ "lead_status": { "id": 2, "pipeline_id": 1 } }],
            "value_before": [{ "lead_status": { "id": 1, "pipeline_id": 1 } }],
            "account_id": account,
            "_links": { "self": { "href": format!("{url}{EVENTS}/{id}") } },
            "_embedded": { "entity": {
                "id": 1, "_links": { "self": { "href": format!("{url}/api/v4/leads/1") } },
            } },
        })
    );
}

/// A message is found by the lead and by the contact of its chat.
#[tokio::test]
async fn a_message_is_found_by_lead_and_by_contact() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    let reply = client.replied(&chats[0], "Yes").await;
    let messages = "filter[type]=incoming_chat_message,outgoing_chat_message";
    let by_lead = events(
        client,
        &format!("{messages}&filter[entity][]=lead&filter[entity_id][]=1"),
    )
    .await;
    let by_contact = events(
        client,
        &format!("{messages}&filter[entity][]=contact&filter[entity_id][]=1"),
    )
    .await;
    assert_eq!(by_lead, by_contact);
    assert_eq!(
        types(&by_lead),
        ["outgoing_chat_message", "incoming_chat_message"]
    );
    let value = &by_lead[0]["value_after"][0]["message"];
    assert_eq!(value["id"], json!(reply));
    assert_eq!(value["talk_id"], 1);
    assert_eq!(
        (
            &by_lead[0]["entity_type"],
            &by_lead[0]["linked_talk_contact_id"]
        ),
        (&json!("lead"), &json!(1))
    );
    assert_eq!(by_lead[0]["created_by"], 1);
    assert_eq!(by_lead[1]["created_by"], 0);
    for entity in ["lead", "contact"] {
        let all = events(client, &format!("{messages}&filter[entity][]={entity}")).await;
        assert_eq!(all.len(), 3, "{entity}");
    }
    let named = format!("{messages}&with=lead_name&limit=1");
    let event = &events(client, &named).await[0];
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(event["_embedded"]["entity"]["name"], lead["name"]);
    // What is imported silently is no event.
    let mut silent = message("old", "c1");
    silent["payload"]["silent"] = true.into();
    client.sent(&silent).await;
    assert_eq!(events(client, messages).await.len(), 3);
}

#[tokio::test]
async fn events_are_filtered_and_other_filters_refused() {
    let server = Server::start().await;
    let client = server.client();
    change_everything(client).await;
    let all = events(client, "limit=100").await;
    let (first, last) = (&all[0], all.last().unwrap());
    let count = async |query: &str| events(client, query).await.len();
    let id = ids(&all)[3];
    assert_eq!(count(&format!("filter[id]={id}")).await, 1);
    let two = format!("filter[id][]={id}&filter[id][]={}", ids(&all)[5]);
    assert_eq!(events(client, &two).await, [all[3].clone(), all[5].clone()]);
    let by_nobody = events(client, "filter[created_by][]=0&limit=100").await;
    assert_eq!(by_nobody.len(), 3);
    let by_ada = events(client, "filter[created_by][]=1&limit=100").await;
    assert_eq!(by_nobody.len() + by_ada.len(), all.len());
    let (from, to) = (&last["created_at"], &first["created_at"]);
    let since = format!("filter[created_at]={from}&limit=100");
    assert_eq!(count(&since).await, all.len());
    let between = format!("filter[created_at][from]={from}&filter[created_at][to]={to}&limit=100");
    assert_eq!(count(&between).await, all.len());
    let later = to.as_u64().unwrap() + 9_999;
    assert_eq!(count(&format!("filter[created_at]={later}")).await, 0);
    let before = from.as_u64().unwrap() - 1;
    assert_eq!(count(&format!("filter[created_at][to]={before}")).await, 0);
    assert_eq!(count("page=2&limit=10").await, all.len() - 10);
    let notes = "filter[entity]=contact&filter[entity_id]=9";
    assert_eq!(count(notes).await, 0);
    let eleven = |name: &str| {
        let values = (1..=11).map(|number| format!("filter[{name}][]={number}"));
        values.collect::<Vec<_>>().join("&")
    };
    for query in [
        "filter[value_before][leads_statuses][0][status_id]=1",
        "filter[value_after]=1",
        "filter[type]=lead_deleted",
        "filter[entity]=company",
        "filter[entity_id]=1",
        "filter[entity][]=lead&filter[entity][]=contact&filter[entity_id]=1",
        "filter[id]=x",
        "filter[created_at]=x",
        "after=1",
        &eleven("created_by"),
        &format!("filter[entity]=lead&{}", eleven("entity_id")),
    ] {
        client.get(&format!("{EVENTS}?{query}")).await.is(400);
    }
    let id = "0".repeat(26);
    client.get(&format!("{EVENTS}/{id}")).await.is(204);
    client.get(&format!("{EVENTS}/x")).await.is(204);
}

/// A larger limit gives pages of 100, and says so in its links.
#[tokio::test]
async fn a_page_has_at_most_100_events() {
    let server = Server::start().await;
    let client = server.client();
    let leads = Value::from(vec![json!({ "name": "x" }); 120]);
    admin(client, "POST", "leads", &leads).await;
    let page = client.read(&format!("{EVENTS}?limit=250")).await;
    assert_eq!(entries(&page, "events").len(), 100);
    let next = page["_links"]["next"]["href"].as_str().unwrap();
    assert!(next.contains("limit=100"), "{next}");
    let rest = client.get(next.strip_prefix(server.url()).unwrap()).await;
    assert_eq!(entries(&rest.json, "events").len(), 20);
    assert_eq!(walk(&server, 250).await.len(), 120);
    let second = client.read(&format!("{EVENTS}?limit=250&page=2")).await;
    assert_eq!(entries(&second, "events").len(), 20);
}

/// Who may not see a lead sees none of its events, also not by their ids.
#[tokio::test]
async fn events_are_seen_with_what_they_are_about() {
    let server = Server::start().await;
    let client = server.client();
    change_everything(client).await;
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let all = events(client, "limit=100").await;
    dee.reads(client, EVENTS).await.is(204);
    mia.reads(client, EVENTS).await.is(204);
    for event in &all {
        let target = format!("{EVENTS}/{}", event["id"].as_str().unwrap());
        dee.reads(client, &target).await.is(204);
    }
    floor::place(client, 1, 2, Some(mia.id)).await;
    let page = mia.reads(client, &format!("{EVENTS}?limit=100")).await;
    let hers = entries(&page.is(200).json, "events");
    let of_lead = |event: &Value| event["entity_type"] == "lead" && event["entity_id"] == 1;
    assert!(hers.iter().all(of_lead), "{hers:#?}");
    let expected = events(client, "filter[entity]=lead&filter[entity_id]=1&limit=100").await;
    assert_eq!(hers, expected);
}

/// Each event follows from a stored record, so a restored service has the same ones.
#[tokio::test]
async fn events_are_the_same_after_a_restore() {
    let place = tempdir().unwrap();
    let archive = Place::directory(&place.path().join("archive"));
    let mut server = archive.setup(Setup::default()).start().await;
    change_everything(server.client()).await;
    let all = walk(&server, 100).await;
    archived(&server).await;
    assert_eq!(server.terminate().await, Some(0));
    let restored = place.path().join("restored");
    archive.restored(&restored);
    let server = Setup::default().data(&restored).start().await;
    let again = walk(&server, 100).await;
    assert_eq!(ids(&again), ids(&all));
    assert_eq!(types(&again), types(&all));
}

#[tokio::test]
async fn an_erased_customer_has_no_events() {
    let server = Server::start().await;
    let client = server.client();
    filled(client, 2).await;
    let all = walk(&server, 100).await;
    let leads = client.leads().await;
    let hers = leads.iter().find(|lead| lead["name"] == NAME).unwrap()["id"].clone();
    assert!(all.iter().any(|event| event["entity_id"] == hers));
    order_hers(client).await;
    done(client, 1).await;
    let rest = walk(&server, 100).await;
    let is_of_lead = |event: &Value| event["entity_type"] == "lead" && event["entity_id"] == hers;
    assert!(!rest.is_empty() && !rest.iter().any(is_of_lead));
    assert!(!serde_json::to_string(&rest).unwrap().contains(NAME));
    for event in all.iter().filter(|event| is_of_lead(event)) {
        let id = event["id"].as_str().unwrap();
        client.get(&format!("{EVENTS}/{id}")).await.is(204);
    }
}

#[tokio::test]
async fn the_types_are_named_in_four_languages() {
    let server = Server::start().await;
    let client = server.client();
    let names = async |query: &str| {
        let list = client.read(&format!("{EVENTS}/types{query}")).await;
        entries(&list, "events_types")
    };
    let english = names("").await;
    assert_eq!(english, names("?language_code=en").await);
    assert_eq!(
        english[0],
        json!({ "key": "lead_added", "type": 1, "lang": "New lead" })
    );
    let russian = names("?language_code=ru").await;
    assert_eq!(russian[0]["lang"], "Новая сделка");
    assert_eq!(russian.len(), english.len());
    let target = format!("{EVENTS}/types?language_code=de");
    client.get(&target).await.is(400);
}
