//! Access to users and roles, and the other answers of their addresses.

use serde_json::json;

use super::team::{self, CLEO, DAN, create_role, send};
use crate::support::server::{OPERATOR_TOKEN, OTHER_TOKEN, Setup};

/// The ten operations.
const OPERATIONS: [(&str, &str); 10] = [
    ("GET", "/api/v4/users"),
    ("GET", "/api/v4/users/1"),
    ("POST", "/api/v4/users"),
    ("POST", "/api/v4/users/activate"),
    ("POST", "/api/v4/users/deactivate"),
    ("GET", "/api/v4/roles"),
    ("GET", "/api/v4/roles/1"),
    ("POST", "/api/v4/roles"),
    ("PATCH", "/api/v4/roles/1"),
    ("DELETE", "/api/v4/roles/1"),
];

#[tokio::test]
async fn every_operation_is_for_administrators_with_a_valid_token() {
    let server = team::start().await;
    let client = server.client();
    create_role(client, &json!({ "name": "Role" })).await;
    let body =
        json!([{ "id": 2, "name": "Bo", "email": "bo@example.com", "password": "aBcde1@345" }]);
    for (method, target) in OPERATIONS {
        let bare = client.request(method, target).send().await.is(401);
        assert_eq!(bare.header("www-authenticate"), "Bearer");
        let answer = send(client, "nobody", method, target, body.to_string()).await;
        assert_eq!(answer.is(401).body, bare.body);
        let answer = send(client, OPERATOR_TOKEN, method, target, body.to_string()).await;
        answer.is(401);
        let answer = send(client, DAN, method, target, body.to_string())
            .await
            .is(403);
        let detail = answer.json["detail"].as_str().unwrap();
        assert!(detail.contains("administrators"), "{detail}");
    }
    // Nothing of it had any effect.
    let users = client.get_as(CLEO, "/api/v4/users").await.is(200).json;
    assert_eq!(users["_total_items"], 2);
    let roles = client.get_as(CLEO, "/api/v4/roles").await.is(200).json;
    assert_eq!(roles["_embedded"]["roles"][0]["name"], "Role");
    client.get_as(DAN, "/api/v4/account").await.is(200);
}

/// An account sees nothing of another, whose numbers are answered like those that never existed.
#[tokio::test]
async fn an_account_sees_no_object_of_another_nor_that_it_exists() {
    let server = team::start().await;
    let client = server.client();
    team::create_user(client, &team::user("Bo")).await;
    create_role(client, &json!({ "name": "Role" })).await;
    for (theirs, never) in [
        ("/api/v4/users/3", "/api/v4/users/99"),
        ("/api/v4/roles/1", "/api/v4/roles/99"),
    ] {
        client.get_as(CLEO, theirs).await.is(200);
        let foreign = client.get_as(OTHER_TOKEN, theirs).await.is(404);
        let unknown = client.get_as(OTHER_TOKEN, never).await.is(404);
        assert_eq!(foreign.body, unknown.body);
    }
    for (method, body) in [("PATCH", "{\"name\":\"x\"}"), ("DELETE", "")] {
        let answer = send(client, OTHER_TOKEN, method, "/api/v4/roles/1", body).await;
        answer.is(404);
    }
    let users = json!([{ "id": 3 }]).to_string();
    let answer = send(
        client,
        OTHER_TOKEN,
        "POST",
        "/api/v4/users/deactivate",
        users,
    )
    .await;
    let detail = "User(s) 3 are not associated with provided account.";
    assert_eq!(answer.is(400).json["detail"], detail);
    // A role of another account is as unknown as one that never was.
    let mut wrong = Vec::new();
    for role in [1, 99] {
        let mut user = team::user("Cy");
        user["rights"] = json!({ "role_id": role });
        let body = json!([user]).to_string();
        let answer = send(client, OTHER_TOKEN, "POST", "/api/v4/users", body).await;
        wrong.push(answer.is(400).body);
    }
    assert_eq!(wrong[0], wrong[1]);
    let response = client
        .get_as(OTHER_TOKEN, "/api/v4/users?with=role")
        .await
        .is(200);
    assert_eq!(response.json["_total_items"], 1);
    let role_list = client.get_as(OTHER_TOKEN, "/api/v4/roles?with=users").await;
    assert_eq!(role_list.is(200).json["_embedded"]["roles"], json!([]));
    // The same e-mail address may be had in two accounts.
    let body = json!([team::user("Bo")]).to_string();
    let result = send(client, OTHER_TOKEN, "POST", "/api/v4/users", body)
        .await
        .is(201);
    assert_eq!(result.json["_embedded"]["users"][0]["id"], 2);
}

#[tokio::test]
async fn head_works_like_get_and_other_methods_are_405_with_allow() {
    let server = team::start().await;
    let client = server.client();
    create_role(client, &json!({ "name": "Role" })).await;
    for (target, allow) in [
        ("/api/v4/users", "GET, HEAD, POST"),
        ("/api/v4/users/1", "GET, HEAD, PATCH"),
        ("/api/v4/users/activate", "POST"),
        ("/api/v4/users/deactivate", "POST"),
        ("/api/v4/roles", "GET, HEAD, POST"),
        ("/api/v4/roles/1", "GET, HEAD, PATCH, DELETE"),
    ] {
        for method in [
            "HEAD", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
        ] {
            if allow.split(", ").any(|word| word == method) {
                continue;
            }
            let request = client.request(method, target).bearer(CLEO);
            let answer = request.send_exactly().await.is(405);
            assert_eq!(answer.header("allow"), allow, "{method} {target}");
        }
        if allow.contains("HEAD") {
            client
                .request("HEAD", target)
                .bearer(CLEO)
                .send()
                .await
                .is(200);
        }
    }
}

#[tokio::test]
async fn superfluous_headers_and_bodies_are_accepted() {
    let server = team::start().await;
    let client = server.client();
    for name in ["A", "B", "C"] {
        create_role(client, &json!({ "name": name })).await;
    }
    // An empty array as the body of a DELETE; a content type without a body; neither.
    send(client, CLEO, "DELETE", "/api/v4/roles/1", "[]")
        .await
        .is(204);
    let declared = client.request("DELETE", "/api/v4/roles/2").bearer(CLEO);
    declared
        .header("Content-Type", "application/json")
        .send()
        .await
        .is(204);
    let bare = client.request("DELETE", "/api/v4/roles/3").bearer(CLEO);
    assert_eq!(bare.send().await.is(204).body, "");
    let length = client.request("GET", "/api/v4/users").bearer(CLEO);
    // What this sends has `Content-Length: 0`.
    length.send_exactly().await.is(200);
    let target = "/api/v4/users/1?with=role%2Cgroup";
    let user = client.get_as(CLEO, target).await.is(200).json;
    assert_eq!(user["_embedded"]["groups"][0]["id"], 1);
}

#[tokio::test]
async fn an_invalid_user_or_role_number_is_404() {
    let server = team::start().await;
    let client = server.client();
    for id in [
        "0",
        "-1",
        "1.5",
        "abc",
        "9223372036854775808",
        "%31%2F",
        "1/../2",
        "%D9%A1",
        "+1",
        "1/",
    ] {
        for kind in ["users", "roles"] {
            let target = format!("/api/v4/{kind}/{id}");
            let request = client.request("GET", &target).bearer(CLEO);
            request.send_exactly().await.is(404);
        }
    }
}

#[tokio::test]
async fn a_body_not_declared_as_json_is_415_and_a_long_one_413() {
    let server = Setup::start(team::setup().setting("server", "body_limit_bytes = 65536")).await;
    let client = server.client();
    let long = format!("[{}]", " ".repeat(70_000));
    for (method, target) in OPERATIONS {
        if method == "GET" || method == "DELETE" {
            continue;
        }
        let request = client.request(method, target).bearer(CLEO);
        let plain = request.header("Content-Type", "text/plain").body("[]");
        plain.send().await.is(415);
        send(client, CLEO, method, target, long.as_str())
            .await
            .is(413);
    }
}
