//! `GET /api/v4/users/{id}`, and what `with` adds.

use serde_json::{Value, json};

use super::team::{self, CLEO, all, all_rights, create_role, create_user, user};
use crate::support::client::message;
use crate::support::server::{Server, TOKEN};

#[tokio::test]
async fn an_administrator_has_all_rights_and_no_role() {
    let server = team::start().await;
    let answer = server
        .client()
        .get_as(CLEO, "/api/v4/users/1")
        .await
        .is(200);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let link = format!("{}/api/v4/users/1", server.url());
    assert_eq!(
        answer.json,
        json!({
            "id": 1, "name": "Cleo", "email": "Cleo@example.com", "lang": "ru",
            "rights": {
                "leads": all(), "contacts": all(), "companies": all(), "tasks": { "edit": "A", "delete": "A" },
                "mail_access": true, "catalog_access": true, "status_rights": null,
                "is_admin": true, "is_free": false, "is_active": true, "group_id": 1, "role_id": null,
            },
            "_links": { "self": { "href": link } },
        })
    );
}

#[tokio::test]
async fn with_adds_only_the_fields_it_names() {
    let server = team::start().await;
    let client = server.client();
    let role = create_role(
        client,
        &json!({ "name": "Sellers", "rights": all_rights() }),
    )
    .await;
    let mut bo = user("Bo");
    bo["rights"] = json!({ "role_id": role["id"] });
    let plain = create_user(client, &bo).await;
    let read = async |with: &str| {
        let target = format!("/api/v4/users/3{with}");
        client.get_as(CLEO, &target).await.is(200).json
    };
    assert_eq!(read("").await, plain);
    assert_eq!(read("?with=evil,,ROLE,").await, plain);
    let new_keys = async |word: &str| {
        let with = read(&format!("?with={word}"))
            .await
            .as_object()
            .unwrap()
            .clone();
        let new = with.into_iter().filter(|(key, _)| plain.get(key).is_none());
        Value::from_iter(new)
    };
    let link = format!("{}/api/v4/roles/1", server.url());
    let roles = json!([{ "id": 1, "name": "Sellers", "_links": { "self": { "href": link } } }]);
    let groups = json!([{ "id": 1, "name": "Sales department" }]);
    assert_eq!(
        new_keys("role").await,
        json!({ "_embedded": { "roles": roles } })
    );
    assert_eq!(
        new_keys("group").await,
        json!({ "_embedded": { "groups": groups } })
    );
    assert_eq!(
        new_keys("role,group,evil,role").await,
        json!({ "_embedded": { "roles": roles, "groups": groups } })
    );
    assert_eq!(new_keys("uuid").await, json!({ "uuid": null }));
    assert_eq!(
        new_keys("phone_number").await,
        json!({ "phone_number": null })
    );
    assert_eq!(
        new_keys("user_rank").await,
        json!({ "user_rank": "newbie" })
    );
    let chat_id = new_keys("amojo_id").await["amojo_id"].clone();
    assert_eq!(chat_id.as_str().map(str::len), Some(36));
    let cleo = client
        .get_as(CLEO, "/api/v4/users/1?with=role,amojo_id")
        .await
        .json;
    assert_eq!(cleo["_embedded"], json!({ "roles": [] }));
    assert_ne!(cleo["amojo_id"], chat_id);
}

/// The chat id is the sender of the messages of the user, and the rank rises with them.
#[tokio::test]
async fn the_chat_id_is_the_sender_of_messages_and_raises_the_rank() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let new_message = client.sent(&message("m", "c")).await;
    let conversation = new_message["conversation_id"].as_str().unwrap();
    let target = "/api/v4/users/1?with=amojo_id,user_rank";
    for _ in 0..99 {
        client.replied(conversation, "hello").await;
    }
    let before = client.get_as(TOKEN, target).await.is(200).json;
    assert_eq!(before["user_rank"], "newbie");
    client.replied(conversation, "the hundredth").await;
    let after = client.get_as(TOKEN, target).await.is(200).json;
    assert_eq!(after["user_rank"], "candidate");
    let messages = client.messages(conversation).await;
    assert_eq!(messages[0]["sender"]["id"], after["amojo_id"]);
}
