//! Empty lists and unknown entities: the status that clients branch on.

use serde_json::json;

use crate::rights::floor;
use crate::support::server::{Server, TOKEN};

#[tokio::test]
async fn empty_lists_and_unknown_entities_are_204() {
    let server = Server::start().await;
    let client = server.client();
    let empty = [
        "leads",
        "leads?query=nobody",
        "leads/tags",
        "leads/notes",
        "leads/unsorted",
        "contacts",
        "contacts?page=7",
        "contacts/tags",
        "contacts/notes",
        "contacts/chats?contact_id=7",
        "talks",
        "talks?page=7",
        "sources",
        "sources?filter[external_id]=shop",
        "webhooks",
        "webhooks?filter[destination]=https://hooks.example.org/",
    ];
    let unknown = [
        "leads/7",
        "contacts/7",
        "sources/7",
        "leads/unsorted/7",
        "leads/unsorted/f03aa8bd4b0d4f7b",
        "leads/notes/7",
        "contacts/notes/7",
    ];
    for target in empty.into_iter().chain(unknown) {
        let target = format!("/api/v4/{target}");
        let answer = client.get(&target).await.is(204);
        assert_eq!(
            (answer.body.as_str(), answer.header("content-type")),
            ("", "")
        );
        client
            .request("HEAD", &target)
            .bearer(TOKEN)
            .send()
            .await
            .is(204);
    }
    for target in [
        "leads/custom_fields",
        "contacts/custom_fields?page=2",
        "users?page=7",
        "roles",
        "leads/pipelines",
    ] {
        client.get(&format!("/api/v4/{target}")).await.is(200);
    }
    for target in [
        "talks/7",
        "users/7",
        "roles/7",
        "leads/pipelines/7",
        "contacts/custom_fields/7",
    ] {
        client.get(&format!("/api/v4/{target}")).await.is(404);
    }
}

#[tokio::test]
async fn a_page_behind_the_last_one_is_204() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 2).await;
    client.get("/api/v4/leads?limit=2&page=1").await.is(200);
    client.get("/api/v4/leads?limit=2&page=2").await.is(204);
    client.get("/api/v4/leads/1/notes").await.is(204);
    client.get("/api/v4/leads/1/notes/7").await.is(204);
    for (method, target) in [
        ("PATCH", "leads/7"),
        ("PATCH", "contacts/7"),
        ("POST", "leads/unsorted/f03aa8bd4b0d4f7b/accept"),
        ("DELETE", "leads/unsorted/7/decline"),
    ] {
        let target = format!("/api/v4/{target}");
        let answer = floor::admin(client, method, &target, &json!({})).await;
        answer.is(404);
    }
}
