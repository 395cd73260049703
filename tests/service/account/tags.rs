//! Tags of leads and contacts.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::{Client, entries};
use crate::support::server::Server;

const TAGS: &str = "/api/v4/leads/tags";

fn names(entity: &Value) -> Vec<String> {
    let tags = entries(entity, "tags");
    tags.iter()
        .map(|tag| tag["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn tag(client: &Client, target: &str, tags: &Value) -> Vec<String> {
    let body = json!({ "_embedded": { "tags": tags } });
    let answer = floor::admin(client, "PATCH", target, &body).await.is(200);
    names(&answer.json)
}

#[tokio::test]
async fn tags_are_added_once_and_found_by_name_or_number() {
    let server = Server::start().await;
    let client = server.client();
    let body =
        json!([{ "name": "Roses" }, { "name": "Tulips", "request_id": "t" }, { "name": "Roses" }]);
    let response = floor::admin(client, "POST", TAGS, &body).await.is(200).json;
    assert_eq!(floor::ids(&response, "tags"), [1, 2, 1]);
    assert_eq!(response["_embedded"]["tags"][1]["request_id"], "t");
    let again = floor::admin(client, "POST", TAGS, &json!({ "name": "Tulips" })).await;
    assert_eq!(floor::ids(&again.is(200).json, "tags"), [2]);
    for (query, ids) in [
        ("", vec![1, 2]),
        ("?query=ROS", vec![1]),
        ("?query=s", vec![1, 2]),
        ("?filter[name]=Tulips", vec![2]),
        ("?filter[id][]=1&filter[id][]=2", vec![1, 2]),
        ("?filter[id]=9", vec![]),
        ("?limit=1&page=2", vec![2]),
    ] {
        let list = client.read(&format!("{TAGS}{query}")).await;
        assert_eq!(floor::ids(&list, "tags"), ids, "{query}");
    }
    for refused in ["?filter[id]=x", "?filter[color]=red", "?order[id]=asc"] {
        client.get(&format!("{TAGS}{refused}")).await.is(400);
    }
    let contacts = client.read("/api/v4/contacts/tags").await;
    assert!(
        names(&contacts).is_empty(),
        "contacts have tags of their own"
    );
}

#[tokio::test]
async fn a_change_replaces_the_tags_and_makes_new_ones() {
    let mut server = Server::start().await;
    floor::conversations(server.client(), 1).await;
    for (kind, target) in [
        ("leads", "/api/v4/leads/1"),
        ("contacts", "/api/v4/contacts/1"),
    ] {
        let client = server.client();
        assert_eq!(
            tag(client, target, &json!([{ "name": "a" }, { "name": "b" }])).await,
            ["a", "b"]
        );
        assert_eq!(
            tag(client, target, &json!([{ "id": 2 }, { "name": "c" }])).await,
            ["b", "c"]
        );
        let before = client.read(target).await;
        assert_eq!(names(&before), ["b", "c"]);
        tag(client, target, &json!([{ "name": "b" }, { "id": 3 }])).await;
        assert_eq!(
            client.read(target).await,
            before,
            "an unchanged list is no change"
        );
        let name = json!({ "name": "Grace H." });
        floor::admin(client, "PATCH", target, &name).await.is(200);
        assert_eq!(
            names(&client.read(target).await),
            ["b", "c"],
            "not named: kept"
        );
        let list = client.read(&format!("/api/v4/{kind}/tags")).await;
        assert_eq!(floor::ids(&list, "tags"), [1, 2, 3]);
        server.kill_9();
        server.restart().await;
        let client = server.client();
        assert_eq!(names(&client.read(target).await), ["b", "c"]);
        assert_eq!(
            tag(client, target, &json!(null)).await,
            Vec::<String>::new()
        );
        assert_eq!(tag(client, target, &json!([{ "id": 1 }])).await, ["a"]);
    }
}

#[tokio::test]
async fn too_many_and_unknown_tags_change_nothing() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let many: Vec<Value> = (0..51)
        .map(|n| json!({ "name": format!("t{n}") }))
        .collect();
    for tags in [
        json!(many),
        json!([{ "id": 1 }]),
        json!([{ "name": " " }]),
        json!([{}]),
        json!([7]),
    ] {
        let body = json!({ "name": "x", "_embedded": { "tags": tags } });
        floor::admin(client, "PATCH", "/api/v4/leads/1", &body)
            .await
            .is(400);
    }
    assert_eq!(client.read("/api/v4/leads/1").await["name"], "Grace");
    for batch in 0..4 {
        let tags: Vec<Value> = (0..250)
            .map(|n| json!({ "name": format!("{batch}.{n}") }))
            .collect();
        floor::admin(client, "POST", TAGS, &json!(tags))
            .await
            .is(200);
    }
    let full = floor::admin(client, "POST", TAGS, &json!({ "name": "one more" })).await;
    assert!(full.is(403).body.contains("at most 1000 tags"));
    let body = json!({ "_embedded": { "tags": [{ "name": "one more" }] } });
    floor::admin(client, "PATCH", "/api/v4/leads/1", &body)
        .await
        .is(403);
    floor::admin(client, "POST", "/api/v4/leads", &body)
        .await
        .is(403);
    assert_eq!(
        tag(client, "/api/v4/leads/1", &json!([{ "name": "0.0" }])).await,
        ["0.0"]
    );
}

#[tokio::test]
async fn single_tags_are_added_and_removed() {
    let server = Server::start().await;
    let client = server.client();
    for (kind, list) in [("leads", "/api/v4/leads"), ("contacts", "/api/v4/contacts")] {
        let new = json!([{
            "name": "new",
            "tags_to_add": [{ "name": "b" }],
            "_embedded": { "tags": [{ "name": "a" }] },
        }]);
        floor::admin(client, "POST", list, &new).await.is(200);
        let one = format!("{list}/1");
        assert_eq!(names(&client.read(&one).await), ["a", "b"]);
        for (change, expected) in [
            (
                json!({ "tags_to_add": [{ "name": "c" }, { "id": 1 }] }),
                vec!["a", "b", "c"],
            ),
            (
                json!({ "tags_to_delete": [{ "id": 1 }, { "name": "x" }] }),
                vec!["b", "c"],
            ),
            (
                json!({ "tags_to_add": [{ "name": "d" }], "tags_to_delete": [{ "name": "b" }] }),
                vec!["c", "d"],
            ),
            (
                json!({ "_embedded": { "tags": null }, "tags_to_add": [{ "name": "e" }] }),
                vec!["e"],
            ),
        ] {
            floor::admin(client, "PATCH", &one, &change).await.is(200);
            assert_eq!(names(&client.read(&one).await), expected, "{kind} {change}");
        }
        let before = client.read(&one).await;
        let same = json!([{ "id": 1, "tags_to_add": [{ "name": "e" }] }]);
        floor::admin(client, "PATCH", list, &same).await.is(200);
        assert_eq!(client.read(&one).await, before, "it has the tag already");
        for wrong in [
            json!({ "tags_to_add": [{ "id": 99 }] }),
            json!({ "tags_to_delete": [{}] }),
            json!({ "tags_to_add": 7 }),
        ] {
            floor::admin(client, "PATCH", &one, &wrong).await.is(400);
        }
        let fifty: Vec<Value> = (0..50)
            .map(|n| json!({ "name": format!("t{n}") }))
            .collect();
        let full = json!({ "name": "full", "tags_to_add": fifty });
        floor::admin(client, "PATCH", &one, &full).await.is(403);
        let full = json!([{ "id": 1, "name": "full", "tags_to_add": fifty }]);
        floor::admin(client, "PATCH", list, &full).await.is(403);
        let new = json!({ "name": "n", "tags_to_add": fifty, "_embedded": { "tags": [{ "name": "e" }] } });
        floor::admin(client, "POST", list, &new).await.is(400);
        assert_eq!(client.read(&one).await, before);
    }
}
