//! `POST /api/v4/roles`.

use serde_json::{Value, json};

use crate::support::server::{OTHER_TOKEN, TOKEN};
use crate::users::team::{self, CLEO, all, all_rights, none, post, send, unsorted_denied};

const ROLES: &str = "/api/v4/roles";

#[tokio::test]
async fn an_added_role_is_answered_in_full_with_its_request_id() {
    let server = team::start().await;
    let client = server.client();
    let won = json!({
        "entity_type": "leads", "pipeline_id": 1, "status_id": 142,
        "rights": { "view": "A", "edit": "A", "delete": "A", "export": "A" },
    });
    let body = json!({
        "name": "Моя супер роль",
        "rights": {
            "leads": { "add": "A", "edit": "G", "view": "G", "delete": "G", "export": "G" },
            "contacts": all(), "companies": {}, "tasks": { "edit": "A", "delete": "A" },
            "mail_access": true, "status_rights": [won], "catalog_rights": null,
        },
        "request_id": "0",
    });
    let answer = post(client, ROLES, &body).await.is(201);
    assert_eq!(answer.header("content-type"), "application/hal+json");
    let link = format!("{}/api/v4/roles/1", server.url());
    let document = json!({
        "_total_items": 1,
        "_embedded": { "roles": [{
            "id": 1, "name": "Моя супер роль",
            "rights": {
                "leads": { "view": "G", "edit": "G", "add": "A", "delete": "G", "export": "G" },
                "contacts": all(), "companies": none(), "tasks": { "edit": "A", "delete": "A" },
                "mail_access": true, "catalog_access": false, "status_rights": [unsorted_denied(), won],
            },
            "request_id": "0", "_links": { "self": { "href": link } },
        }] },
    });
    assert_eq!(answer.json, document);
    let mut role = document["_embedded"]["roles"][0].clone();
    role.as_object_mut().unwrap().remove("request_id");
    let read = client.get_as(CLEO, "/api/v4/roles/1").await.is(200);
    assert_eq!(read.header("content-type"), "application/hal+json");
    assert_eq!(read.json, role, "request_id is echoed and not stored");
}

#[tokio::test]
async fn a_role_without_rights_denies_everything() {
    let server = team::start().await;
    let role = team::create_role(server.client(), &json!({ "name": "Nothing" })).await;
    assert_eq!(
        role["rights"],
        json!({
            "leads": none(), "contacts": none(), "companies": none(), "tasks": { "edit": "D", "delete": "D" },
            "mail_access": false, "catalog_access": false, "status_rights": [unsorted_denied()],
        })
    );
}

#[tokio::test]
async fn up_to_ten_roles_are_added_at_once_all_or_none() {
    let server = team::start().await;
    let client = server.client();
    let mut ten: Vec<Value> = (0..10)
        .map(|number| json!({ "name": "The same name", "rights": all_rights(), "request_id": number.to_string() }))
        .collect();
    let answer = post(client, ROLES, &json!(ten)).await.is(201);
    let roles = answer.json["_embedded"]["roles"].as_array().unwrap();
    for (number, role) in roles.iter().enumerate() {
        assert_eq!(
            (&role["id"], &role["request_id"]),
            (&json!(number + 1), &json!(number.to_string()))
        );
    }
    ten[3]["rights"]["leads"]["view"] = json!("D");
    let answer = post(client, ROLES, &json!(ten)).await.is(400);
    assert_eq!(answer.json["validation-errors"][0]["request_id"], "3");
    let list = client.get_as(CLEO, ROLES).await.is(200).json;
    assert_eq!(list["_total_items"], 10);
}

#[tokio::test]
async fn each_account_numbers_its_own_roles() {
    let server = team::start().await;
    let client = server.client();
    for token in [TOKEN, OTHER_TOKEN, CLEO] {
        let body = json!({ "name": "Role" }).to_string();
        let answer = send(client, token, "POST", ROLES, body).await.is(201);
        assert_eq!(answer.json["_embedded"]["roles"][0]["id"], 1);
    }
}
