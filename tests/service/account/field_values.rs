//! The values of custom fields in leads and contacts: written, shown, checked and searched.

use serde_json::{Value, json};

use super::custom_fields::{CONTACTS, LEADS, create};
use crate::rights::floor;
use crate::support::client::Client;
use crate::support::server::{ACCOUNT, Server};

/// One field of each type, of leads: text 3, textarea 4, numeric 5, select 6 (3 S, 4 M), multiselect 7 (5 A, 6 B, 7 C),
/// checkbox 8, date 9, url 10; and a text of contacts, 11.
pub(super) async fn fields(client: &Client) {
    let enums = |values: [&str; 3]| {
        Value::from(
            values
                .map(|it| json!({ "value": it, "code": format!("_{it}") }))
                .to_vec(),
        )
    };
    let mut size = enums(["S", "M", ""]);
    size.as_array_mut().unwrap().pop();
    let body = json!([
        { "name": "Text", "type": "text", "code": "ANSWER" },
        { "name": "Textarea", "type": "textarea" },
        { "name": "Numeric", "type": "numeric" },
        { "name": "Select", "type": "select", "enums": size },
        { "name": "Multiselect", "type": "multiselect", "enums": enums(["A", "B", "C"]) },
        { "name": "Checkbox", "type": "checkbox" },
        { "name": "Date", "type": "date" },
        { "name": "Url", "type": "url" },
    ]);
    create(client, LEADS, &body).await;
    create(
        client,
        CONTACTS,
        &json!({ "name": "Nick", "type": "text", "code": "NICK" }),
    )
    .await;
}

pub(super) fn field(id: u64, values: Value) -> Value {
    json!({ "field_id": id, "values": values })
}

pub(super) fn value(id: u64, value: impl Into<Value>) -> Value {
    field(id, json!([{ "value": value.into() }]))
}

/// Changes a lead; gives the values as the answer has them.
async fn set(client: &Client, lead: u64, fields: Value) -> Value {
    let body = json!({ "custom_fields_values": fields });
    let target = format!("/api/v4/leads/{lead}");
    let answer = floor::admin(client, "PATCH", &target, &body).await.is(200);
    answer.json["custom_fields_values"].clone()
}

/// The numbers of the fields with a value, and the first value of each.
fn firsts(values: &Value) -> Vec<(u64, Value)> {
    let fields = values.as_array().into_iter().flatten();
    let first = |field: &Value| {
        (
            field["field_id"].as_u64().unwrap(),
            field["values"][0]["value"].clone(),
        )
    };
    fields.map(first).collect()
}

#[tokio::test]
async fn each_type_of_value_is_written_and_shown() {
    let mut server = Server::start().await;
    let client = server.client();
    fields(client).await;
    let body = json!([{ "name": "Tulips", "custom_fields_values": [
        { "field_code": "ANSWER", "values": [{ "value": "Yes <b>" }] },
        value(4, "a\nb"), value(5, 12.5), value(6, "M"),
        field(7, json!([{ "enum_id": 7 }, { "enum_code": "_A" }, { "value": "A" }])),
        value(8, true), value(9, 1_764_000_000), value(10, "https://example.com/?a=b"),
    ] }]);
    floor::admin(client, "POST", "/api/v4/leads", &body)
        .await
        .is(200);
    let lead = client.read("/api/v4/leads/1").await;
    let plain = |id: u64, name: &str, code: Value, kind: &str, value: Value| {
        json!({ "field_id": id, "field_name": name, "field_code": code, "field_type": kind, "is_computed": false,
                "values": [{ "value": value }] })
    };
    let choice = |id: u64, value: &str| json!({ "value": value, "enum_id": id, "enum_code": format!("_{value}") });
    let mut select = plain(6, "Select", json!(null), "select", json!(null));
    select["values"] = json!([choice(4, "M")]);
    let mut multiselect = plain(7, "Multiselect", json!(null), "multiselect", json!(null));
    multiselect["values"] = json!([choice(5, "A"), choice(7, "C")]);
    let golden = json!([
        plain(3, "Text", json!("ANSWER"), "text", json!("Yes <b>")),
        plain(4, "Textarea", json!(null), "textarea", json!("a\nb")),
        plain(5, "Numeric", json!(null), "numeric", json!("12.5")),
        select,
        multiselect,
        plain(8, "Checkbox", json!(null), "checkbox", json!(true)),
        plain(9, "Date", json!(null), "date", json!(1_764_000_000)),
        plain(
            10,
            "Url",
            json!(null),
            "url",
            json!("https://example.com/?a=b")
        ),
    ]);
    assert_eq!(lead["custom_fields_values"], golden);
    // Libraries send the whole lead back: that changes nothing.
    let same = floor::admin(client, "PATCH", "/api/v4/leads/1", &lead)
        .await
        .is(200)
        .json;
    assert_eq!(same, lead);
    let list = client.read("/api/v4/leads").await;
    assert_eq!(list["_embedded"]["leads"][0], lead);
    server.kill_9();
    server.restart().await;
    let lead = server.client().read("/api/v4/leads/1").await;
    assert_eq!(lead["custom_fields_values"], golden);
}

#[tokio::test]
async fn fields_that_are_not_named_keep_their_values() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    floor::admin(client, "POST", "/api/v4/leads", &json!([{}, {}]))
        .await
        .is(200);
    assert_eq!(
        client.read("/api/v4/leads/1").await["custom_fields_values"],
        json!(null)
    );
    set(client, 1, json!([value(3, "a"), value(5, "007")])).await;
    let values = set(
        client,
        1,
        json!([value(4, "b"), field(9, json!([{ "value": 0 }]))]),
    )
    .await;
    let all = [
        (3, json!("a")),
        (4, json!("b")),
        (5, json!("7")),
        (9, json!(0)),
    ];
    assert_eq!(firsts(&values), all);
    let values = set(
        client,
        1,
        json!([field(3, json!(null)), value(4, ""), field(5, json!([]))]),
    )
    .await;
    assert_eq!(firsts(&values), [(9, json!(0))]);
    assert_eq!(firsts(&set(client, 1, json!(null)).await), [(9, json!(0))]);
    assert_eq!(
        set(client, 1, json!([field(9, json!([{ "value": null }]))])).await,
        json!(null)
    );
    // Several at once.
    let several = json!([
        { "id": 1, "custom_fields_values": [value(3, "one")] },
        { "id": 2, "custom_fields_values": [value(8, false)] },
    ]);
    floor::admin(client, "PATCH", "/api/v4/leads", &several)
        .await
        .is(200);
    let second = client.read("/api/v4/leads/2").await;
    assert_eq!(firsts(&second["custom_fields_values"]), [(8, json!(false))]);
}

/// A lead has the values that it is created with, also beside its contact, by a form, and by a call.
#[tokio::test]
async fn every_way_to_create_a_lead_stores_its_values() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    let embedded =
        |name: &str| json!([{ "name": name, "custom_fields_values": [value(11, name)] }]);
    let lead = |name: &str| json!({ "name": name, "custom_fields_values": [value(3, name), value(6, "M")] });
    let mut complex = lead("complex");
    complex["_embedded"] = json!({ "contacts": embedded("complex") });
    let submission = |name: &str| {
        json!([{
            "source_name": "Shop", "source_uid": name, "metadata": {},
            "_embedded": { "leads": [lead(name)], "contacts": embedded(name) },
        }])
    };
    for (path, body) in [
        ("complex", json!([complex])),
        ("unsorted/forms", submission("form")),
        ("unsorted/sip", submission("call")),
    ] {
        let target = format!("/api/v4/leads/{path}");
        floor::admin(client, "POST", &target, &body).await.is(200);
    }
    for (number, name) in [(1, "complex"), (2, "form"), (3, "call")] {
        let entry = client.read(&format!("/api/v4/leads/{number}")).await;
        let values = [(3, json!(name)), (6, json!("M"))];
        assert_eq!(firsts(&entry["custom_fields_values"]), values);
        let contact = client.read(&format!("/api/v4/contacts/{number}")).await;
        let nick = [(11, json!(name))];
        assert_eq!(firsts(&contact["custom_fields_values"]), nick);
    }
}

#[tokio::test]
async fn a_contact_has_its_fields_beside_phone_and_email() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    let body = json!({ "custom_fields_values": [
        { "field_code": "NICK", "values": [{ "value": "Ace" }] },
        { "field_code": "PHONE", "values": [{ "value": "+49 30" }] },
    ] });
    floor::admin(client, "POST", "/api/v4/contacts", &body)
        .await
        .is(200);
    let contact = client.read("/api/v4/contacts/1").await;
    let values = &contact["custom_fields_values"];
    assert_eq!(firsts(values), [(1, json!("+49 30")), (11, json!("Ace"))]);
    assert_eq!(values[1]["field_code"], "NICK");
    let change = json!({ "custom_fields_values": [field(11, json!(null))] });
    let answer = floor::admin(client, "PATCH", "/api/v4/contacts/1", &change)
        .await
        .is(200);
    assert_eq!(
        firsts(&answer.json["custom_fields_values"]),
        [(1, json!("+49 30"))]
    );
}

#[tokio::test]
async fn every_mistake_in_a_value_has_its_path() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    floor::admin(client, "POST", "/api/v4/leads", &json!([{}]))
        .await
        .is(200);
    let long = "x".repeat(4_097);
    let hostile = json!([
        value(3, long), value(3, json!({ "a": 1 })), value(5, "seven"), value(5, 1e300), value(6, "XL"),
        field(6, json!([{ "enum_id": 5 }])), field(7, json!([{ "value": "A" }, { "enum_code": "nothing" }])),
        value(8, "perhaps"), value(9, "tomorrow"), value(9, 253_402_300_800_u64), value(10, "javascript:alert(1)"),
        field(3, json!([{ "value": "a" }, { "value": "b" }])), value(11, "x"), value(99, "x"),
        { "field_code": "NICK", "values": [] }, { "field_code": "PHONE", "values": [] }, { "field_id": 3 },
    ]);
    let body = json!({ "custom_fields_values": hostile });
    let answer = floor::admin(client, "PATCH", "/api/v4/leads/1", &body)
        .await
        .is(400);
    let errors = answer.wrong();
    let mut paths: Vec<_> = errors
        .iter()
        .map(|(path, ..)| path.replace("custom_fields_values.", ""))
        .collect();
    paths.sort();
    let mut golden = [
        "0.values.0.value",
        "1.values.0.value",
        "2.values.0.value",
        "3.values.0.value",
        "4.values.0.value",
        "5.values.0.enum_id",
        "6.values.1.enum_code",
        "7.values.0.value",
        "8.values.0.value",
        "9.values.0.value",
        "10.values.0.value",
        "11.values",
        "12.field_id",
        "13.field_id",
        "14.field_code",
        "15.field_code",
        "16.values",
    ];
    golden.sort_unstable();
    assert_eq!(paths, golden);
    let foreign = "expected a field of leads, as GET /api/v4/leads/custom_fields lists them; «Nick» is a field of contacts";
    assert!(answer.body.contains(foreign), "{}", answer.body);
    assert_eq!(
        client.read("/api/v4/leads/1").await["custom_fields_values"],
        json!(null)
    );
    let of_lead = json!([{ "name": "x", "custom_fields_values": [value(3, "x")] }]);
    let refusal = floor::admin(client, "POST", "/api/v4/contacts", &of_lead)
        .await
        .is(400);
    assert!(
        refusal.body.contains("«Text» is a field of leads"),
        "{}",
        refusal.body
    );
}

/// All values of one lead are bounded together.
#[tokio::test]
async fn the_values_of_one_lead_are_bounded_together() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    floor::admin(client, "POST", "/api/v4/leads", &json!([{}]))
        .await
        .is(200);
    create(
        client,
        LEADS,
        &json!([{ "name": "L", "type": "textarea" }, { "name": "M", "type": "textarea" }]),
    )
    .await;
    let page = "x".repeat(32_768);
    set(
        client,
        1,
        json!([value(4, page.clone()), value(12, page.clone())]),
    )
    .await;
    for target in ["/api/v4/leads/1", "/api/v4/leads"] {
        let body = json!({ "id": 1, "custom_fields_values": [value(13, "x")] });
        let refusal = floor::admin(client, "PATCH", target, &body).await.is(400);
        assert!(
            refusal.body.contains("at most 65536 bytes"),
            "{}",
            refusal.body
        );
    }
    let new = json!({ "custom_fields_values": [value(4, page.clone()), value(12, page), value(13, "x")] });
    floor::admin(client, "POST", "/api/v4/leads", &new)
        .await
        .is(400);
}

#[tokio::test]
async fn deleted_fields_and_enums_are_in_no_answer() {
    let mut server = Server::start().await;
    let client = server.client();
    fields(client).await;
    let values = json!([
        value(3, "a"),
        value(6, "S"),
        field(7, json!([{ "value": "A" }, { "value": "B" }]))
    ]);
    floor::admin(
        client,
        "POST",
        "/api/v4/leads",
        &json!({ "custom_fields_values": values }),
    )
    .await
    .is(200);
    floor::admin(client, "DELETE", &format!("{LEADS}/3"), &json!([]))
        .await
        .is(204);
    let m = json!({ "enums": [{ "id": 4, "value": "M" }] });
    floor::admin(client, "PATCH", &format!("{LEADS}/6"), &m)
        .await
        .is(200);
    let b = json!({ "enums": [{ "id": 6, "value": "Bee" }] });
    floor::admin(client, "PATCH", &format!("{LEADS}/7"), &b)
        .await
        .is(200);
    let lead = client.read("/api/v4/leads/1").await;
    assert_eq!(firsts(&lead["custom_fields_values"]), [(7, json!("Bee"))]);
    assert_eq!(
        lead["custom_fields_values"][0]["values"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let body = json!({ "custom_fields_values": [value(3, "x")] });
    floor::admin(client, "PATCH", "/api/v4/leads/1", &body)
        .await
        .is(400);
    client
        .get("/api/v4/leads?filter[custom_fields_values][3][]=a")
        .await
        .is(400);
    assert_eq!(
        firsts(&set(client, 1, json!([value(8, true)])).await),
        [(7, json!("Bee")), (8, json!(true))]
    );
    server.kill_9();
    server.restart().await;
    let lead = server.client().read("/api/v4/leads/1").await;
    assert_eq!(
        firsts(&lead["custom_fields_values"]),
        [(7, json!("Bee")), (8, json!(true))]
    );
}

/// Rights are those of the lead and the contact; the audit log names fields only.
#[tokio::test]
async fn values_need_the_rights_of_the_lead_and_stay_unlogged() {
    let server = Server::start().await;
    let client = server.client();
    fields(client).await;
    let lead = json!({ "custom_fields_values": [value(3, "secret")] });
    floor::admin(client, "POST", "/api/v4/leads", &lead)
        .await
        .is(200);
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let body = json!({ "custom_fields_values": [value(3, "mine")] });
    mia.sends(client, "PATCH", "/api/v4/leads/1", &body)
        .await
        .is(404);
    let search = "/api/v4/leads?filter[custom_fields_values][3][]=secret";
    mia.reads(client, search).await.is(204);
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}&limit=250");
    let log = client.operate("GET", &target).send().await.is(200);
    assert!(!log.body.contains("secret") && log.body.contains("custom_fields_values.3"));
}
