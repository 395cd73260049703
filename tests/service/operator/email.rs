//! The operator gives a user another e-mail address.

use serde_json::{Value, json};

use crate::operator::audit_log;
use crate::rights::floor::{PASSWORD, sign_in};
use crate::support::operating::{printed_by, run_here as run};
use crate::support::server::{ACCOUNT, Server, TOKEN};

const USERS: &str = "/admin/v1/accounts/0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3/users";

async fn change(server: &Server, user: u64, email: &Value, status: u16) -> Value {
    let target = format!("{USERS}/{user}");
    let body = json!({ "email": email });
    let response = server.client().operates("PATCH", &target, &body).await;
    response.is(status).json
}

async fn signs_in(server: &Server, email: &str, password: &str) -> u16 {
    let body = json!({ "email": email, "password": password });
    sign_in(server.client(), &body).await.status
}

/// A user signs in with the new address, and no start brings the old one back.
#[tokio::test]
async fn a_user_signs_in_with_a_changed_address_after_restarts() {
    let mut server = Server::start().await;
    let user = change(&server, 1, &json!("Lovelace@example.com"), 200).await;
    assert_eq!(user["email"], "Lovelace@example.com");
    for start in 0..3 {
        assert_eq!(
            signs_in(&server, "lovelace@example.com", "Secr3tive").await,
            201
        );
        assert_eq!(signs_in(&server, "ada@example.com", "Secr3tive").await, 401);
        let users = server
            .client()
            .get_as(TOKEN, "/api/v4/users")
            .await
            .is(200)
            .json;
        assert_eq!(users["_total_items"], 1, "{users}");
        assert_eq!(
            users["_embedded"]["users"][0]["email"],
            "Lovelace@example.com"
        );
        // The configuration still declares her under the old one.
        if start == 0 {
            server.kill_9();
        } else {
            assert_eq!(server.terminate().await, Some(0));
        }
        server.restart().await;
    }
    // The old address is free, and the next user who has it is not taken for her.
    let bo = json!({ "name": "Bo", "email": "ada@example.com", "password": PASSWORD });
    let response = server.client().operates("POST", USERS, &bo).await.is(201);
    assert_eq!(response.json["id"], 2);
    server.kill_9();
    server.restart().await;
    assert_eq!(signs_in(&server, "ada@example.com", PASSWORD).await, 201);
    assert_eq!(
        signs_in(&server, "lovelace@example.com", "Secr3tive").await,
        201
    );
    let log = audit_log(&server).await;
    let entries = log["entries"].as_array().unwrap().iter();
    let changes: Vec<&Value> = entries
        .filter(|entry| entry["action"] == "user.update")
        .map(|entry| &entry["changes"])
        .collect();
    let address_change = json!([
        { "field": "email", "before": "Ada@example.com", "after": "Lovelace@example.com" }
    ]);
    assert_eq!(changes, [&address_change]);
}

#[tokio::test]
async fn an_email_address_belongs_to_one_user_in_any_letter_case() {
    let server = Server::start().await;
    let bo = json!({ "name": "Bo", "email": "bo@example.com", "password": PASSWORD });
    server.client().operates("POST", USERS, &bo).await.is(201);
    let refusal = change(&server, 2, &json!("ADA@example.com"), 400).await;
    let errors = &refusal["validation-errors"][0]["errors"];
    assert_eq!(errors[0]["path"], "email");
    for wrong in [json!("x"), json!(""), json!(7)] {
        let refusal = change(&server, 2, &wrong, 400).await;
        let errors = &refusal["validation-errors"][0]["errors"];
        assert_eq!(errors[0]["path"], "email", "{wrong}");
    }
    // The user's own address in another case is free, and so is an address of another account.
    let user = change(&server, 2, &json!("Bo@Example.com"), 200).await;
    assert_eq!(user["email"], "Bo@Example.com");
    change(&server, 2, &json!("bob@example.com"), 200).await;
    assert_eq!(signs_in(&server, "bo@example.com", PASSWORD).await, 401);
    let body = json!({ "email": "bob@example.com", "password": PASSWORD, "account_id": ACCOUNT });
    sign_in(server.client(), &body).await.is(201);
}

#[tokio::test]
async fn the_command_changes_the_email_address_as_well() {
    let server = Server::start().await;
    let args = [
        "user",
        "update",
        ACCOUNT,
        "1",
        "--email",
        "lovelace@example.com",
    ];
    let printed = printed_by(run(&server, &args, ""), &args);
    assert!(printed.contains("lovelace@example.com"), "{printed}");
    assert_eq!(
        signs_in(&server, "lovelace@example.com", "Secr3tive").await,
        201
    );
}
