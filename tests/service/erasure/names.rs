//! An erased customer's name, phone number and address elsewhere in the account: in tags, in leads, and in what users wrote of
//! other contacts. What other customers call themselves stays.

use serde_json::{Value, json};

use super::{NAME, WORD, contact, done, filled, message_from, order_hers, traces};
use crate::support::client::{Client, entries};
use crate::support::server::{Server, TOKEN};

async fn change(client: &Client, method: &str, target: &str, body: &Value) -> Value {
    let request = client
        .request(method, target)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(body.to_string()).send().await.is(200).json
}

async fn names(client: &Client, target: &str, list: &str) -> Vec<String> {
    let answer = client.read(target).await;
    let entries = entries(&answer, list);
    let name = |it: &Value| it["name"].as_str().unwrap().to_owned();
    let mut names: Vec<_> = entries.iter().map(name).collect();
    names.sort();
    names
}

#[tokio::test]
async fn names_in_tags_and_of_other_contacts_are_masked() {
    let mut server = Server::start().await;
    let client = server.client();
    filled(client, 2).await;
    let phone = "+44 20 7946 0000";
    let mut hers = message_from(NAME, "h-phone", WORD);
    hers["payload"]["sender"]["profile"] = json!({ "phone": phone });
    client.sent(&hers).await;
    // A namesake, whose name is her own.
    let mut namesake = message_from(NAME, "n-1", "hello");
    namesake["payload"]["conversation_id"] = json!("namesake");
    namesake["payload"]["sender"]["id"] = json!("u-namesake");
    client.sent(&namesake).await;
    let number = json!([{ "field_code": "PHONE", "values": [{ "value": phone }] }]);
    for (target, kind) in [("leads", "text"), ("contacts", "text")] {
        let target = format!("/api/v4/{target}/custom_fields");
        change(
            client,
            "POST",
            &target,
            &json!([{ "name": "Own", "type": kind }]),
        )
        .await;
    }
    // Of leads it is the field 3, of contacts 4.
    let about = |field: u64| json!([{ "field_id": field, "values": [{ "value": format!("Greet {NAME}") }] }]);
    let tags = json!({ "tags": [{ "name": NAME }, { "name": format!("Guest of {NAME}") }] });
    let body = json!([{ "name": format!("Friend of {NAME}"), "custom_fields_values": number, "_embedded": tags }]);
    change(client, "POST", "/api/v4/contacts", &body).await;
    let contact_of = contact(client, NAME).await;
    let hers_alone = json!([{ "field_id": 4, "values": [{ "value": "seven tulips" }] }]);
    let value = json!({ "custom_fields_values": hers_alone });
    let her_contact = format!("/api/v4/contacts/{contact_of}");
    change(client, "PATCH", &her_contact, &value).await;
    // A lead about her, and one without a contact.
    let leads = json!([
        { "name": "About", "custom_fields_values": about(3), "_embedded": { "contacts": [{ "id": contact_of }] } },
        { "name": "Other", "custom_fields_values": about(3) },
    ]);
    change(client, "POST", "/api/v4/leads", &leads).await;
    let vip = json!([{ "name": "vip" }, { "name": NAME }]);
    change(client, "POST", "/api/v4/leads/tags", &vip).await;
    let other = contact(client, "Somebody else").await;
    let target = format!("/api/v4/contacts/{other}");
    let renamed = json!({ "name": format!("{NAME}'s brother") });
    change(client, "PATCH", &target, &renamed).await;

    order_hers(client).await;
    masked(client).await;
    assert_eq!(server.terminate().await, Some(0));
    let words = [
        phone,
        WORD,
        "seven tulips",
        "Greet Hedwig",
        "Friend of Hedwig",
        "Hedwig Kiesler's",
    ];
    assert_eq!(traces(&server.data(), &words), [""; 0]);
}

/// Her name is masked wherever it stood, and the rest is there.
async fn masked(client: &Client) {
    let erasure = done(client, 1).await;
    let places = &erasure["certificate"]["not_searched"];
    assert_eq!(
        *places,
        json!([
            "other_conversations",
            "other_customers",
            "names_of_the_account"
        ])
    );
    let contacts = names(client, "/api/v4/contacts", "contacts").await;
    assert_eq!(contacts, ["Friend of [erased]", NAME, "[erased]'s brother"]);
    assert_eq!(
        names(client, "/api/v4/contacts/tags", "tags").await,
        ["Guest of [erased] 2", "[erased] 1"]
    );
    let of_leads = names(client, "/api/v4/leads/tags", "tags").await;
    assert_eq!(of_leads, ["[erased] 2", "vip"]);
    let list = client.read("/api/v4/contacts").await;
    let friends = list["_embedded"]["contacts"].as_array().unwrap();
    let friend = friends.iter().find(|it| it["name"] == contacts[0]).unwrap();
    assert_eq!(friend["custom_fields_values"], json!(null));
    let leads = client.read("/api/v4/leads").await;
    let value_of = |name: &str| {
        let mut leads = entries(&leads, "leads").into_iter();
        let lead = leads.find(|lead| lead["name"] == name).unwrap();
        lead["custom_fields_values"][0]["values"][0]["value"].clone()
    };
    assert_eq!(
        (value_of("About"), value_of("Other")),
        (json!(null), json!("Greet [erased]"))
    );
    // A tag of that name is a new one.
    change(
        client,
        "POST",
        "/api/v4/leads/tags",
        &json!([{ "name": "x" }]),
    )
    .await;
}

/// Of several numbers of another contact, those that are hers go, and the others stay.
#[tokio::test]
async fn each_of_her_numbers_goes_from_other_contacts() {
    let mut server = Server::start().await;
    let client = server.client();
    let phones = |numbers: [&str; 2]| {
        let values = numbers.map(|number| json!({ "value": number, "enum_code": "MOB" }));
        json!([{ "field_code": "PHONE", "values": values }])
    };
    let contacts = json!([
        { "name": NAME, "custom_fields_values": phones(["+49 30 5550001", "+49 30 5550002"]) },
        { "name": "Shop", "custom_fields_values": phones(["+49 30 5550002", "+49 30 5550003"]) },
    ]);
    change(client, "POST", "/api/v4/contacts", &contacts).await;
    order_hers(client).await;
    done(client, 1).await;
    let shop = client.read("/api/v4/contacts/2").await;
    let values = &shop["custom_fields_values"][0]["values"];
    let texts = values.as_array().unwrap().iter();
    let numbers: Vec<_> = texts.map(|it| it["value"].as_str().unwrap()).collect();
    assert_eq!(numbers, ["+49 30 5550003"]);
    assert_eq!(server.terminate().await, Some(0));
    assert_eq!(traces(&server.data(), &["5550001", "5550002"]), [""; 0]);
}
