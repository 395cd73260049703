//! Unsorted leads of forms and calls, links of unsorted leads to other leads, and their summary.

use serde_json::{Value, json};

use super::adding::wrong;
use crate::rights::floor;
use crate::support::answer::Answer;
use crate::support::client::{Client, message};
use crate::support::server::{ACCOUNT, Server};

const UNSORTED: &str = "/api/v4/leads/unsorted";
const FORMS: &str = "/api/v4/leads/unsorted/forms";
const CALLS: &str = "/api/v4/leads/unsorted/sip";
/// Something that only the visitor of the form has.
const SECRET: &str = "203.0.113.77";

fn form(name: impl Into<Value>) -> Value {
    json!({
        "source_name": "Flower shop",
        "source_uid": "f-1",
        "metadata": {
            "form_id": 318, "form_name": "Order", "form_page": "https://shop.example/order",
            "ip": SECRET, "form_sent_at": 1_764_000_000, "referer": "",
        },
        "_embedded": {
            "leads": [{ "name": name.into(), "price": 40, "_embedded": { "tags": [{ "name": "web" }] } }],
            "contacts": [{
                "name": "Hedwig Kiesler",
                "custom_fields_values": [{ "field_code": "PHONE", "values": [{ "value": "+49 30 1" }] }],
            }],
        },
    })
}

async fn create(client: &Client, target: &str, body: &Value) -> Value {
    let answer = floor::admin(client, "POST", target, body).await.is(200);
    answer.json
}

async fn accept(client: &Client, uid: u64) -> Answer {
    let target = format!("{UNSORTED}/{uid}/accept");
    floor::admin(client, "POST", &target, &json!({})).await
}

/// PHP writes a map without entries as an empty list, and the counterpart's own library sends such a body.
#[tokio::test]
async fn an_empty_list_accepts_as_an_empty_object_does() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    let target = format!("{UNSORTED}/1/accept");
    let answer = floor::admin(client, "POST", &target, &json!([])).await;
    assert_eq!(answer.is(200).json["category"], "chats");
    let target = format!("{UNSORTED}/2/accept");
    floor::admin(client, "POST", &target, &json!([1]))
        .await
        .is(400);
    assert_eq!(client.read("/api/v4/leads/2").await["status_id"], 1);
}

async fn link(client: &Client, uid: u64, lead: u64, metadata: Value) -> Answer {
    let link = json!({ "entity_id": lead, "entity_type": "leads", "metadata": metadata });
    let target = format!("{UNSORTED}/{uid}/link");
    floor::admin(
        client,
        "POST",
        &target,
        &json!({ "link": link, "user_id": 1 }),
    )
    .await
}

async fn uids(client: &Client, query: &str) -> Vec<String> {
    let page = client.get(&format!("{UNSORTED}?{query}")).await;
    let list = page.json["_embedded"]["unsorted"].as_array().cloned();
    let records = list.unwrap_or_default().into_iter();
    records
        .map(|it| it["uid"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_form_opens_an_unsorted_lead_with_its_contact() {
    let server = Server::start().await;
    let client = server.client();
    let body = json!([form("Tulips"), form(234)]);
    let answer = create(client, FORMS, &body).await;
    assert_eq!(answer["_total_items"], 2);
    let entry = &answer["_embedded"]["unsorted"][0];
    assert_eq!(
        (&entry["uid"], &entry["request_id"]),
        (&json!("1"), &json!("0"))
    );
    assert!(entry["account_id"].is_u64());
    assert_eq!(entry["_embedded"]["leads"][0]["id"], 1);
    assert_eq!(entry["_embedded"]["contacts"][0]["id"], 1);
    assert_eq!(entry["_embedded"]["companies"], json!([]));
    let list = client.read(UNSORTED).await;
    let record = &list["_embedded"]["unsorted"][1];
    assert_eq!(
        (&record["uid"], &record["category"]),
        (&json!("1"), &json!("forms"))
    );
    assert_eq!(
        (&record["source_name"], &record["source_uid"]),
        (&json!("Flower shop"), &json!("f-1"))
    );
    let mut metadata = body[0]["metadata"].clone();
    metadata["form_id"] = "318".into();
    assert_eq!(record["metadata"], metadata);
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(
        (&lead["name"], &lead["price"]),
        (&json!("Tulips"), &json!(40))
    );
    assert_eq!(
        (&lead["status_id"], &lead["responsible_user_id"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(lead["_embedded"]["tags"][0]["name"], "web");
    assert_eq!(client.read("/api/v4/leads/2").await["name"], "234");
    let contact = client.read("/api/v4/contacts/1").await;
    assert_eq!(contact["responsible_user_id"], 0);
    // An accepted lead and its contact are the user's.
    accept(client, 1).await.is(200);
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(
        (&lead["status_id"], &lead["responsible_user_id"]),
        (&json!(2), &json!(1))
    );
    let contact = client.read("/api/v4/contacts/1").await;
    assert_eq!(contact["responsible_user_id"], 1);
    let decline = format!("{UNSORTED}/2/decline");
    let refusal = floor::admin(client, "DELETE", &decline, &json!({}))
        .await
        .is(200);
    assert_eq!(refusal.json["category"], "forms");
    assert_eq!(client.read("/api/v4/leads/2").await["status_id"], 143);
    client.get(UNSORTED).await.is(204);
}

#[tokio::test]
async fn a_form_needs_neither_a_lead_nor_a_list() {
    let server = Server::start().await;
    let client = server.client();
    let mut body = form("");
    body["_embedded"].as_object_mut().unwrap().remove("leads");
    create(client, FORMS, &body).await;
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(lead["name"], "Lead #1");
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], 1);
    let call = json!([{
        "source_name": 7, "source_uid": "c-1", "pipeline_id": 1, "request_id": "mine",
        "metadata": {
            "phone": "+49 30 2", "called_at": 1_764_000_000, "duration": 54,
            "link": "https://calls.example/7", "service_code": "calls", "uniq": "u",
            "call_responsible": 504_141, "is_call_event_needed": true,
        },
        "_embedded": { "leads": [{}] },
    }]);
    let answer = create(client, CALLS, &call).await;
    assert_eq!(answer["_embedded"]["unsorted"][0]["request_id"], "mine");
    assert_eq!(
        answer["_embedded"]["unsorted"][0]["_embedded"]["contacts"],
        json!([])
    );
    let record = client.read(&format!("{UNSORTED}/2")).await;
    assert_eq!(
        (&record["category"], &record["source_name"]),
        (&json!("sip"), &json!("7"))
    );
    assert_eq!(record["metadata"], call[0]["metadata"]);
    client.connect("v2").await;
    client.sent(&message("m", "c1")).await;
    for (query, expected) in [
        ("", vec!["3", "2", "1"]),
        ("filter[category]=forms", vec!["1"]),
        ("filter[category][]=sip&filter[category][]=mail", vec!["2"]),
        (
            "filter[category][]=chats&filter[category][]=sip",
            vec!["3", "2"],
        ),
        ("filter[category]=mail", vec![]),
    ] {
        assert_eq!(uids(client, query).await, expected, "{query}");
    }
    let counts = client.read("/inbox/v1/counts").await;
    assert_eq!(counts["unsorted"]["count"], 3);
}

#[tokio::test]
async fn all_mistakes_in_forms_are_reported_and_nothing_is_created() {
    let server = Server::start().await;
    let client = server.client();
    let mut two = form("Tulips");
    let contact = two["_embedded"]["contacts"][0].clone();
    two["_embedded"]["contacts"] = json!([contact, contact]);
    let long = "x".repeat(1_025);
    let body = json!([
        form("fine"),
        two,
        { "request_id": "b", "metadata": { "form_id": true, "referer": long }, "_embedded": 7 },
        {
            "source_name": "x", "source_uid": "y", "pipeline_id": 9, "metadata": { "form_sent_at": -1 },
            "_embedded": {
                "leads": [{ "name": {}, "price": -1 }],
                "contacts": [{ "custom_fields_values": [{ "field_id": 99, "values": [] }] }],
            },
        },
        {
            "source_name": "x", "source_uid": "y", "metadata": {},
            "_embedded": { "leads": [{ "_embedded": { "tags": [{ "id": 5 }] } }] },
        },
    ]);
    let paths = [
        "1: _embedded.contacts",
        "3: _embedded.contacts.0.custom_fields_values.0.field_id",
        "3: _embedded.contacts.0.name",
        "3: _embedded.leads.0.name",
        "3: _embedded.leads.0.price",
        "3: metadata.form_sent_at",
        "3: pipeline_id",
        "4: _embedded.leads.0._embedded.tags.0.id",
        "b: _embedded",
        "b: metadata.form_id",
        "b: metadata.referer",
        "b: source_name",
        "b: source_uid",
    ];
    assert_eq!(wrong(client, "POST", FORMS, &body).await, paths);
    for body in [json!([]), Value::from(vec![form("x"); 51])] {
        floor::admin(client, "POST", FORMS, &body).await.is(400);
    }
    assert!(client.leads().await.is_empty() && client.contacts().await.is_empty());
}

#[tokio::test]
async fn a_linked_chat_moves_and_its_unsorted_lead_is_gone() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 1).await;
    client.replied(&chats[0], "Hello").await;
    create(client, "/api/v4/leads", &json!([{ "name": "Roses" }])).await;
    let answer = link(client, 1, 2, json!({})).await.is(200);
    assert_eq!(answer.json["uid"], "1");
    assert_eq!(answer.json["_embedded"]["leads"][0]["id"], 2);
    let lead = client.read("/api/v4/leads/2").await;
    assert_eq!(
        (&lead["name"], &lead["status_id"]),
        (&json!("Roses"), &json!(2))
    );
    assert_eq!(lead["_embedded"]["chats"][0]["chat_id"], chats[0].as_str());
    assert_eq!(lead["_embedded"]["contacts"][0]["id"], 1);
    for target in ["/api/v4/leads/1", "/api/v4/leads/unsorted/1", UNSORTED] {
        client.get(target).await.is(204);
    }
    client.get("/api/v4/talks/1").await.is(404);
    assert_eq!(
        client.read("/api/v4/talks/2").await["chat_id"],
        chats[0].as_str()
    );
    assert_eq!(
        floor::ids(&client.read("/api/v4/leads").await, "leads"),
        [2]
    );
    let of_contact = client.read("/api/v4/contacts/1?with=leads").await;
    assert_eq!(floor::ids(&of_contact, "leads"), [2]);
    // The conversation goes on in the other lead.
    client.sent(&message("m2", "c1")).await;
    assert_eq!(client.conversations().await[0]["lead"]["id"], 2);
    assert_eq!(client.leads().await.len(), 1);
    link(client, 1, 2, json!({})).await.is(404);
    accept(client, 1).await.is(404);
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}&limit=5");
    let log = client.operate("GET", &target).send().await.is(200).json;
    let mut entries = log["entries"].as_array().unwrap().iter();
    let entry = entries.find(|it| it["action"] == "unsorted.link").unwrap();
    assert_eq!(entry["object"], "1");
    assert_eq!(entry["changes"][0]["after"], 2);
    // It is so after a crash, too.
    let mut server = server;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    client.get("/api/v4/leads/1").await.is(204);
    assert_eq!(client.conversations().await[0]["lead"]["id"], 2);
}

#[tokio::test]
async fn a_linked_chat_belongs_to_the_contact_of_its_new_lead() {
    let server = Server::start().await;
    let client = server.client();
    let chats = floor::conversations(client, 2).await;
    create(
        client,
        "/api/v4/contacts",
        &json!([{ "name": "Ada" }, { "name": "Eve" }]),
    )
    .await;
    let about_ada = json!({ "_embedded": { "contacts": [{ "id": 3 }] } });
    create(client, "/api/v4/leads", &json!([about_ada, about_ada])).await;
    link(client, 1, 3, Value::Null).await.is(200);
    link(client, 2, 4, json!({ "contact_id": 4 })).await.is(200);
    for (chat, contact, lead) in [(&chats[0], 3, 3), (&chats[1], 4, 4)] {
        let target = format!("/api/v4/contacts/chats?chat_id={chat}");
        let page = client.read(&target).await;
        assert_eq!(page["_embedded"]["chats"][0]["contact_id"], contact);
        let lead = client.read(&format!("/api/v4/leads/{lead}")).await;
        assert_eq!(lead["_embedded"]["contacts"][0]["id"], contact);
    }
}

#[tokio::test]
async fn a_link_that_cannot_be_is_refused() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    create(client, FORMS, &form("Tulips")).await;
    let paths = async |uid: u64, lead: u64, metadata: Value| {
        let refusal = link(client, uid, lead, metadata).await.is(400);
        let paths = refusal.wrong().into_iter().map(|(path, _)| path);
        paths.collect::<Vec<_>>()
    };
    // Itself, an unknown lead, and a lead with another chat.
    for lead in [1, 99, 2] {
        assert_eq!(
            paths(1, lead, json!({})).await,
            ["link.entity_id"],
            "{lead}"
        );
    }
    let unknown = paths(1, 3, json!({ "contact_id": 99 })).await;
    assert_eq!(unknown, ["link.metadata.contact_id"]);
    // A form is no chat.
    let form = link(client, 3, 1, json!({})).await.is(400);
    assert!(
        form.json["detail"]
            .as_str()
            .unwrap()
            .contains("category chats")
    );
    let target = format!("{UNSORTED}/1/link");
    let body = json!({ "link": { "entity_id": 3, "entity_type": "customers" }, "user_id": 99 });
    let refusal = floor::admin(client, "POST", &target, &body).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "link.entity_type");
    let body = json!({ "link": { "entity_id": 3, "entity_type": "leads" }, "user_id": 99 });
    let refusal = floor::admin(client, "POST", &target, &body).await.is(400);
    assert_eq!(refusal.wrong()[0].0, "user_id");
    // A user sees the unsorted lead, and not the other one.
    let mut rights = floor::rights("M");
    rights["status_rights"] = json!([floor::stage(1, "A")]);
    let mia = floor::add(client, "Mia", &rights).await;
    create(
        client,
        "/api/v4/leads",
        &json!({ "name": "Roses", "responsible_user_id": mia.id }),
    )
    .await;
    floor::place(client, 4, 2, Some(mia.id)).await;
    let body = json!({ "link": { "entity_id": 5, "entity_type": "leads" } });
    create(client, "/api/v4/leads", &json!({ "name": "Ada's" })).await;
    mia.sends(client, "POST", &target, &body).await.is(400);
    accept(client, 1).await.is(200);
    link(client, 1, 3, json!({})).await.is(409);
    // A form's lead takes a chat, and stays in its category.
    link(client, 2, 3, json!({})).await.is(200);
    let record = client.read(&format!("{UNSORTED}/3")).await;
    assert_eq!(record["category"], "forms");
    let body = json!({ "link": { "entity_id": 4, "entity_type": "leads" } });
    let again = format!("{UNSORTED}/2/link");
    mia.sends(client, "POST", &again, &body).await.is(404);
}

#[tokio::test]
async fn the_summary_counts_what_waits_and_what_was_sorted() {
    let server = Server::start().await;
    let client = server.client();
    let summary = async |query: &str| client.read(&format!("{UNSORTED}/summary?{query}")).await;
    let nothing = summary("").await;
    let none = json!({ "total": 0 });
    assert_eq!(
        nothing["categories"],
        json!({ "sip": none, "mail": none, "forms": none, "chats": none })
    );
    assert_eq!(
        (&nothing["total"], &nothing["average_sort_time"]),
        (&json!(0), &json!(0))
    );
    floor::conversations(client, 3).await;
    create(client, FORMS, &json!([form("a"), form("b")])).await;
    create(client, "/api/v4/leads", &json!([{ "name": "Roses" }])).await;
    accept(client, 1).await.is(200);
    accept(client, 4).await.is(200);
    let decline = format!("{UNSORTED}/2/decline");
    floor::admin(client, "DELETE", &decline, &json!({}))
        .await
        .is(200);
    let counts = |it: &Value| {
        let numbers = ["total", "accepted", "declined"].map(|name| it[name].as_u64().unwrap());
        let [chats, forms] =
            ["chats", "forms"].map(|name| it["categories"][name]["total"].as_u64().unwrap());
        (numbers, chats, forms)
    };
    let all = ([5, 2, 1], 3, 2);
    assert_eq!(counts(&summary("").await), all);
    // Later changes of a sorted lead count nothing twice.
    floor::place(client, 1, 143, None).await;
    assert_eq!(counts(&summary("").await), all);
    assert_eq!(counts(&summary("filter[pipeline_id]=1").await), all);
    assert_eq!(counts(&summary("filter[created_at][from]=1").await), all);
    for query in [
        "filter[pipeline_id]=9",
        "filter[created_at][from]=4000000000",
        "filter[created_at][to]=1",
        "filter[uid]=6",
    ] {
        assert_eq!(counts(&summary(query).await), ([0; 3], 0, 0), "{query}");
    }
    assert_eq!(
        counts(&summary("filter[uid][]=1&filter[uid][]=5").await),
        ([2, 1, 0], 1, 1)
    );
    client
        .get(&format!("{UNSORTED}/summary?filter[name]=x"))
        .await
        .is(400);
    // A linked chat is in no number any more.
    link(client, 3, 6, json!({})).await.is(200);
    assert_eq!(counts(&summary("").await), ([4, 2, 1], 2, 2));
    // Mia sees only lead 1.
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    floor::place(client, 1, 2, Some(mia.id)).await;
    let hers = mia
        .reads(client, &format!("{UNSORTED}/summary"))
        .await
        .is(200)
        .json;
    assert_eq!(counts(&hers), ([1, 1, 0], 1, 0));
    let mut server = server;
    server.kill_9();
    server.restart().await;
    let after = server.client().read(&format!("{UNSORTED}/summary")).await;
    assert_eq!(counts(&after), ([4, 2, 1], 2, 2));
}
