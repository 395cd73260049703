//! Administrators' changes of users and roles are in the audit log, without secrets.

use serde_json::{Value, json};

use super::team::{self, CLEO, all_rights, create_role, create_user, none, post, send, user};
use crate::support::server::Server;

const TEAM: &str = "2c3f4d5e-6f7a-4c8d-9e0f-a1b2c3d4e5f6";

/// The entries of the team, oldest first.
async fn log(server: &Server) -> Vec<Value> {
    let target = format!("/admin/v1/audit?account_id={TEAM}&limit=250");
    let answer = server.client().operate("GET", &target).send().await.is(200);
    let mut entries = answer.json["entries"].as_array().unwrap().clone();
    entries.reverse();
    entries
}

#[tokio::test]
async fn every_change_of_users_and_roles_is_audited_with_its_author() {
    let server = team::start().await;
    let client = server.client();
    let before = log(&server).await;
    let actions: Vec<_> = before
        .iter()
        .map(|entry| (&entry["action"], &entry["by"]["kind"]))
        .collect();
    let creation = (&json!("user.create"), &json!("configuration"));
    let account = (&json!("account.create"), &json!("configuration"));
    assert_eq!(actions, [account, creation, creation]);
    create_role(client, &json!({ "name": "Role", "rights": all_rights() })).await;
    let mut bo = user("Bo");
    bo["rights"] = json!({ "role_id": 1 });
    create_user(client, &bo).await;
    let narrower = json!({ "rights": { "leads": none() } }).to_string();
    for _ in 0..2 {
        // What changes nothing is not noted.
        send(client, CLEO, "PATCH", "/api/v4/roles/1", narrower.as_str())
            .await
            .is(202);
        post(client, "/api/v4/users/deactivate", &json!([{ "id": 2 }]))
            .await
            .is(204);
    }
    post(client, "/api/v4/users/activate", &json!([{ "id": 2 }]))
        .await
        .is(202);
    send(client, CLEO, "DELETE", "/api/v4/roles/1", "")
        .await
        .is(204);
    // What is refused is not noted.
    send(client, CLEO, "DELETE", "/api/v4/roles/1", "")
        .await
        .is(404);
    post(client, "/api/v4/users/activate", &json!([{ "id": 99 }]))
        .await
        .is(400);
    let entries = log(&server).await.split_off(before.len());
    let cleo = json!({ "kind": "user", "account_id": TEAM, "user_id": 1, "name": "Cleo" });
    assert!(entries.iter().all(|entry| entry["by"] == cleo));
    let mut rows: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                entry["action"].as_str().unwrap(),
                entry["object"].as_str().unwrap(),
            )
        })
        .collect();
    // The last two are of one moment.
    rows[5..].sort_unstable();
    assert_eq!(
        rows,
        [
            ("role.create", "1"),
            ("user.create", "3"),
            ("role.update", "1"),
            ("user.deactivate", "2"),
            ("user.activate", "2"),
            ("role.delete", "1"),
            ("role.release", "1"),
        ]
    );
    let changes = &entries[2]["changes"];
    assert_eq!(changes[0]["field"], "rights");
    assert_eq!(changes[0]["before"]["leads"], "AAAAA");
    assert_eq!(changes[0]["after"]["leads"], "DDDDD");
}

#[tokio::test]
async fn a_password_is_named_in_the_audit_log_and_never_shown() {
    let server = team::start().await;
    create_user(server.client(), &user("Bo")).await;
    let entries = log(&server).await;
    let of_users = |entry: &&Value| entry["action"] == "user.create";
    for entry in entries.iter().filter(of_users) {
        let changes = entry["changes"].as_array().unwrap();
        assert!(changes.contains(&json!({ "field": "password" })), "{entry}");
    }
    let all = serde_json::to_string(&entries).unwrap();
    for secret in ["aBcde1@345", "Secr3tive", CLEO, "argon2"] {
        assert!(!all.contains(secret), "{all}");
    }
}
