//! The definitions of custom fields: administrators create, change and delete them, and every user reads them.

use serde_json::{Value, json};

use super::adding::wrong;
use crate::rights::floor;
use crate::support::client::{Client, entries};
use crate::support::server::{ACCOUNT, OTHER_TOKEN, Server};

pub(super) const LEADS: &str = "/api/v4/leads/custom_fields";
pub(super) const CONTACTS: &str = "/api/v4/contacts/custom_fields";

/// Creates fields; gives them as the answer has them.
pub(super) async fn create(client: &Client, target: &str, body: &Value) -> Value {
    let answer = floor::admin(client, "POST", target, body).await.is(200);
    answer.json["_embedded"]["custom_fields"].clone()
}

#[tokio::test]
async fn a_field_looks_as_the_counterpart_shows_it() {
    let server = Server::start().await;
    let client = server.client();
    let body = json!([
        { "name": "Size", "type": "select", "code": "SIZE", "is_api_only": true, "group_id": null, "request_id": "s",
          "enums": [{ "value": "M", "sort": 2 }, { "value": "S", "sort": 1, "code": "SMALL" }] },
        { "name": "Answer", "type": "textarea", "sort": 500 },
    ]);
    let list = create(client, LEADS, &body).await;
    let href = |id: u64| format!("{}{LEADS}/{id}", server.url());
    let size = json!({
        "id": 3, "name": "Size", "code": "SIZE", "type": "select", "sort": 3, "account_id": 1,
        "entity_type": "leads", "is_predefined": false, "is_deletable": true, "is_api_only": true,
        "remind": null, "group_id": null, "required_statuses": [],
        "enums": [{ "id": 4, "value": "S", "sort": 1, "code": "SMALL" }, { "id": 3, "value": "M", "sort": 2 }],
        "_links": { "self": { "href": href(3) } },
    });
    let mut with_name = size.clone();
    with_name["request_id"] = json!("s");
    assert_eq!(list[0], with_name);
    assert_eq!(client.read(&format!("{LEADS}/3")).await, size);
    let answer = client.read(&format!("{LEADS}/4")).await;
    let parts = ["sort", "code", "enums"].map(|key| answer[key].clone());
    assert_eq!(parts, [json!(500), json!(null), json!(null)]);
    let page = client.read(&format!("{LEADS}?limit=1&page=2")).await;
    assert_eq!(
        (&page["_total_items"], &page["_page_count"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(floor::ids(&page, "custom_fields"), [4]);
    let phone = client.read(&format!("{CONTACTS}/1")).await;
    assert_eq!(
        (&phone["type"], &phone["is_deletable"]),
        (&json!("multitext"), &json!(false))
    );
}

#[tokio::test]
async fn numbers_are_unique_in_both_entities_and_used_once() {
    let server = Server::start().await;
    let client = server.client();
    let text = |name: &str| json!({ "name": name, "type": "text" });
    create(client, LEADS, &text("A")).await;
    create(client, CONTACTS, &text("B")).await;
    create(client, LEADS, &json!({ "0": text("C"), "1": text("D") })).await;
    let ids = async |target: &str| floor::ids(&client.read(target).await, "custom_fields");
    assert_eq!(
        (ids(LEADS).await, ids(CONTACTS).await),
        (vec![3, 5, 6], vec![1, 2, 4])
    );
    client.get(&format!("{LEADS}/4")).await.is(404);
    floor::admin(client, "DELETE", &format!("{LEADS}/6"), &json!([]))
        .await
        .is(204);
    floor::admin(client, "DELETE", &format!("{LEADS}/6"), &json!([]))
        .await
        .is(404);
    assert_eq!(create(client, LEADS, &text("E")).await[0]["id"], 7);
    // The number of a predefined field can be chosen, but not one of these.
    let account = format!("/admin/v1/accounts/{ACCOUNT}");
    let phone = json!({ "phone_field_id": 5 });
    client.operates("PATCH", &account, &phone).await.is(409);
    for (query, wanted) in [
        ("filter[type][]=multitext", vec![1, 2]),
        ("filter[type][0]=text", vec![4]),
        ("filter[type]=date", vec![]),
        ("filter[id][]=4&filter[id][]=2", vec![2, 4]),
    ] {
        assert_eq!(ids(&format!("{CONTACTS}?{query}")).await, wanted, "{query}");
    }
}

#[tokio::test]
async fn a_change_keeps_the_rest_and_replaces_the_enums() {
    let mut server = Server::start().await;
    let client = server.client();
    let enums = json!([{ "value": "S", "code": "S" }, { "value": "M" }]);
    let body = json!([{ "name": "Size", "type": "select", "code": "SIZE", "enums": enums }, { "name": "N", "type": "numeric" }]);
    create(client, LEADS, &body).await;
    let target = format!("{LEADS}/3");
    let enums = json!([{ "id": 4, "value": "Medium" }, { "value": "L" }]);
    let change = json!({ "id": 3, "type": "select", "enums": enums, "code": null });
    let field = floor::admin(client, "PATCH", &target, &change)
        .await
        .is(200)
        .json;
    assert_eq!(
        (&field["name"], &field["code"]),
        (&json!("Size"), &json!(null))
    );
    let enums =
        json!([{ "id": 4, "value": "Medium", "sort": 1 }, { "id": 5, "value": "L", "sort": 2 }]);
    assert_eq!(field["enums"], enums);
    let several = json!([{ "id": 3, "name": "Width", "sort": 9 }, { "id": 4, "code": "SIZE", "request_id": "n" }]);
    let answer = floor::admin(client, "PATCH", LEADS, &several)
        .await
        .is(200)
        .json;
    let list = entries(&answer, "custom_fields");
    assert_eq!(
        (&list[0]["name"], &list[1]["request_id"]),
        (&json!("Width"), &json!("n"))
    );
    // A field that is sent back as it is changes nothing.
    let log = format!("/admin/v1/audit?account_id={ACCOUNT}&limit=250");
    let length = async |client: &Client| {
        let log = client.operate("GET", &log).send().await.is(200).json;
        log["entries"].as_array().unwrap().len()
    };
    let before = length(client).await;
    let field = client.read(&target).await;
    assert_eq!(
        floor::admin(client, "PATCH", &target, &field)
            .await
            .is(200)
            .json,
        field
    );
    assert_eq!(length(client).await, before);
    let list = client.read(LEADS).await;
    server.kill_9();
    server.restart().await;
    // The links have another port.
    let names = |list: &Value| {
        let fields = entries(list, "custom_fields").into_iter();
        let parts = fields
            .map(|field| ["id", "name", "code", "sort", "enums"].map(|key| field[key].clone()));
        parts.collect::<Vec<_>>()
    };
    let list_after = server.client().read(LEADS).await;
    assert_eq!(names(&list_after), names(&list));
}

#[tokio::test]
async fn every_mistake_in_a_definition_has_its_path() {
    let server = Server::start().await;
    let client = server.client();
    create(
        client,
        LEADS,
        &json!({ "name": "Size", "type": "select", "enums": [{ "value": "S" }] }),
    )
    .await;
    let long = "x".repeat(256);
    let body = json!([
        { "name": "fine", "type": "text" },
        { "type": "price", "sort": -1, "code": "" },
        { "name": long, "is_api_only": 1, "request_id": "b" },
        { "name": "x", "type": "text", "enums": [{ "value": "y" }] },
        { "name": " ", "type": "select", "enums": [{ "value": "y", "code": "c" }, { "value": "y", "code": "c" }, {}, 7] },
        7,
    ]);
    let paths = [
        "1: code",
        "1: name",
        "1: sort",
        "1: type",
        "3: enums",
        "4: enums.1.code",
        "4: enums.1.value",
        "4: enums.2.value",
        "4: enums.3",
        "4: name",
        "5: ",
        "b: is_api_only",
        "b: name",
        "b: type",
    ];
    assert_eq!(wrong(client, "POST", LEADS, &body).await, paths);
    let body = json!([
        { "id": 3, "type": "text", "enums": [{ "id": 9, "value": "S" }, { "id": 3, "value": "S" }, { "id": 3, "value": "M" }] },
        { "id": 3 },
        { "id": 1, "name": "x" },
        { "name": "x" },
    ]);
    let paths = [
        "0: enums.0.id",
        "0: enums.1.value",
        "0: enums.2.id",
        "0: type",
        "1: id",
        "2: id",
        "3: id",
    ];
    assert_eq!(wrong(client, "PATCH", LEADS, &body).await, paths);
    let phone = json!([{ "id": 1, "name": "x" }]);
    assert_eq!(wrong(client, "PATCH", CONTACTS, &phone).await, ["0: id"]);
    // A code is unique among the fields of the entity, with the predefined ones.
    let twice = json!([{ "name": "A", "type": "text", "code": "C" }, { "name": "B", "type": "text", "code": "C" }]);
    assert_eq!(wrong(client, "POST", LEADS, &twice).await, ["1: code"]);
    let phone = json!({ "name": "A", "type": "text", "code": "PHONE" });
    assert_eq!(wrong(client, "POST", CONTACTS, &phone).await, ["0: code"]);
    create(client, LEADS, &phone).await;
    assert_eq!(
        floor::ids(&client.read(LEADS).await, "custom_fields"),
        [3, 4]
    );
}

#[tokio::test]
async fn fields_and_their_enums_are_bounded() {
    let server = Server::start().await;
    let client = server.client();
    let fields = |count: usize| Value::from(vec![json!({ "name": "x", "type": "date" }); count]);
    create(client, LEADS, &fields(99)).await;
    floor::admin(client, "POST", LEADS, &fields(2))
        .await
        .is(403);
    create(client, LEADS, &fields(1)).await;
    create(client, CONTACTS, &fields(100)).await;
    floor::admin(client, "POST", CONTACTS, &fields(101))
        .await
        .is(400);
    floor::admin(client, "DELETE", &format!("{LEADS}/3"), &json!([]))
        .await
        .is(204);
    let enums = |count: usize| {
        let enums = (0..count).map(|number| json!({ "value": number.to_string() }));
        json!({ "name": "x", "type": "multiselect", "enums": enums.collect::<Vec<_>>() })
    };
    assert_eq!(
        wrong(client, "POST", LEADS, &enums(201)).await,
        ["0: enums"]
    );
    create(client, LEADS, &enums(200)).await;
}

#[tokio::test]
async fn only_administrators_of_the_account_set_fields() {
    let server = Server::start().await;
    let client = server.client();
    create(client, LEADS, &json!({ "name": "Size", "type": "text" })).await;
    let mia = floor::add(client, "Mia", &floor::rights("A")).await;
    let body = json!([{ "id": 3, "name": "x", "type": "text" }]);
    let one = format!("{LEADS}/3");
    for (method, target) in [
        ("POST", LEADS),
        ("PATCH", LEADS),
        ("PATCH", &one),
        ("DELETE", &one),
    ] {
        mia.sends(client, method, target, &body).await.is(403);
        client
            .request(method, target)
            .body("[]")
            .send()
            .await
            .is(401);
    }
    mia.reads(client, &one).await.is(200);
    for (method, id) in [("PATCH", 1), ("DELETE", 2)] {
        let target = format!("{CONTACTS}/{id}");
        let refusal = floor::admin(client, method, &target, &json!({ "name": "x" }))
            .await
            .is(403);
        let detail = refusal.json["detail"].as_str().unwrap();
        assert!(detail.contains("is predefined"), "{detail}");
    }
    // Another account has fields of its own.
    let other = client
        .request("GET", LEADS)
        .bearer(OTHER_TOKEN)
        .send()
        .await
        .is(200);
    assert_eq!(other.json["_embedded"]["custom_fields"], json!([]));
    client
        .request("GET", &one)
        .bearer(OTHER_TOKEN)
        .send()
        .await
        .is(404);
    client
        .request("DELETE", &one)
        .bearer(OTHER_TOKEN)
        .send()
        .await
        .is(404);
    client.get(&one).await.is(200);
}

#[tokio::test]
async fn each_change_of_a_definition_is_audited() {
    let server = Server::start().await;
    let client = server.client();
    create(
        client,
        LEADS,
        &json!({ "name": "Size", "type": "select", "enums": [{ "value": "S" }] }),
    )
    .await;
    let one = format!("{LEADS}/3");
    floor::admin(client, "PATCH", &one, &json!({ "name": "Width" }))
        .await
        .is(200);
    floor::admin(client, "DELETE", &one, &json!([]))
        .await
        .is(204);
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}&limit=3");
    let log = client.operate("GET", &target).send().await.is(200).json;
    let actions = entries_of(&log).map(|entry| entry["action"].as_str().unwrap().to_owned());
    assert_eq!(
        actions.collect::<Vec<_>>(),
        [
            "custom_field.delete",
            "custom_field.update",
            "custom_field.create"
        ]
    );
    let change = &log["entries"][1]["changes"];
    assert_eq!(
        *change,
        json!([{ "field": "name", "before": "Size", "after": "Width" }])
    );
}

fn entries_of(log: &Value) -> impl Iterator<Item = &Value> {
    log["entries"].as_array().unwrap().iter()
}
