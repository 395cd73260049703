//! `PATCH /api/v4/roles/{id}`.

use serde_json::{Value, json};

use crate::support::answer::Answer;
use crate::support::client::Client;
use crate::users::team::{
    self, CLEO, all, all_rights, create_role, create_user, none, send, unsorted_denied, user,
};

async fn edit(client: &Client, id: u64, body: &Value) -> Answer {
    let target = format!("/api/v4/roles/{id}");
    send(client, CLEO, "PATCH", &target, body.to_string()).await
}

#[tokio::test]
async fn a_partial_update_leaves_unnamed_fields_unchanged() {
    let server = team::start().await;
    let client = server.client();
    let mut role = create_role(client, &json!({ "name": "Role", "rights": all_rights() })).await;
    // Further fields that clients send are not checked.
    let body =
        json!({ "name": "Renamed", "request_id": "0", "rights": { "catalog_rights": null } });
    let answer = edit(client, 1, &body).await.is(202);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    role["name"] = json!("Renamed");
    assert_eq!(answer.json, role);
    let body = json!({ "rights": { "contacts": none(), "leads": { "export": "M" }, "mail_access": false } });
    let answer = edit(client, 1, &body).await.is(202);
    role["rights"]["contacts"] = none();
    role["rights"]["leads"]["export"] = json!("M");
    role["rights"]["mail_access"] = json!(false);
    assert_eq!(answer.json, role);
    // The same again changes nothing.
    assert_eq!(edit(client, 1, &body).await.is(202).json, role);
    let read = client.get_as(CLEO, "/api/v4/roles/1").await.is(200).json;
    assert_eq!(read, role);
}

/// `status_rights` of null or `[]` removes the stages; those of unsorted stay, denied.
#[tokio::test]
async fn empty_status_rights_remove_stages_and_deny_unsorted_ones() {
    let server = team::start().await;
    let client = server.client();
    let stages = json!([
        { "entity_type": "leads", "pipeline_id": 1, "status_id": 1, "rights": { "view": "A" } },
        { "entity_type": "leads", "pipeline_id": 1, "status_id": 143, "rights": { "view": "A" } },
    ]);
    for cleared in [Value::Null, json!([])] {
        let mut rights = all_rights();
        rights["status_rights"] = stages.clone();
        let role = create_role(client, &json!({ "name": "Role", "rights": rights })).await;
        assert_eq!(role["rights"]["status_rights"].as_array().unwrap().len(), 2);
        let id = role["id"].as_u64().unwrap();
        // A change of something else leaves them.
        let other = edit(client, id, &json!({ "rights": { "mail_access": false } })).await;
        assert_eq!(
            other.json["rights"]["status_rights"],
            role["rights"]["status_rights"]
        );
        let answer = edit(
            client,
            id,
            &json!({ "rights": { "status_rights": cleared } }),
        )
        .await
        .is(202);
        assert_eq!(
            answer.json["rights"]["status_rights"],
            json!([unsorted_denied()])
        );
        assert_eq!(answer.json["rights"]["leads"], all());
    }
}

#[tokio::test]
async fn a_change_reaches_all_holders_at_once() {
    let server = team::start().await;
    let client = server.client();
    create_role(client, &json!({ "name": "Role", "rights": all_rights() })).await;
    for name in ["A", "B"] {
        let mut holder = user(name);
        holder["rights"] = json!({ "role_id": 1 });
        create_user(client, &holder).await;
    }
    edit(client, 1, &json!({ "rights": { "leads": none() } }))
        .await
        .is(202);
    for id in [3, 4] {
        let holder = client
            .get_as(CLEO, &format!("/api/v4/users/{id}?with=role"))
            .await
            .is(200)
            .json;
        assert_eq!(holder["rights"]["leads"], none());
        assert_eq!(holder["_embedded"]["roles"][0]["name"], "Role");
    }
}

#[tokio::test]
async fn an_unknown_and_a_deleted_role_are_404() {
    let server = team::start().await;
    let client = server.client();
    create_role(client, &json!({ "name": "Role" })).await;
    send(client, CLEO, "DELETE", "/api/v4/roles/1", "")
        .await
        .is(204);
    for id in [1, 99] {
        edit(client, id, &json!({ "name": "x" })).await.is(404);
    }
}

#[tokio::test]
async fn concurrent_edits_apply_as_a_whole() {
    let server = team::start().await;
    let client = server.client();
    create_role(client, &json!({ "name": "Role", "rights": all_rights() })).await;
    let edits: Vec<Value> = (0..16)
        .map(|number| {
            let letter = if number % 2 == 0 { "A" } else { "M" };
            let leads =
                json!({ "view": letter, "edit": letter, "delete": letter, "export": letter });
            json!({ "name": letter, "rights": { "leads": leads } })
        })
        .collect();
    let racing = edits.iter().map(|body| edit(client, 1, body));
    for answer in futures_util::future::join_all(racing).await {
        answer.is(202);
    }
    let role = client.get_as(CLEO, "/api/v4/roles/1").await.is(200).json;
    for key in ["view", "edit", "delete", "export"] {
        assert_eq!(role["rights"]["leads"][key], role["name"]);
    }
}
