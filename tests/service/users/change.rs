//! `PATCH /api/v4/users/{id}`.

use serde_json::{Value, json};

use super::team::{self, CLEO, DAN, EVE, create_role, send, user};
use crate::rights::floor::{person, sign_in};
use crate::support::answer::Answer;
use crate::support::client::Client;

const DAN_ID: u64 = 2;

async fn change(client: &Client, id: u64, body: &Value) -> Answer {
    let target = format!("/api/v4/users/{id}");
    send(client, CLEO, "PATCH", &target, body.to_string()).await
}

async fn shown(client: &Client, id: u64) -> Value {
    let target = format!("/api/v4/users/{id}?with=role,group");
    client.get_as(CLEO, &target).await.is(200).json
}

#[tokio::test]
async fn an_administrator_changes_what_the_body_names() {
    let mut server = team::start().await;
    let client = server.client();
    let role = create_role(client, &json!({ "name": "Sellers" })).await;
    let role_id = role["id"].as_u64().unwrap();
    let body = json!({ "name": "Daniela", "lang": "es", "rights": { "role_id": role_id } });
    let answer = change(client, DAN_ID, &body).await.is(202).json;
    assert_eq!(answer["rights"]["role_id"], role_id);
    let dan = shown(client, DAN_ID).await;
    assert_eq!(
        (&dan["name"], &dan["lang"]),
        (&json!("Daniela"), &json!("es"))
    );
    assert_eq!(dan["email"], "Dan@example.com", "what is not named stays");
    // The next change leaves the role.
    change(client, DAN_ID, &json!({ "name": "Dan" }))
        .await
        .is(202);
    assert_eq!(shown(client, DAN_ID).await["rights"]["role_id"], role_id);
    server.kill_9();
    server.restart().await;
    assert_eq!(shown(server.client(), DAN_ID).await["name"], "Dan");
}

/// A user who loses a role keeps its rights as their own, and these are changed one by one.
#[tokio::test]
async fn a_user_without_a_role_keeps_its_rights_as_own_rights() {
    let server = team::start().await;
    let client = server.client();
    let rights = json!({ "leads": team::all(), "contacts": {}, "companies": {}, "tasks": {} });
    let role = create_role(client, &json!({ "name": "Sellers", "rights": rights })).await;
    change(
        client,
        DAN_ID,
        &json!({ "rights": { "role_id": role["id"] } }),
    )
    .await
    .is(202);
    let own = json!({ "rights": { "leads": { "export": "D" } } });
    let refusal = change(client, DAN_ID, &own).await.is(400);
    assert!(refusal.body.contains("rights.leads"), "{}", refusal.body);
    change(client, DAN_ID, &json!({ "rights": { "role_id": null } }))
        .await
        .is(202);
    change(client, DAN_ID, &own).await.is(202);
    let rights = &shown(client, DAN_ID).await["rights"];
    assert_eq!(rights["role_id"], Value::Null);
    assert_eq!(
        (&rights["leads"]["delete"], &rights["leads"]["export"]),
        (&json!("A"), &json!("D"))
    );
    change(client, DAN_ID, &json!({ "rights": { "is_free": true } }))
        .await
        .is(202);
    change(client, DAN_ID, &json!({ "rights": { "is_free": false } }))
        .await
        .is(202);
    let rights = &shown(client, DAN_ID).await["rights"];
    assert_eq!(
        (&rights["is_free"], &rights["leads"]["view"]),
        (&json!(false), &json!("D"))
    );
}

/// A new password ends every session of its user, and is in the audit log without its value.
#[tokio::test]
async fn a_new_password_ends_the_sessions_of_its_user() {
    let server = team::start().await;
    let client = server.client();
    let old = json!({ "email": "Dan@example.com", "password": "Secr3tive" });
    let dan = person(&sign_in(client, &old).await.is(201));
    change(client, DAN_ID, &json!({ "password": "Canary-Passw0rd-11" }))
        .await
        .is(202);
    dan.reads(client, "/inbox/v1/me").await.is(401);
    sign_in(client, &old).await.is(401);
    let new = json!({ "email": "Dan@example.com", "password": "Canary-Passw0rd-11" });
    sign_in(client, &new).await.is(201);
    // Tokens of programs are no sessions.
    client.get_as(DAN, "/api/v4/account").await.is(200);
    let audit = client
        .operate("GET", "/admin/v1/audit?limit=5")
        .send()
        .await
        .is(200);
    assert!(
        audit.body.contains("user.update") && audit.body.contains("password"),
        "{}",
        audit.body
    );
    assert!(!audit.body.contains("Canary") && !server.log().contains("Canary"));
}

#[tokio::test]
async fn rights_and_passwords_of_administrators_are_not_changed_here() {
    let server = team::start().await;
    let client = server.client();
    for body in [
        json!({ "password": "aBcde1@345" }),
        json!({ "rights": { "is_free": true } }),
        json!({ "rights": { "role_id": create_role(client, &json!({ "name": "x" })).await["id"] } }),
    ] {
        change(client, 1, &body).await.is(403);
    }
    for (user, is_admin) in [(1, false), (2, true)] {
        let refusal = change(client, user, &json!({ "rights": { "is_admin": is_admin } })).await;
        assert!(refusal.is(400).body.contains("rights.is_admin"));
    }
    change(
        client,
        1,
        &json!({ "name": "Cleopatra", "rights": { "is_admin": true } }),
    )
    .await
    .is(202);
    assert_eq!(shown(client, 1).await["name"], "Cleopatra");
}

#[tokio::test]
async fn all_mistakes_of_a_change_are_reported_and_none_written() {
    let server = team::start().await;
    let client = server.client();
    let body = json!({
        "name": "www.example.com",
        "email": "cleo@example.com",
        "password": "short",
        "rights": { "role_id": 99, "group_id": 99 },
    });
    let refusal = change(client, DAN_ID, &body).await.is(400);
    for path in ["name", "password", "rights.role_id", "rights.group_id"] {
        assert!(
            refusal.body.contains(&format!("\"{path}\"")),
            "{path}: {}",
            refusal.body
        );
    }
    let rejection = change(client, DAN_ID, &json!({ "email": "CLEO@example.com" }))
        .await
        .is(400);
    assert!(rejection.body.contains("email"));
    assert_eq!(shown(client, DAN_ID).await["name"], "Dan");
    change(client, DAN_ID, &json!({})).await.is(400);
    change(client, 77, &json!({ "name": "x" })).await.is(404);
    for (token, status) in [(DAN, 403), (EVE, 404), ("nobody", 401)] {
        let answer = send(
            client,
            token,
            "PATCH",
            "/api/v4/users/2",
            user("x").to_string(),
        )
        .await;
        answer.is(status);
    }
}
