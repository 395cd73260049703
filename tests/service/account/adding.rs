//! Leads and contacts that users add.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, message};
use crate::support::server::{Server, TOKEN};

const LEADS: &str = "/api/v4/leads";
const CONTACTS: &str = "/api/v4/contacts";

async fn add(client: &Client, target: &str, body: &Value) -> Value {
    let answer = floor::admin(client, "POST", target, body).await.is(200);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    answer.json["_embedded"].clone()
}

/// The places of what is wrong, each behind the name of its item.
pub(super) async fn wrong(
    client: &Client,
    method: &str,
    target: &str,
    body: &Value,
) -> Vec<String> {
    let answer = floor::admin(client, method, target, body).await.is(400);
    let items = answer.json["validation-errors"].as_array().unwrap().iter();
    let mut rows: Vec<String> = items
        .flat_map(|item| {
            let name = item["request_id"].as_str().unwrap().to_owned();
            let errors = item["errors"].as_array().unwrap().iter();
            errors.map(move |error| format!("{name}: {}", error["path"].as_str().unwrap()))
        })
        .collect();
    rows.sort();
    rows
}

fn phone(contact: &Value) -> &Value {
    &contact["custom_fields_values"][0]["values"][0]["value"]
}

#[tokio::test]
async fn an_array_a_keyed_object_and_a_single_object_add_alike() {
    let server = Server::start().await;
    let client = server.client();
    for (place, kind) in [(LEADS, "leads"), (CONTACTS, "contacts")] {
        let array = json!([{ "name": "A", "request_id": "mine" }, { "name": "B" }]);
        let response = add(client, place, &array).await;
        assert_eq!(response[kind][0]["request_id"], "mine");
        assert_eq!(response[kind][1]["request_id"], "1");
        let href = format!("{}{place}/2", server.url());
        assert_eq!(response[kind][1]["_links"]["self"]["href"], href);
        let keyed = add(client, place, &json!({ "7": { "name": "C" } })).await;
        assert_eq!(
            (&keyed[kind][0]["id"], &keyed[kind][0]["request_id"]),
            (&json!(3), &json!("7"))
        );
        let single = add(client, place, &json!({ "name": "D" })).await;
        assert_eq!(
            (&single[kind][0]["id"], &single[kind][0]["request_id"]),
            (&json!(4), &json!("0"))
        );
        let list = client.read(place).await;
        assert_eq!(floor::ids(&list, kind), [1, 2, 3, 4]);
    }
}

#[tokio::test]
async fn an_added_lead_has_its_place_contact_and_no_talk() {
    let server = Server::start().await;
    let client = server.client();
    add(client, CONTACTS, &json!({ "name": "Grace" })).await;
    let body = json!([
        { "_embedded": { "contacts": [{ "id": 1, "is_main": true }] } },
        { "name": "Roses", "status_id": 142, "responsible_user_id": null },
    ]);
    add(client, LEADS, &body).await;
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(lead["name"], "Lead #1");
    assert_eq!(
        (&lead["pipeline_id"], &lead["status_id"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(lead["responsible_user_id"], 1, "who adds it");
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], 1);
    assert_eq!(lead["_embedded"]["chats"], json!([]));
    let second = client.read("/api/v4/leads/2").await;
    assert_eq!(
        (&second["name"], &second["status_id"]),
        (&json!("Roses"), &json!(142))
    );
    assert_eq!(second["_embedded"]["contacts"], json!([]));
    client.get("/api/v4/talks/1").await.is(404);
    floor::place(client, 1, 143, None).await;
    assert_eq!(client.read("/api/v4/leads/1").await["status_id"], 143);
    client.get("/api/v4/leads/unsorted").await.is(204);
}

#[tokio::test]
async fn a_contact_has_phone_and_email_by_code_or_number() {
    let server = Server::start().await;
    let client = server.client();
    let body = json!([
        { "name": "Grace", "custom_fields_values": [
            { "field_code": "PHONE", "values": [{ "value": "+49 30", "enum_code": "WORK" }] },
            { "field_id": 2, "values": [{ "value": "grace@example.com" }] },
        ] },
        { "first_name": "Ada", "last_name": "King" },
        { "custom_fields_values": [{ "field_id": 1, "values": [{ "value": "+44 20" }] }] },
    ]);
    add(client, CONTACTS, &body).await;
    let grace = client.read("/api/v4/contacts/1").await;
    assert_eq!(phone(&grace), "+49 30");
    assert_eq!(
        grace["custom_fields_values"][1]["values"][0]["value"],
        "grace@example.com"
    );
    assert_eq!(client.read("/api/v4/contacts/2").await["name"], "Ada King");
    assert_eq!(client.read("/api/v4/contacts/3").await["name"], "+44 20");
    let change = json!({ "custom_fields_values": [
        { "field_code": "PHONE", "values": [{ "value": "+49 40" }] },
        { "field_code": "EMAIL", "values": null },
    ] });
    let response = floor::admin(client, "PATCH", "/api/v4/contacts/1", &change)
        .await
        .is(200)
        .json;
    assert_eq!(phone(&response), "+49 40");
    assert_eq!(
        response["custom_fields_values"].as_array().unwrap().len(),
        1
    );
    let same = floor::admin(client, "PATCH", "/api/v4/contacts/1", &change).await;
    assert_eq!(same.json["updated_at"], response["updated_at"]);
}

#[tokio::test]
async fn all_mistakes_are_reported_and_nothing_is_added() {
    let server = Server::start().await;
    let client = server.client();
    let leads = json!([
        { "name": "fine" },
        {
            "request_id": "b", "name": 7, "status_id": 1, "responsible_user_id": 99,
            "custom_fields_values": [{ "field_id": 1, "values": [{ "value": "x" }] }],
            "_embedded": { "contacts": [{ "id": 5 }], "tags": [{ "id": 5 }, {}] },
        },
        { "_embedded": { "contacts": [{ "id": 1 }, { "id": 2 }] } },
        7,
    ]);
    let lead_errors = [
        "2: _embedded.contacts",
        "3: ",
        "b: _embedded.contacts.0.id",
        "b: _embedded.tags.0.id",
        "b: _embedded.tags.1.name",
        "b: custom_fields_values.0.field_id",
        "b: name",
        "b: responsible_user_id",
        "b: status_id",
    ];
    assert_eq!(wrong(client, "POST", LEADS, &leads).await, lead_errors);
    let contacts = json!([
        { "name": "fine" },
        { "custom_fields_values": [
            { "field_id": 9, "values": [] },
            { "values": [{ "value": 7 }] },
            { "field_code": "EMAIL", "values": [{ "value": "x" }] },
            { "field_code": "PHONE", "values": vec![json!({ "value": "1" }); 21] },
            { "field_code": "PHONE" },
        ] },
    ]);
    let contact_errors = [
        "1: custom_fields_values.0.field_id",
        "1: custom_fields_values.1.field_id",
        "1: custom_fields_values.2.values.0.value",
        "1: custom_fields_values.3.values",
        "1: custom_fields_values.4.values",
        "1: name",
    ];
    assert_eq!(
        wrong(client, "POST", CONTACTS, &contacts).await,
        contact_errors
    );
    for target in [LEADS, CONTACTS] {
        for body in [
            json!([]),
            json!({}),
            Value::from(vec![json!({ "name": "x" }); 251]),
        ] {
            floor::admin(client, "POST", target, &body).await.is(400);
        }
    }
    assert!(client.leads().await.is_empty() && client.contacts().await.is_empty());
}

#[tokio::test]
async fn a_contact_of_another_user_cannot_be_named() {
    let server = Server::start().await;
    let client = server.client();
    add(client, CONTACTS, &json!({ "name": "Grace" })).await;
    let mut rights = floor::rights("M");
    rights["leads"]["add"] = json!("A");
    let mia = floor::add(client, "Mia", &rights).await;
    let body = json!({ "_embedded": { "contacts": [{ "id": 1 }] } });
    let refusal = mia.sends(client, "POST", LEADS, &body).await.is(400);
    let body = json!({ "_embedded": { "contacts": [{ "id": 2 }] } });
    let unknown = mia.sends(client, "POST", LEADS, &body).await.is(400);
    assert_eq!(refusal.body, unknown.body);
    mia.sends(client, "POST", LEADS, &json!({ "name": "Own" }))
        .await
        .is(200);
    mia.sends(client, "POST", CONTACTS, &json!({ "name": "x" }))
        .await
        .is(403);
}

#[tokio::test]
async fn added_leads_and_contacts_survive_a_kill() {
    let mut server = Server::start().await;
    let body =
        json!([{ "name": "A", "_embedded": { "tags": [{ "name": "x" }] } }, { "name": "B" }]);
    add(server.client(), LEADS, &body).await;
    add(server.client(), CONTACTS, &body).await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(client.leads().await.len(), 2);
    assert_eq!(
        client.contacts().await[0]["_embedded"]["tags"][0]["name"],
        "x"
    );
    add(client, LEADS, &json!({ "name": "C" })).await;
    assert_eq!(client.read("/api/v4/leads/3").await["name"], "C");
}

/// «create chat + POST contacts/chats»: an added contact gets a chat, and the leads of the chat are about them.
#[tokio::test]
async fn an_added_contact_takes_a_chat_and_its_leads() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    add(client, CONTACTS, &json!({ "name": "Grace" })).await;
    let link = json!([{ "contact_id": 2, "chat_id": chats[0] }]);
    floor::admin(client, "POST", "/api/v4/contacts/chats", &link)
        .await
        .is(200);
    floor::place(client, 1, 142, None).await;
    client.sent(&message("m2", "c1")).await;
    let lead = client.read("/api/v4/leads/2").await;
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], 2);
}

#[tokio::test]
async fn adding_needs_json_and_a_caller() {
    let server = Server::start().await;
    let client = server.client();
    for target in [LEADS, CONTACTS] {
        let bare_form = client.request("POST", target).bearer(TOKEN).body("a=b");
        let form = bare_form.header("Content-Type", "application/x-www-form-urlencoded");
        form.send().await.is(415);
        // Libraries leave the type out.
        let bare = client.request("POST", target).bearer(TOKEN);
        bare.body("[{\"name\":\"x\"}]").send().await.is(200);
        client
            .request("POST", target)
            .body("[]")
            .send()
            .await
            .is(401);
        let request = client
            .request("POST", target)
            .bearer(TOKEN)
            .header("Content-Type", "application/json");
        request.body("[{").send().await.is(400);
    }
}

#[tokio::test]
async fn a_price_is_kept_and_other_fields_are_taken_in_vain() {
    let mut server = Server::start().await;
    let client = server.client();
    let others = json!({
        "created_at": 1, "updated_at": 1, "closed_at": 1, "created_by": 7, "updated_by": 7, "group_id": 7,
        "loss_reason_id": 7, "is_deleted": true, "visitor_uid": "x",
        "_embedded": { "companies": [{ "id": 7 }], "source": { "external_id": 7, "type": "widget" } },
    });
    let with = |field: &str, value: Value| {
        let mut body = others.clone();
        body[field] = value;
        body
    };
    let leads = json!([with("price", json!(1500)), { "name": "x" }]);
    let response = floor::admin(client, "POST", "/api/v4/leads", &leads).await;
    response.is(200);
    let price =
        async |lead: u64| client.read(&format!("/api/v4/leads/{lead}")).await["price"].clone();
    assert_eq!((price(1).await, price(2).await), (json!(1500), json!(0)));
    for body in [with("name", json!("y")), with("price", Value::Null)] {
        let result = floor::admin(client, "PATCH", "/api/v4/leads/1", &body).await;
        assert_eq!(result.is(200).json["price"], 1500);
    }
    let several =
        json!([{ "id": 1, "price": 0 }, { "id": 2, "price": Value::from((1_u64 << 53) - 1) }]);
    let result = floor::admin(client, "PATCH", "/api/v4/leads", &several).await;
    result.is(200);
    for wrong in [json!(-1), json!(1.5), json!("5"), json!(1_u64 << 53)] {
        let body = json!({ "price": wrong });
        let refusal = floor::admin(client, "PATCH", "/api/v4/leads/1", &body).await;
        assert_eq!(refusal.is(400).wrong()[0].0, "price");
    }
    server.kill_9();
    server.restart().await;
    let lead = server.client().read("/api/v4/leads/2").await;
    assert_eq!(lead["price"], (1_u64 << 53) - 1);
    assert_eq!(
        (&lead["created_by"], &lead["loss_reason_id"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(server.client().read("/api/v4/leads/1").await["price"], 0);
}
