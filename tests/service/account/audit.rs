//! The entries in the audit log for leads, contacts, notes and tags.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::Client;
use crate::support::server::{ACCOUNT, Server};

async fn log(client: &Client) -> Vec<Value> {
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}&limit=250");
    let log = client.operate("GET", &target).send().await.is(200).json;
    log["entries"].as_array().unwrap().clone()
}

/// Every write has its entry, with its author; names, phone numbers and texts of customers are not in it.
#[tokio::test]
async fn writes_of_users_are_audited_without_personal_data() {
    let server = Server::start().await;
    let client = server.client();
    let before = log(client).await.len();
    let phone = json!([{ "field_code": "PHONE", "values": [{ "value": "+442079460000" }] }]);
    for (method, target, body) in [
        (
            "POST",
            "/api/v4/leads",
            json!([{ "name": "Grace's order" }]),
        ),
        (
            "PATCH",
            "/api/v4/leads/1",
            json!({ "name": "Grace again", "status_id": 3 }),
        ),
        ("PATCH", "/api/v4/leads/1", json!({ "name": "Grace again" })),
        ("POST", "/api/v4/contacts", json!([{ "name": "Grace" }])),
        (
            "PATCH",
            "/api/v4/contacts/1",
            json!({ "custom_fields_values": phone }),
        ),
        ("POST", "/api/v4/leads/tags", json!([{ "name": "vip" }])),
        ("POST", "/api/v4/leads/tags", json!([{ "name": "vip" }])),
        (
            "POST",
            "/api/v4/leads/1/notes",
            json!([{ "note_type": "common", "params": { "text": "Grace calls" } }]),
        ),
        (
            "PATCH",
            "/api/v4/leads/1/notes/1",
            json!({ "params": { "text": "Grace called" } }),
        ),
    ] {
        floor::admin(client, method, target, &body).await.is(200);
    }
    let mut entries = log(client).await;
    entries.truncate(entries.len() - before);
    let actions: Vec<_> = entries
        .iter()
        .rev()
        .map(|it| it["action"].as_str().unwrap())
        .collect();
    assert_eq!(
        actions,
        [
            "lead.create",
            "lead.update",
            "contact.create",
            "contact.update",
            "tag.create",
            "note.create",
            "note.update",
        ]
    );
    assert!(entries.iter().all(|it| it["by"]["name"] == "Ada"));
    let text = serde_json::to_string(&entries).unwrap();
    for personal in ["Grace", "44207946"] {
        assert!(!text.contains(personal), "{personal}: {text}");
    }
    let fields: Vec<_> = entries[5]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["field"].as_str().unwrap())
        .collect();
    assert_eq!(fields, ["name", "status_id"]);
}
