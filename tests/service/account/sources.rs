//! Sources: where the leads of their messages arrive.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, entries, message};
use crate::support::server::{OTHER_TOKEN, Server};

const SOURCES: &str = "/api/v4/sources";

async fn add(client: &Client, body: &Value) -> Value {
    let answer = floor::admin(client, "POST", SOURCES, body).await.is(200);
    answer.json["_embedded"]["sources"].clone()
}

/// A message of the current generation through a source; the stage of the newest lead after it.
async fn stage_after(client: &Client, conversation: &str, source: Option<&str>) -> Value {
    let mut event = message(&format!("m-{conversation}"), conversation);
    if let Some(source) = source {
        event["payload"]["source"] = json!({ "external_id": source });
    }
    client.sent_today(&event).await;
    client.leads().await.pop().unwrap()["status_id"].clone()
}

#[tokio::test]
async fn a_source_picks_the_stage_of_the_lead() {
    let mut server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let list = add(
        client,
        &json!([
            { "name": "Shop", "external_id": "shop", "status_id": 2 },
            { "name": "Desk", "external_id": "desk", "pipeline_id": 1, "request_id": "d" },
        ]),
    )
    .await;
    assert_eq!(list[1]["request_id"], "d");
    assert_eq!(list[1]["status_id"], json!(null));
    assert_eq!(stage_after(client, "c1", Some("shop")).await, 2);
    assert_eq!(stage_after(client, "c2", Some("desk")).await, 1);
    assert_eq!(stage_after(client, "c3", None).await, 1);
    assert_eq!(stage_after(client, "c4", Some("unknown")).await, 1);
    let change = json!({ "status_id": 3, "default": true });
    floor::admin(client, "PATCH", "/api/v4/sources/2", &change)
        .await
        .is(200);
    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(
        stage_after(client, "c5", None).await,
        3,
        "the default source"
    );
    assert_eq!(stage_after(client, "c6", Some("unknown")).await, 3);
    assert_eq!(stage_after(client, "c7", Some("shop")).await, 2);
    floor::admin(client, "DELETE", "/api/v4/sources/2", &json!([]))
        .await
        .is(204);
    assert_eq!(stage_after(client, "c8", Some("desk")).await, 1);
}

#[tokio::test]
async fn a_chat_keeps_its_source_for_the_next_lead() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    add(
        client,
        &json!({ "name": "Shop", "external_id": "shop", "status_id": 2 }),
    )
    .await;
    assert_eq!(stage_after(client, "c1", Some("shop")).await, 2);
    floor::place(client, 1, 142, None).await;
    client.sent_today(&message("again", "c1")).await;
    assert_eq!(client.read("/api/v4/leads/2").await["status_id"], 2);
}

#[tokio::test]
async fn sources_are_listed_changed_and_deleted() {
    let server = Server::start().await;
    let client = server.client();
    add(
        client,
        &json!({ "0": { "name": "Shop", "external_id": "shop", "default": true } }),
    )
    .await;
    add(
        client,
        &json!([{ "name": "Desk", "external_id": "desk", "default": true }]),
    )
    .await;
    let list = client.read(SOURCES).await;
    assert_eq!(list["_total_items"], 2);
    assert_eq!(floor::ids(&list, "sources"), [1, 2]);
    let first = client.read("/api/v4/sources/1").await;
    assert_eq!(first["default"], false, "there is one default source");
    assert_eq!(
        first["_links"]["self"]["href"],
        format!("{}/api/v4/sources/1", server.url())
    );
    let change = json!({ "name": "Store" });
    let response = floor::admin(client, "PATCH", "/api/v4/sources/1", &change).await;
    assert_eq!(response.is(200).json["name"], "Store");
    assert_eq!(
        client.read("/api/v4/sources/1").await["external_id"],
        "shop"
    );
    floor::admin(client, "DELETE", "/api/v4/sources/1", &json!([]))
        .await
        .is(204);
    client.get("/api/v4/sources/1").await.is(204);
    floor::admin(client, "DELETE", "/api/v4/sources/1", &json!([]))
        .await
        .is(404);
    let again = add(client, &json!({ "name": "Shop", "external_id": "shop" })).await;
    assert_eq!(again[0]["id"], 3, "numbers are not used again");
    for (query, ids) in [
        ("filter[external_id]=shop", vec![3]),
        (
            "filter[external_id][]=shop&filter[external_id][]=desk",
            vec![2, 3],
        ),
        ("filter[external_id]=none", vec![]),
    ] {
        let list = client.read(&format!("{SOURCES}?{query}")).await;
        assert_eq!(floor::ids(&list, "sources"), ids, "{query}");
    }
    client.get_as(OTHER_TOKEN, SOURCES).await.is(204);
    let log = client
        .operate("GET", "/admin/v1/audit?limit=10")
        .send()
        .await
        .is(200)
        .json;
    let actions: Vec<_> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    for action in ["source.create", "source.update", "source.delete"] {
        assert!(actions.contains(&action), "{action} in {actions:?}");
    }
}

#[tokio::test]
async fn wrong_sources_are_refused_as_a_whole() {
    let server = Server::start().await;
    let client = server.client();
    add(client, &json!({ "name": "Shop", "external_id": "shop" })).await;
    let body = json!([
        { "name": "fine", "external_id": "fine" },
        { "request_id": "b", "name": " ", "external_id": "ü", "pipeline_id": 9, "default": 1 },
        { "status_id": 142 },
    ]);
    let answer = floor::admin(client, "POST", SOURCES, &body).await.is(400);
    let items = answer.json["validation-errors"].as_array().unwrap();
    let paths: Vec<Vec<&str>> = items
        .iter()
        .map(|item| {
            let errors = item["errors"].as_array().unwrap().iter();
            let mut paths: Vec<_> = errors
                .map(|error| error["path"].as_str().unwrap())
                .collect();
            paths.sort_unstable();
            paths
        })
        .collect();
    assert_eq!(
        paths,
        [
            vec!["default", "external_id", "name", "pipeline_id"],
            vec!["external_id", "name", "status_id"],
        ]
    );
    let taken_names =
        json!([{ "name": "a", "external_id": "a" }, { "name": "x", "external_id": "shop" }]);
    let answer = floor::admin(client, "POST", SOURCES, &taken_names)
        .await
        .is(400);
    let item = &answer.json["validation-errors"][0];
    assert_eq!(
        (&item["request_id"], &item["errors"][0]["path"]),
        (&json!("1"), &json!("external_id"))
    );
    let twice = json!([{ "name": "a", "external_id": "a" }, { "name": "b", "external_id": "a" }]);
    floor::admin(client, "POST", SOURCES, &twice).await.is(400);
    let many: Vec<Value> = (0..50)
        .map(|n| json!({ "name": "n", "external_id": format!("e{n}") }))
        .collect();
    floor::admin(client, "POST", SOURCES, &json!(many))
        .await
        .is(403);
    assert_eq!(client.read(SOURCES).await["_total_items"], 1);
    let wrong = json!({ "pipeline_id": "1" });
    floor::admin(client, "PATCH", "/api/v4/sources/1", &wrong)
        .await
        .is(400);
}

#[tokio::test]
async fn several_sources_are_changed_or_deleted_as_a_whole() {
    let server = Server::start().await;
    let client = server.client();
    let names = async || {
        let list = client.read(SOURCES).await;
        let sources = entries(&list, "sources");
        let names = sources
            .iter()
            .map(|it| it["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    let items = json!([
        { "name": "Shop", "external_id": "shop" },
        { "name": "Desk", "external_id": "desk" },
    ]);
    let response = add(client, &items).await;
    assert_eq!(response[0]["origin_code"], json!(null));
    let change = json!([{ "id": 2, "name": "Table" }, { "id": 1, "name": "Store" }]);
    let sources_after = floor::admin(client, "PATCH", SOURCES, &change)
        .await
        .is(200)
        .json["_embedded"]["sources"]
        .clone();
    assert_eq!(
        (&sources_after[0]["id"], &sources_after[1]["id"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(sources_after[1]["request_id"], "1");
    assert_eq!(names().await, ["Store", "Table"]);
    for (method, wrong) in [
        (
            "PATCH",
            json!([{ "id": 1, "name": "x" }, { "id": 9, "name": "x" }]),
        ),
        ("PATCH", json!([{ "id": 1, "name": "x" }, { "id": 1 }])),
        (
            "PATCH",
            json!([{ "id": 1, "name": "x" }, { "id": 2, "external_id": "shop" }]),
        ),
        ("PATCH", json!([{ "name": "x" }])),
        ("DELETE", json!([{ "id": 1 }, { "id": 9 }])),
        ("DELETE", json!([{ "id": 1 }, { "id": 1 }])),
        ("DELETE", json!([])),
    ] {
        floor::admin(client, method, SOURCES, &wrong).await.is(400);
        assert_eq!(names().await, ["Store", "Table"], "{method} {wrong}");
    }
    let both = json!([{ "id": 1 }, { "id": 2 }]);
    floor::admin(client, "DELETE", SOURCES, &both).await.is(204);
    assert_eq!(names().await, [""; 0]);
}

/// A source is a setting of the account, as a pipeline and a tag are: it names no customer, and no right is about it.
#[tokio::test]
async fn every_active_user_lists_sources_as_pipelines_and_tags() {
    let server = Server::start().await;
    let client = server.client();
    add(client, &json!([{ "name": "Shop", "external_id": "shop" }])).await;
    let tag = json!([{ "name": "red" }]);
    floor::admin(client, "POST", "/api/v4/leads/tags", &tag).await;
    let fay = floor::add(client, "Fay", &json!({ "is_free": true })).await;
    for list in [SOURCES, "/api/v4/leads/pipelines", "/api/v4/leads/tags"] {
        let response = fay.reads(client, list).await.is(200).json;
        assert_eq!(response, client.read(list).await, "{list}");
    }
    fay.reads(client, &format!("{SOURCES}/1")).await.is(200);
    let change = json!({ "name": "Desk" });
    fay.sends(client, "PATCH", &format!("{SOURCES}/1"), &change)
        .await
        .is(403);
    client
        .get_as(OTHER_TOKEN, &format!("{SOURCES}/1"))
        .await
        .is(204);
}
