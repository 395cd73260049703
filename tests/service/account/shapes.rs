//! The shapes that typed clients of the counterpart read.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::message;
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, Server};

const WITH: &str = "amojo_id,uuid,amojo_rights,users_groups,task_types,version,entity_names,datetime_settings,drive_url,invoices_settings,nothing";

#[tokio::test]
async fn the_account_has_every_key_that_typed_clients_require() {
    let server = Server::start().await;
    let client = server.client();
    let bare = client.read("/api/v4/account").await;
    for (key, value) in [
        ("id", json!(1)),
        ("name", json!("First")),
        ("created_by", json!(0)),
        ("updated_by", json!(0)),
        ("current_user_id", json!(1)),
        ("country", json!("US")),
        ("currency", json!("USD")),
        ("currency_symbol", json!("$")),
        ("customers_mode", json!("unavailable")),
        ("is_unsorted_on", json!(true)),
        ("mobile_feature_version", json!(0)),
        ("is_loss_reason_enabled", json!(false)),
        ("is_helpbot_enabled", json!(false)),
        ("is_technical_account", json!(false)),
        ("contact_name_display_order", json!(1)),
        ("is_api_filter_enabled", json!(true)),
    ] {
        assert_eq!(bare[key], value, "{key}");
    }
    for key in ["created_at", "updated_at"] {
        assert!(bare[key].is_u64(), "{key}");
    }
    assert_ne!(bare["subdomain"], "");
    assert_eq!(bare["_embedded"], json!({}));
    assert_eq!(bare.get("amojo_id"), None);
    let full = client.read(&format!("/api/v4/account?with={WITH}")).await;
    assert_eq!(full["amojo_id"], ACCOUNT);
    assert_ne!(full["uuid"], full["amojo_id"]);
    assert_eq!(full["uuid"].as_str().unwrap().len(), 36);
    assert_eq!(
        (&full["version"], &full["drive_url"]),
        (&json!(4), &json!(server.url()))
    );
    let embedded = full["_embedded"].as_object().unwrap();
    let keys: BTreeSet<&str> = embedded.keys().map(String::as_str).collect();
    let all_keys = [
        "amojo_rights",
        "datetime_settings",
        "entity_names",
        "invoices_settings",
        "task_types",
        "users_groups",
    ];
    assert_eq!(keys, BTreeSet::from(all_keys));
    assert_eq!(embedded["users_groups"][0]["name"], "Sales department");
    let task_types = embedded["task_types"].as_array().unwrap();
    let types: Vec<_> = task_types
        .iter()
        .map(|it| (&it["id"], &it["code"]))
        .collect();
    let (first, second) = (json!("FOLLOW_UP"), json!("MEETING"));
    assert_eq!(types, [(&json!(1), &first), (&json!(2), &second)]);
}

/// The fields that typed clients require of entities: numbers and objects, never null.
const REQUIRED: [(&str, &str); 9] = [
    (
        "leads/1",
        "account_id group_id responsible_user_id price _embedded",
    ),
    (
        "contacts/1",
        "account_id group_id responsible_user_id _embedded",
    ),
    ("talks/1", "account_id contact_id entity_id _embedded"),
    (
        "leads/unsorted/1",
        "account_id pipeline_id created_at _embedded",
    ),
    ("leads/pipelines/1", "account_id sort _embedded"),
    (
        "leads/pipelines/1/statuses/142",
        "account_id pipeline_id sort",
    ),
    ("contacts/custom_fields/1", "account_id sort"),
    ("sources/1", "pipeline_id"),
    (
        "leads/1/notes/1",
        "account_id entity_id group_id responsible_user_id params",
    ),
];

/// Every `_links.self` below a value.
fn own_links(value: &Value, found: &mut BTreeSet<String>) {
    if let Some(link) = value["_links"]["self"]["href"].as_str() {
        found.insert(link.to_owned());
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|it| own_links(it, found)),
        Value::Array(items) => items.iter().for_each(|it| own_links(it, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Follows every link from the lists on, and checks numbers; gives the addresses that were read.
async fn followed(server: &Server) -> BTreeSet<String> {
    let client = server.client();
    let mut types = BTreeSet::new();
    let mut due: BTreeSet<String> = [
        "account",
        "leads",
        "contacts",
        "talks",
        "users",
        "roles",
        "sources",
        "leads/pipelines",
        "leads/pipelines/1/statuses",
        "leads/unsorted",
        "leads/notes",
        "leads/tags",
        "contacts/custom_fields",
        "contacts/notes",
        "contacts/tags",
        "leads/custom_fields",
    ]
    .iter()
    .map(|list| format!("{}/api/v4/{list}", server.url()))
    .collect();
    let mut rounds = Rounds::default();
    while let Some(link) = due.pop_first() {
        rounds.note();
        let answer = client.read(link.trim_start_matches(server.url())).await;
        let mut links = BTreeSet::new();
        own_links(&answer, &mut links);
        types.insert(link);
        due.extend(links.difference(&types).cloned());
        for (key, value) in answer.as_object().into_iter().flatten() {
            let is_number = key == "account_id" || key.ends_with("_user_id");
            assert!(!is_number || value.is_u64(), "{key} of {answer}");
        }
    }
    types
}

#[tokio::test]
async fn every_link_leads_somewhere_and_no_number_is_null() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m", "c")).await;
    let note = json!([{ "entity_id": 1, "note_type": "common", "params": { "text": "n" } }]);
    floor::admin(client, "POST", "/api/v4/leads/notes", &note)
        .await
        .is(200);
    let source = json!([{ "name": "Shop", "external_id": "shop" }]);
    floor::admin(client, "POST", "/api/v4/sources", &source)
        .await
        .is(200);
    let pages = followed(&server).await;
    for (link, keys) in REQUIRED {
        let full = format!("{}/api/v4/{link}", server.url());
        assert!(pages.contains(&full), "{link} of {pages:?}");
        let entity = client.read(&format!("/api/v4/{link}")).await;
        for key in keys.split(' ') {
            let value = &entity[key];
            assert!(value.is_u64() || value.is_object(), "{key} of {entity}");
        }
    }
    let unsorted = client.read("/api/v4/leads/unsorted/1").await;
    for key in ["from", "to", "service", "source_name"] {
        assert!(unsorted["metadata"][key].is_string(), "{key} of {unsorted}");
    }
}

#[tokio::test]
async fn fields_of_contacts_have_numbers_and_types() {
    let server = Server::start().await;
    let client = server.client();
    let field = json!([{ "field_code": "PHONE", "values": [{ "value": "+1" }] }]);
    let new = json!([{ "name": "Grace", "custom_fields_values": field }]);
    floor::admin(client, "POST", "/api/v4/contacts", &new)
        .await
        .is(200);
    let contact = client.read("/api/v4/contacts/1").await;
    assert_eq!(contact["group_id"], 1);
    let phone = json!({
        "field_id": 1, "field_name": "Phone", "field_code": "PHONE", "field_type": "multitext",
        "is_computed": false, "values": [{ "value": "+1", "enum_id": 1, "enum_code": "WORK" }],
    });
    assert_eq!(contact["custom_fields_values"], json!([phone]));
    let list = client.read("/api/v4/contacts/custom_fields").await;
    assert_eq!(floor::ids(&list, "custom_fields"), [1, 2]);
    let none = client.read("/api/v4/leads/custom_fields").await;
    assert_eq!(none["_embedded"]["custom_fields"], json!([]));
    client.get("/api/v4/contacts/custom_fields/3").await.is(404);
    let pipeline = client.read("/api/v4/leads/pipelines/1").await;
    assert_eq!(
        (&pipeline["account_id"], &pipeline["is_main"]),
        (&json!(1), &json!(true))
    );
    let won = client.read("/api/v4/leads/pipelines/1/statuses/142").await;
    assert_eq!(won["color"], "#ccff66");
    client
        .get("/api/v4/leads/pipelines/1/statuses/77")
        .await
        .is(404);
    client.get("/api/v4/leads/pipelines/2").await.is(404);
}

/// The counterpart's own library sends `request_id: null` with every item.
#[tokio::test]
async fn a_null_request_id_is_none_in_every_array() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    let note = json!({ "entity_id": 1, "note_type": "common", "params": { "text": "x" } });
    let user = json!({ "name": "Zoe", "email": "zoe@example.com", "password": "aBcde1@345" });
    for (method, target, mut item) in [
        ("POST", "leads", json!({ "name": "x" })),
        ("PATCH", "leads", json!({ "id": 1, "name": "y" })),
        ("POST", "contacts", json!({ "name": "x" })),
        ("PATCH", "contacts", json!({ "id": 1, "name": "y" })),
        ("POST", "leads/notes", note),
        ("POST", "leads/tags", json!({ "name": "x" })),
        (
            "POST",
            "contacts/chats",
            json!({ "contact_id": 1, "chat_id": chats[0] }),
        ),
        (
            "POST",
            "sources",
            json!({ "name": "x", "external_id": "x" }),
        ),
        ("PATCH", "sources", json!({ "id": 1, "name": "y" })),
        ("POST", "users", user),
        ("POST", "roles", json!({ "name": "x" })),
    ] {
        item["request_id"] = Value::Null;
        let target_of_it = format!("/api/v4/{target}");
        let answer = floor::admin(client, method, &target_of_it, &json!([item])).await;
        assert!(matches!(answer.status, 200 | 201), "{}", answer.body);
        let name = target.rsplit('/').next().unwrap();
        let entry = &answer.json["_embedded"][name][0];
        // Users and roles have no name of their own in answers.
        assert!(
            matches!(entry["request_id"].as_str(), Some("0") | None),
            "{entry}"
        );
    }
}
