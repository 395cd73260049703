//! Leads that are created together with their contacts.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::support::server::Server;

const COMPLEX: &str = "/api/v4/leads/complex";

async fn create(client: &Client, body: &Value) -> Answer {
    floor::admin(client, "POST", COMPLEX, body).await
}

/// A lead with a new contact of this name.
fn about(name: &str) -> Value {
    json!({ "name": "Order", "_embedded": { "contacts": [{ "name": name }] } })
}

async fn is_empty(client: &Client) -> bool {
    client.leads().await.is_empty() && client.contacts().await.is_empty()
}

#[tokio::test]
async fn the_answer_is_a_bare_list() {
    let server = Server::start().await;
    let client = server.client();
    let mut first = about("Grace");
    first["request_id"] = json!("r-1");
    let existing = json!({ "_embedded": { "contacts": [{ "id": 1 }], "companies": [] } });
    let bare = json!({ "name": "Alone" });
    let response = create(client, &json!([first, about("Ada")])).await.is(200);
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!(
        response.body,
        r#"[{"id":1,"contact_id":1,"company_id":null,"request_id":["r-1"],"merged":false},{"id":2,"contact_id":2,"company_id":null,"request_id":["1"],"merged":false}]"#
    );
    let response = create(client, &json!([existing, bare])).await.is(200);
    assert_eq!(
        response.body,
        r#"[{"id":3,"contact_id":1,"company_id":null,"request_id":["0"],"merged":true},{"id":4,"contact_id":null,"company_id":null,"request_id":["1"],"merged":false}]"#
    );
    let keyed = create(client, &json!({ "7": about("Grete") })).await;
    assert_eq!(keyed.is(200).json[0]["request_id"], json!(["7"]));
    let single = create(client, &about("Emmy")).await;
    assert_eq!(single.is(200).json[0]["contact_id"], 4);
}

#[tokio::test]
async fn lead_and_contact_have_their_fields_and_survive_a_kill() {
    let mut server = Server::start().await;
    let body = json!([{
        "name": "Tulips", "price": 70, "status_id": 142, "tags_to_add": [{ "name": "spring" }],
        "_embedded": {
            "tags": [{ "name": "vip" }],
            "contacts": [{
                "first_name": "Grace", "last_name": "Hopper",
                "custom_fields_values": [{ "field_code": "PHONE", "values": [{ "value": "+49 30" }] }],
                "_embedded": { "tags": [{ "name": "vip" }, { "name": "navy" }] },
            }],
        },
    }, { "_embedded": { "contacts": [{ "name": "Ada", "tags_to_add": [{ "name": "navy" }] }] } }]);
    create(server.client(), &body).await.is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(
        (&lead["name"], &lead["price"], &lead["status_id"]),
        (&json!("Tulips"), &json!(70), &json!(142))
    );
    let contacts = &lead["_embedded"]["contacts"];
    assert_eq!(
        (&contacts[0]["id"], &contacts[0]["is_main"]),
        (&json!(1), &json!(true))
    );
    let names = |entry: &Value| {
        let tags = entry["_embedded"]["tags"].as_array().unwrap().iter();
        tags.map(|tag| tag["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&lead), ["vip", "spring"]);
    let grace = client.read("/api/v4/contacts/1?with=leads").await;
    assert_eq!(grace["name"], "Grace Hopper");
    let phone = &grace["custom_fields_values"][0]["values"][0]["value"];
    assert_eq!(phone, "+49 30");
    assert_eq!(names(&grace), ["vip", "navy"]);
    assert_eq!(grace["_embedded"]["leads"][0]["id"], 1);
    let ada = client.read("/api/v4/contacts/2").await;
    assert_eq!(names(&ada), ["navy"]);
    let tag = &ada["_embedded"]["tags"][0]["id"];
    assert_eq!(*tag, grace["_embedded"]["tags"][1]["id"]);
    // The tags of contacts have numbers of their own.
    let mut by_number = about("Emmy");
    by_number["_embedded"]["contacts"][0]["tags_to_add"] = json!([{ "id": tag }]);
    create(client, &by_number).await.is(200);
    let emmy = client.read("/api/v4/contacts/3").await;
    assert_eq!(names(&emmy), ["navy"]);
}

#[tokio::test]
async fn all_mistakes_are_reported_and_nothing_is_created() {
    let server = Server::start().await;
    let client = server.client();
    let body = json!([
        about("fine"),
        { "request_id": "b", "name": 7, "_embedded": {
            "companies": [{ "name": "Acme" }],
            "metadata": { "category": "mail", "form_sent_at": "noon" },
            "contacts": [{ "custom_fields_values": [{ "field_id": 9, "values": [] }], "_embedded": { "tags": [{ "id": 5 }] } }],
        } },
        { "_embedded": { "contacts": [{ "id": 9 }] } },
        { "_embedded": { "contacts": [{ "name": "A" }, { "name": "B" }] } },
        { "_embedded": { "contacts": [7] } },
        7,
    ]);
    let refusal = create(client, &body).await.is(400);
    let mut rows: Vec<String> = Vec::new();
    for item in refusal.json["validation-errors"].as_array().unwrap() {
        let name = item["request_id"].as_str().unwrap();
        let errors = item["errors"].as_array().unwrap().iter();
        rows.extend(errors.map(|error| format!("{name}: {}", error["path"].as_str().unwrap())));
    }
    rows.sort();
    assert_eq!(
        rows,
        [
            "2: _embedded.contacts.0.id",
            "3: _embedded.contacts",
            "4: _embedded.contacts.0",
            "5: ",
            "b: _embedded.companies",
            "b: _embedded.contacts.0._embedded.tags.0.id",
            "b: _embedded.contacts.0.custom_fields_values.0.field_id",
            "b: _embedded.contacts.0.name",
            "b: _embedded.metadata.category",
            "b: _embedded.metadata.form_sent_at",
            "b: name",
        ]
    );
    assert!(refusal.body.contains("there are no companies here"));
    for body in [
        json!([]),
        json!({}),
        Value::from(vec![json!({ "name": "x" }); 51]),
        json!("x"),
        json!([{ "_embedded": [] }]),
        json!([{ "_embedded": { "contacts": {} } }]),
    ] {
        create(client, &body).await.is(400);
    }
    assert!(is_empty(client).await);
    let most = Value::from(vec![about("x"); 50]);
    let response = create(client, &most).await.is(200);
    assert_eq!(response.json.as_array().unwrap().len(), 50);
}

#[tokio::test]
async fn metadata_makes_an_unsorted_lead() {
    let server = Server::start().await;
    let client = server.client();
    let form = json!({ "category": "forms", "form_id": 318, "form_name": "Order", "form_sent_at": 1_764_000_000 });
    let call =
        json!({ "category": "sip", "phone": "+49 30", "service_code": "calls", "duration": 54 });
    let source = json!({ "external_id": 77, "type": "widget" });
    let body = json!([
        { "name": "Tulips", "status_id": 142, "responsible_user_id": 1, "_embedded": {
            "contacts": [{ "name": "Grace" }], "metadata": form, "source": source,
        } },
        { "_embedded": { "contacts": [{ "id": 1 }], "metadata": call } },
    ]);
    create(client, &body.as_array().unwrap()[0]).await.is(200);
    create(client, &body.as_array().unwrap()[1]).await.is(200);
    let list = client.read("/api/v4/leads/unsorted").await;
    let unsorted = list["_embedded"]["unsorted"].as_array().unwrap();
    let row = |number: u64| {
        let is_it = |it: &&Value| it["_embedded"]["leads"][0]["id"] == number;
        unsorted.iter().find(is_it).unwrap()
    };
    let (first, second) = (row(1), row(2));
    assert_eq!(
        (
            &first["category"],
            &first["source_uid"],
            &first["source_name"]
        ),
        (&json!("forms"), &json!("77"), &json!("Order"))
    );
    assert_eq!(first["metadata"]["form_id"], "318");
    assert_eq!(first["metadata"]["form_sent_at"], 1_764_000_000);
    assert_eq!(
        (
            &second["category"],
            &second["source_uid"],
            &second["source_name"]
        ),
        (&json!("sip"), &json!(""), &json!("calls"))
    );
    assert_eq!(second["metadata"]["phone"], "+49 30");
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(
        (&lead["name"], &lead["responsible_user_id"]),
        (&json!("Tulips"), &json!(0))
    );
    assert_ne!(lead["status_id"], 142);
    let target = "/api/v4/leads/unsorted/1/accept";
    floor::admin(client, "POST", target, &json!({}))
        .await
        .is(200);
}

#[tokio::test]
async fn the_right_to_add_both_is_needed() {
    let server = Server::start().await;
    let client = server.client();
    let mut rights = floor::rights("M");
    rights["leads"]["add"] = json!("A");
    let mia = floor::add(client, "Mia", &rights).await;
    let refusal = mia.sends(client, "POST", COMPLEX, &about("Grace")).await;
    refusal.is(403);
    assert!(is_empty(client).await);
    let bare = json!({ "name": "Alone" });
    mia.sends(client, "POST", COMPLEX, &bare).await.is(200);
    // A hidden contact is answered like an unknown one.
    create(client, &about("Grace")).await.is(200);
    let named = |id: u64| json!({ "_embedded": { "contacts": [{ "id": id }] } });
    let hidden = mia.sends(client, "POST", COMPLEX, &named(1)).await.is(400);
    let unknown = mia.sends(client, "POST", COMPLEX, &named(2)).await.is(400);
    assert_eq!(hidden.body, unknown.body);
}
