//! Several phone numbers and e-mail addresses of a contact, each with its label.

use serde_json::{Value, json};

use super::adding::wrong;
use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::server::Server;

const CONTACTS: &str = "/api/v4/contacts";

fn body(phones: &Value, emails: &Value) -> Value {
    json!({ "name": "Grace", "custom_fields_values": [
        { "field_code": "PHONE", "values": phones },
        { "field_code": "EMAIL", "values": emails },
    ] })
}

/// The values of the two fields, as triples of value, number and code of the label.
async fn shown(client: &Client) -> Vec<(String, u64, String)> {
    let contact = client.read(&format!("{CONTACTS}/1")).await;
    let fields = contact["custom_fields_values"].as_array().unwrap().iter();
    let values = fields.flat_map(|field| field["values"].as_array().unwrap());
    let triples = values.map(|value| {
        let text = |key: &str| value[key].as_str().unwrap().to_owned();
        (
            text("value"),
            value["enum_id"].as_u64().unwrap(),
            text("enum_code"),
        )
    });
    triples.collect()
}

fn triple(value: &str, id: u64, code: &str) -> (String, u64, String) {
    (value.to_owned(), id, code.to_owned())
}

#[tokio::test]
async fn a_contact_has_several_labelled_phones_and_emails() {
    let server = Server::start().await;
    let client = server.client();
    let phones = json!([
        { "value": "+49 30 1111111" },
        { "value": "+49 170 2222222", "enum_code": "MOB" },
        { "value": null },
        { "value": "+49 30 3333333", "enum_id": 1004 },
    ]);
    let emails = json!([
        { "value": "grace@example.com", "enum_code": "PRIV" },
        { "value": "hopper@example.com" },
    ]);
    floor::admin(client, "POST", CONTACTS, &body(&phones, &emails))
        .await
        .is(200);
    let all = [
        triple("+49 30 1111111", 1, "WORK"),
        triple("+49 170 2222222", 1003, "MOB"),
        triple("+49 30 3333333", 1004, "FAX"),
        triple("grace@example.com", 2006, "PRIV"),
        triple("hopper@example.com", 2, "WORK"),
    ];
    assert_eq!(shown(client).await, all);
    // Each of them finds the contact.
    for query in [
        "1702222222",
        "3333333",
        "grace@example.com",
        "hopper@example.com",
    ] {
        let page = client.read(&format!("{CONTACTS}?query={query}")).await;
        assert_eq!(floor::ids(&page, "contacts"), [1], "{query}");
    }
    // A change names all of a field, and leaves the other field alone.
    let change = json!({ "custom_fields_values": [
        { "field_id": 1, "values": [{ "value": "+49 170 2222222", "enum_code": "OTHER" }] },
    ] });
    let target = format!("{CONTACTS}/1");
    floor::admin(client, "PATCH", &target, &change)
        .await
        .is(200);
    let remaining = [
        triple("+49 170 2222222", 1007, "OTHER"),
        all[3].clone(),
        all[4].clone(),
    ];
    assert_eq!(shown(client).await, remaining);
    client
        .get(&format!("{CONTACTS}?query=3333333"))
        .await
        .is(204);
    let mut server = server;
    server.kill_9();
    server.restart().await;
    assert_eq!(shown(server.client()).await, remaining);
}

#[tokio::test]
async fn the_fields_list_the_labels_with_their_numbers() {
    let server = Server::start().await;
    let client = server.client();
    let list = client.read("/api/v4/contacts/custom_fields").await;
    let fields = list["_embedded"]["custom_fields"].as_array().unwrap();
    let labels = |place: usize| {
        let enums = fields[place]["enums"].as_array().unwrap().iter();
        let pairs = enums.map(|it| (it["id"].as_u64().unwrap(), it["value"].as_str().unwrap()));
        pairs.collect::<Vec<_>>()
    };
    let of_phones = [
        (1, "WORK"),
        (1002, "WORKDD"),
        (1003, "MOB"),
        (1004, "FAX"),
        (1005, "HOME"),
        (1007, "OTHER"),
    ];
    assert_eq!(labels(0), of_phones);
    assert_eq!(labels(1), [(2, "WORK"), (2006, "PRIV"), (2007, "OTHER")]);
}

#[tokio::test]
async fn unknown_labels_and_too_many_values_are_refused() {
    let server = Server::start().await;
    let client = server.client();
    let phones = json!([
        { "value": "+1", "enum_code": "PRIV" },
        { "value": "+2", "enum_id": 2006 },
        { "value": 7 },
    ]);
    let many = Value::from(vec![json!({ "value": "grace@example.com" }); 21]);
    let paths = [
        "0: custom_fields_values.0.values.0.enum_code",
        "0: custom_fields_values.0.values.1.enum_id",
        "0: custom_fields_values.0.values.2.value",
        "0: custom_fields_values.1.values",
    ];
    assert_eq!(
        wrong(client, "POST", CONTACTS, &body(&phones, &many)).await,
        paths
    );
    assert!(client.contacts().await.is_empty());
}

/// The customer's own number stands first until a user sets the numbers; then it changes nothing.
#[tokio::test]
async fn numbers_of_users_stay_beside_what_customers_say() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let event_with = |msgid: &str, phone: &str| {
        let mut event = message(msgid, "c1");
        event["payload"]["sender"]["profile"] = json!({ "phone": phone });
        event
    };
    client.sent(&event_with("m1", "+1 202 555 0001")).await;
    client.sent(&event_with("m2", "+1 202 555 0002")).await;
    assert_eq!(shown(client).await, [triple("+1 202 555 0002", 1, "WORK")]);
    let phones = json!([
        { "value": "+1 202 555 0002", "enum_code": "MOB" },
        { "value": "+1 202 555 0003", "enum_code": "HOME" },
    ]);
    let change = json!({ "custom_fields_values": [{ "field_code": "PHONE", "values": phones }] });
    let target = format!("{CONTACTS}/1");
    floor::admin(client, "PATCH", &target, &change)
        .await
        .is(200);
    client.sent(&event_with("m3", "+1 202 555 0004")).await;
    let of_users = [
        triple("+1 202 555 0002", 1003, "MOB"),
        triple("+1 202 555 0003", 1005, "HOME"),
    ];
    assert_eq!(shown(client).await, of_users);
}
