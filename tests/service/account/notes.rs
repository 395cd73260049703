//! Notes about leads and contacts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::Client;
use crate::support::server::Server;

fn note(text: &str) -> Value {
    json!({ "note_type": "common", "params": { "text": text } })
}

async fn add(client: &Client, target: &str, body: &Value) -> Value {
    let answer = floor::admin(client, "POST", target, body).await.is(200);
    answer.json["_embedded"]["notes"].clone()
}

#[tokio::test]
async fn a_note_has_the_counterparts_shape() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let note_list = add(client, "/api/v4/leads/1/notes", &note("Wants tulips.")).await;
    assert_eq!(
        (&note_list[0]["id"], &note_list[0]["entity_id"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(note_list[0]["request_id"], "0");
    let answer = client.get("/api/v4/leads/1/notes/1").await.is(200);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let response = answer.json;
    for (key, value) in [
        ("entity_id", json!(1)),
        ("created_by", json!(1)),
        ("updated_by", json!(1)),
        ("responsible_user_id", json!(1)),
        ("group_id", json!(1)),
        ("note_type", json!("common")),
        ("params", json!({ "text": "Wants tulips." })),
        ("account_id", json!(1)),
    ] {
        assert_eq!(response[key], value, "{key}");
    }
    let href = format!("{}/api/v4/leads/1/notes/1", server.url());
    assert_eq!(response["_links"]["self"]["href"], href);
    let list = client.read("/api/v4/leads/1/notes").await;
    assert_eq!(list["_embedded"]["notes"], json!([response]));
}

#[tokio::test]
async fn notes_belong_to_one_lead_or_contact() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    let mut first = note("a");
    first["entity_id"] = json!(1);
    let mut second = note("b");
    second["entity_id"] = json!(2);
    add(client, "/api/v4/leads/notes", &json!([first, second])).await;
    add(client, "/api/v4/contacts/notes", &json!({ "5": second })).await;
    add(client, "/api/v4/contacts/2/notes", &json!([note("c")])).await;
    for (target, ids) in [
        ("/api/v4/leads/notes", vec![1, 2]),
        ("/api/v4/leads/1/notes", vec![1]),
        ("/api/v4/leads/2/notes", vec![2]),
        ("/api/v4/contacts/notes", vec![3, 4]),
        ("/api/v4/contacts/1/notes", vec![]),
        ("/api/v4/contacts/2/notes", vec![3, 4]),
    ] {
        assert_eq!(
            floor::ids(&client.read(target).await, "notes"),
            ids,
            "{target}"
        );
    }
    let page = client.read("/api/v4/contacts/2/notes?limit=1").await;
    assert_eq!(floor::ids(&page, "notes"), [3]);
    let next = page["_links"]["next"]["href"]
        .as_str()
        .unwrap()
        .strip_prefix(server.url())
        .unwrap();
    assert_eq!(floor::ids(&client.read(next).await, "notes"), [4]);
    for (any, of_it) in [
        ("leads/notes/2", "leads/2/notes/2"),
        ("contacts/notes/3", "contacts/2/notes/3"),
    ] {
        let any = client.read(&format!("/api/v4/{any}")).await;
        assert_eq!(any, client.read(&format!("/api/v4/{of_it}")).await);
    }
    for never in [
        "/api/v4/leads/2/notes/1",
        "/api/v4/contacts/1/notes/1",
        "/api/v4/leads/notes/3",
    ] {
        client.get(never).await.is(204);
    }
    for never in [
        "/api/v4/leads/1/notes/x",
        "/api/v4/leads/9/notes",
        "/api/v4/leads/notes/x",
        "/api/v4/contacts/0/notes",
    ] {
        client.get(never).await.is(404);
    }
}

#[tokio::test]
async fn notes_are_filtered_by_number_entity_type_and_time() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    add(client, "/api/v4/leads/1/notes", &note("a")).await;
    add(client, "/api/v4/leads/2/notes", &note("b")).await;
    add(client, "/api/v4/contacts/1/notes", &note("c")).await;
    for (list, query, ids) in [
        ("leads/notes", "filter[id]=2", vec![2]),
        ("leads/notes", "filter[id][]=1&filter[id][]=3", vec![1]),
        (
            "leads/notes",
            "filter[entity_id][]=2&filter[entity_id][]=9",
            vec![2],
        ),
        (
            "leads/notes",
            "filter[note_type][]=common&order[id]=desc",
            vec![2, 1],
        ),
        ("leads/notes", "filter[note_type]=call_in", vec![]),
        ("leads/notes", "filter[updated_at][from]=4000000000", vec![]),
        ("leads/1/notes", "filter[id]=2", vec![]),
        (
            "leads/1/notes",
            "filter[updated_at][to]=4000000000",
            vec![1],
        ),
    ] {
        let response = client.read(&format!("/api/v4/{list}?{query}")).await;
        assert_eq!(floor::ids(&response, "notes"), ids, "{list} {query}");
    }
}

#[tokio::test]
async fn a_note_is_changed_and_stays_over_a_kill() {
    let mut server = Server::start().await;
    floor::conversations(server.client(), 1).await;
    add(server.client(), "/api/v4/leads/1/notes", &note("a")).await;
    let target = "/api/v4/leads/1/notes/1";
    let change = json!({ "params": { "text": "b" } });
    let answer = floor::admin(server.client(), "PATCH", target, &change)
        .await
        .is(200)
        .json;
    assert_eq!(answer["params"]["text"], "b");
    let same = floor::admin(server.client(), "PATCH", target, &change).await;
    assert_eq!(same.is(200).json, answer, "an unchanged text is no change");
    server.kill_9();
    server.restart().await;
    let response = server.client().read(target).await;
    assert_eq!(response["params"], answer["params"]);
    assert_eq!(response["updated_at"], answer["updated_at"]);
    add(server.client(), "/api/v4/leads/1/notes", &note("c")).await;
    let list = server.client().read("/api/v4/leads/1/notes").await;
    assert_eq!(floor::ids(&list, "notes"), [1, 2]);
}

/// A program says under its own name what happened.
#[tokio::test]
async fn a_service_writes_notes_under_its_name() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let of_service = |note_type: &str, text: &str| json!({ "note_type": note_type, "params": { "text": text, "service": "Till" } });
    let body = json!([
        of_service("service_message", "Paid."),
        of_service("extended_service_message", "Packed."),
        of_service("common", "Wants tulips."),
    ]);
    add(client, "/api/v4/leads/1/notes", &body).await;
    let target = "/api/v4/leads/1/notes/1";
    let response = client.read(target).await;
    assert_eq!(response["note_type"], "service_message");
    let params = json!({ "text": "Paid.", "service": "Till" });
    assert_eq!(response["params"], params);
    let common = client.read("/api/v4/leads/1/notes/3").await;
    assert_eq!(common["params"], json!({ "text": "Wants tulips." }));
    for (types, ids) in [
        ("filter[note_type]=service_message", vec![1]),
        (
            "filter[note_type][]=common&filter[note_type][]=extended_service_message",
            vec![2, 3],
        ),
    ] {
        let list = client.read(&format!("/api/v4/leads/notes?{types}")).await;
        assert_eq!(floor::ids(&list, "notes"), ids, "{types}");
    }
    let change = json!({ "note_type": "service_message", "params": { "service": "Cash desk" } });
    let answer = floor::admin(client, "PATCH", target, &change).await;
    let params = json!({ "text": "Paid.", "service": "Cash desk" });
    assert_eq!(answer.is(200).json["params"], params);
    let other = json!({ "note_type": "common", "params": { "text": "x" } });
    let answer = floor::admin(client, "PATCH", target, &other).await;
    let errors = &answer.is(400).json["validation-errors"][0]["errors"];
    assert_eq!(errors[0]["path"], "note_type");
    let query = "/api/v4/events?filter[type]=service_note_added";
    let events = client.read(query).await["_embedded"]["events"].take();
    let notes = events.as_array().unwrap().iter();
    let ids = notes.map(|it| it["value_after"][0]["note"]["id"].as_u64().unwrap());
    // They were written at one moment.
    assert_eq!(ids.collect::<BTreeSet<u64>>(), BTreeSet::from([1, 2]));
    assert_eq!(client.read(target).await["params"], params);
}

#[tokio::test]
async fn wrong_notes_are_refused_as_a_whole() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let body = json!([
        { "entity_id": 1, "note_type": "common", "params": { "text": "fine" } },
        { "note_type": "call_in", "params": { "text": 7 } },
        { "entity_id": "1", "params": [] },
        { "entity_id": 1, "note_type": "service_message", "params": { "text": "Paid" } },
    ]);
    let answer = floor::admin(client, "POST", "/api/v4/leads/notes", &body)
        .await
        .is(400);
    let items = &answer.json["validation-errors"];
    let paths = |place: usize| -> Vec<&str> {
        let errors = items[place]["errors"].as_array().unwrap().iter();
        errors
            .map(|error| error["path"].as_str().unwrap())
            .collect()
    };
    assert_eq!(paths(0), ["entity_id", "note_type", "params.text"]);
    let words = "expected one of common, service_message, extended_service_message";
    assert_eq!(items[0]["errors"][1]["detail"], words);
    assert_eq!(paths(1), ["entity_id", "note_type", "params"]);
    assert_eq!(paths(2), ["params.service"]);
    let unknown = json!([{ "entity_id": 9, "note_type": "common", "params": { "text": "x" } }]);
    let answer = floor::admin(client, "POST", "/api/v4/leads/notes", &unknown).await;
    let errors = &answer.is(400).json["validation-errors"][0]["errors"];
    assert_eq!(errors[0]["path"], "entity_id");
    let long = note(&"x".repeat(65_537));
    let target = "/api/v4/leads/1/notes";
    floor::admin(client, "POST", target, &long).await.is(400);
    client.get(target).await.is(204);
}

#[tokio::test]
async fn who_sees_a_lead_without_editing_it_writes_no_note() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    floor::place(client, 1, 2, None).await;
    let mut rights = floor::rights("A");
    for right in ["edit", "delete"] {
        rights["leads"][right] = json!("D");
    }
    let eve = floor::add(client, "Eve", &rights).await;
    let target = "/api/v4/leads/1/notes";
    add(client, target, &note("a")).await;
    assert_eq!(
        floor::ids(&eve.reads(client, target).await.is(200).json, "notes"),
        [1]
    );
    eve.sends(client, "POST", target, &note("b")).await.is(403);
    let one = "/api/v4/leads/1/notes/1";
    let change = json!({ "params": { "text": "b" } });
    eve.sends(client, "PATCH", one, &change).await.is(403);
    let dee = floor::add(client, "Dee", &floor::rights("D")).await;
    dee.reads(client, one).await.is(204);
    dee.reads(client, "/api/v4/leads/notes").await.is(204);
}

#[tokio::test]
async fn a_note_is_changed_by_its_number_alone() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    for kind in ["leads", "contacts"] {
        let all = format!("/api/v4/{kind}/1/notes");
        let note = &add(client, &all, &note("a")).await[0];
        let target = format!("/api/v4/{kind}/notes/{}", note["id"]);
        let change = json!({ "note_type": "common", "params": { "text": "b" } });
        let response = floor::admin(client, "PATCH", &target, &change)
            .await
            .is(200)
            .json;
        assert_eq!(response["params"]["text"], "b");
        assert_eq!(response["entity_id"], 1);
        assert_eq!(client.read(&target).await, response);
        let of_another = format!("/api/v4/{kind}/notes/99");
        floor::admin(client, "PATCH", &of_another, &change)
            .await
            .is(404);
        let empty = json!({ "params": { "text": "" } });
        floor::admin(client, "PATCH", &target, &empty).await.is(400);
    }
    let lead_note = "/api/v4/contacts/notes/1";
    let change = json!({ "params": { "text": "c" } });
    floor::admin(client, "PATCH", lead_note, &change)
        .await
        .is(404);
}
