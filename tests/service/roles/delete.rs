//! `DELETE /api/v4/roles/{id}`.

use serde_json::json;

use crate::users::team::{self, CLEO, all_rights, create_role, create_user, send, user};

#[tokio::test]
async fn holders_of_a_deleted_role_keep_its_rights_as_their_own() {
    let server = team::start().await;
    let client = server.client();
    let mut rights = all_rights();
    rights["leads"] = json!({ "view": "G", "edit": "M", "add": "A" });
    rights["status_rights"] = json!([{
        "entity_type": "leads", "pipeline_id": 1, "status_id": 2, "rights": { "view": "A" },
    }]);
    let role = create_role(client, &json!({ "name": "Role", "rights": rights })).await;
    for name in ["A", "B"] {
        let mut holder = user(name);
        holder["rights"] = json!({ "role_id": 1 });
        create_user(client, &holder).await;
    }
    let answer = send(client, CLEO, "DELETE", "/api/v4/roles/1", "")
        .await
        .is(204);
    assert_eq!(answer.body, "");
    for id in [3, 4] {
        let target = format!("/api/v4/users/{id}?with=role");
        let holder = client.get_as(CLEO, &target).await.is(200).json;
        assert!(holder["rights"]["role_id"].is_null());
        assert_eq!(holder["_embedded"]["roles"], json!([]));
        for (key, value) in role["rights"].as_object().unwrap() {
            assert_eq!(&holder["rights"][key], value, "{key}");
        }
    }
    client.get_as(CLEO, "/api/v4/roles/1").await.is(404);
    send(client, CLEO, "DELETE", "/api/v4/roles/1", "")
        .await
        .is(404);
}

#[tokio::test]
async fn a_deleted_role_cannot_be_assigned() {
    let server = team::start().await;
    let client = server.client();
    create_role(client, &json!({ "name": "Role" })).await;
    send(client, CLEO, "DELETE", "/api/v4/roles/1", "")
        .await
        .is(204);
    let mut late = user("Late");
    late["rights"] = json!({ "role_id": 1 });
    let answer = team::post(client, "/api/v4/users", &json!([late]))
        .await
        .is(400);
    let wrong = ("rights.role_id".to_owned(), "NotSupportedChoice".to_owned());
    assert_eq!(answer.wrong(), [wrong]);
}

#[tokio::test]
async fn a_role_deleted_during_its_assignment_has_no_holders() {
    let server = team::start().await;
    let client = server.client();
    for round in 1..=8 {
        create_role(client, &json!({ "name": "Role", "rights": all_rights() })).await;
        let mut holder = user(&format!("holder{round}"));
        holder["rights"] = json!({ "role_id": round });
        let body = json!([holder]);
        let target = format!("/api/v4/roles/{round}");
        let (added, deleted) = futures_util::future::join(
            team::post(client, "/api/v4/users", &body),
            send(client, CLEO, "DELETE", &target, ""),
        )
        .await;
        deleted.is(204);
        assert!([201, 400].contains(&added.status), "{}", added.body);
    }
    let users = client
        .get_as(CLEO, "/api/v4/users?limit=250")
        .await
        .is(200)
        .json;
    for user in users["_embedded"]["users"].as_array().unwrap() {
        assert!(user["rights"]["role_id"].is_null(), "{user}");
    }
}
