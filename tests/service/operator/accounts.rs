//! `/admin/v1/accounts`: accounts, users, groups, tokens.

use serde_json::{Value, json};

use crate::rights::floor::{self, PASSWORD, person, sign_in};
use crate::support::server::{ACCOUNT, OPERATOR_TOKEN, OTHER_ACCOUNT, Server, TOKEN};

const ACCOUNTS: &str = "/admin/v1/accounts";
const BAD_BODIES: &str = include_str!("../../data/bad_account_bodies.txt");

fn users() -> String {
    format!("{ACCOUNTS}/{ACCOUNT}/users")
}

async fn operates(server: &Server, method: &str, target: &str, body: &Value) -> Value {
    let answer = server.client().operates(method, target, body).await;
    assert!((200..300).contains(&answer.status), "{}", answer.body);
    answer.json
}

async fn shown(server: &Server, target: &str) -> Value {
    let request = server.client().operate("GET", target);
    request.send().await.is(200).json
}

async fn restart(server: &mut Server) {
    server.kill_9();
    server.restart().await;
}

/// An account is created with its administrator, and works at once and after a restart.
#[tokio::test]
async fn a_new_account_works_at_once_and_after_a_restart() {
    let mut server = Server::start().await;
    let body = json!({ "name": "Third", "lang": "es", "plan": "enterprise" });
    let response = server
        .client()
        .operates("POST", ACCOUNTS, &body)
        .await
        .is(201);
    let id = response.json["id"].as_str().unwrap().to_owned();
    let place = format!("{ACCOUNTS}/{id}");
    assert!(response.header("location").ends_with(&place));
    let again = json!({ "id": id, "name": "Again" });
    server
        .client()
        .operates("POST", ACCOUNTS, &again)
        .await
        .is(409);
    let ida = json!({ "name": "Ida", "email": "ida@third.example", "password": PASSWORD, "is_admin": true });
    let target = format!("{place}/users");
    let response = server
        .client()
        .operates("POST", &target, &ida)
        .await
        .is(201);
    assert_eq!(response.json["lang"], "es", "the account's");
    assert_eq!(response.json["rights"]["is_admin"], true);
    let body = json!({ "email": "ida@third.example", "password": PASSWORD });
    let ida = person(&sign_in(server.client(), &body).await.is(201));
    operates(
        &server,
        "PATCH",
        &place,
        &json!({ "name": "Renamed", "plan": "base" }),
    )
    .await;
    restart(&mut server).await;
    let client = server.client();
    ida.reads(client, "/api/v4/users").await.is(200);
    let account = json!({
        "id": id, "number": 3, "subdomain": "account3", "name": "Renamed", "lang": "es", "plan": "base",
        "messages_per_day": null, "messages_per_month": null, "storage_bytes": null,
        "bot_messages_per_month": null,
        "phone_field_id": 1, "email_field_id": 2,
    });
    let mut alone = shown(&server, &place).await;
    let unused = json!({ "used": 0, "quota": 0 });
    let usage = alone.as_object_mut().unwrap().remove("usage").unwrap();
    for quota in ["messages_per_day", "messages_per_month", "storage_bytes"] {
        assert_eq!(usage[quota], unused);
    }
    assert_eq!(alone, account);
    let list = shown(&server, ACCOUNTS).await;
    assert!(list["accounts"].as_array().unwrap().contains(&account));
    client.connect_account(&id, "v2").await.is(200);
}

#[tokio::test]
async fn changes_by_the_operator_outlive_the_same_configuration() {
    let mut server = Server::start().await;
    let place = format!("{ACCOUNTS}/{ACCOUNT}");
    operates(
        &server,
        "PATCH",
        &place,
        &json!({ "name": "Renamed", "plan": "base" }),
    )
    .await;
    let bo =
        json!({ "name": "Bo", "email": "bo@example.com", "password": PASSWORD, "is_admin": true });
    operates(&server, "POST", &users(), &bo).await;
    let ada = format!("{}/1", users());
    let change = json!({ "name": "Ada L", "is_admin": false, "lang": "ru" });
    operates(&server, "PATCH", &ada, &change).await;
    let password = format!("{ada}/password");
    operates(
        &server,
        "POST",
        &password,
        &json!({ "password": "An0ther-one" }),
    )
    .await;
    restart(&mut server).await;
    assert_eq!(shown(&server, &place).await["name"], "Renamed");
    let user = shown(&server, &ada).await;
    assert_eq!(
        (&user["name"], &user["lang"]),
        (&json!("Ada L"), &json!("ru"))
    );
    assert_eq!(user["rights"]["is_admin"], false);
    let sign = async |password: &str| {
        let body = json!({ "email": "ada@example.com", "password": password });
        sign_in(server.client(), &body).await.status
    };
    assert_eq!(sign("Secr3tive").await, 401);
    assert_eq!(sign("An0ther-one").await, 201);
}

#[tokio::test]
async fn a_token_is_shown_once_and_valid_until_it_is_revoked() {
    let mut server = Server::start().await;
    let tokens = format!("{}/1/tokens", users());
    let body = json!({ "name": "report", "expires_in_seconds": 86_400 });
    let response = server
        .client()
        .operates("POST", &tokens, &body)
        .await
        .is(201);
    assert_eq!(response.header("cache-control"), "no-store");
    let token = response.json["token"].as_str().unwrap().to_owned();
    assert_eq!(token.len(), 64);
    let other = operates(&server, "POST", &tokens, &json!({ "name": "other" })).await;
    for _ in 0..2 {
        server
            .client()
            .get_as(&token, "/api/v4/users")
            .await
            .is(200);
        let list = shown(&server, &tokens).await;
        let names: Vec<_> = list["tokens"]
            .as_array()
            .unwrap()
            .iter()
            .map(|token| &token["name"])
            .collect();
        assert_eq!(names, ["report", "other"]);
        assert!(!list.to_string().contains(&token));
        restart(&mut server).await;
    }
    let client = server.client();
    let revoke = format!("{tokens}/1");
    client.operate("DELETE", &revoke).send().await.is(204);
    client.get_as(&token, "/api/v4/users").await.is(401);
    client.operate("DELETE", &revoke).send().await.is(404);
    let other = other["token"].as_str().unwrap();
    client.get_as(other, "/api/v4/users").await.is(200);
    restart(&mut server).await;
    let client = server.client();
    client.get_as(&token, "/api/v4/users").await.is(401);
    client.get_as(other, "/api/v4/users").await.is(200);
    assert!(!server.log().contains(other));
    // Nothing but a hash is kept of it.
    for entry in shown(&server, "/admin/v1/audit?limit=250").await["entries"]
        .as_array()
        .unwrap()
    {
        assert!(!entry.to_string().contains(other));
    }
}

#[tokio::test]
async fn a_new_password_ends_sessions_and_deactivation_tokens_too() {
    let server = Server::start().await;
    let client = server.client();
    let mia = floor::add(client, "Mia", &floor::rights("M")).await;
    let user = format!("{}/{}", users(), mia.id);
    let response = operates(
        &server,
        "POST",
        &format!("{user}/tokens"),
        &json!({ "name": "t" }),
    )
    .await;
    let token = response["token"].as_str().unwrap();
    let password = json!({ "password": "An0ther-one" });
    client
        .operates("POST", &format!("{user}/password"), &password)
        .await
        .is(204);
    mia.reads(client, "/inbox/v1/me").await.is(401);
    client.get_as(token, "/inbox/v1/me").await.is(200);
    for active in [false, true] {
        operates(&server, "PATCH", &user, &json!({ "is_active": active })).await;
        let status = if active { 200 } else { 401 };
        client.get_as(token, "/inbox/v1/me").await.is(status);
    }
}

#[tokio::test]
async fn groups_are_created_and_renamed_and_rights_follow_them() {
    let mut server = Server::start().await;
    let groups = format!("{ACCOUNTS}/{ACCOUNT}/groups");
    let response = server
        .client()
        .operates("POST", &groups, &json!({ "name": "Support" }))
        .await;
    assert_eq!(response.is(201).json, json!({ "id": 2, "name": "Support" }));
    operates(
        &server,
        "PATCH",
        &format!("{groups}/2"),
        &json!({ "name": "Care" }),
    )
    .await;
    let unknown = json!({ "name": "x" });
    server
        .client()
        .operates("PATCH", &format!("{groups}/3"), &unknown)
        .await
        .is(404);
    let client = server.client().clone();
    floor::conversations(&client, 1).await;
    let mia = floor::add(&client, "Mia", &floor::rights("M")).await;
    let gus = floor::add(&client, "Gus", &floor::rights("G")).await;
    floor::place(&client, 1, 2, Some(mia.id)).await;
    gus.reads(&client, "/api/v4/leads/1").await.is(200);
    let user = format!("{}/{}", users(), mia.id);
    let result = operates(&server, "PATCH", &user, &json!({ "group_id": 2 })).await;
    assert_eq!(result["_embedded"]["groups"][0]["name"], "Care");
    gus.reads(&client, "/api/v4/leads/1").await.is(204);
    restart(&mut server).await;
    let client = server.client();
    gus.reads(client, "/api/v4/leads/1").await.is(204);
    mia.reads(client, "/api/v4/leads/1").await.is(200);
    let list = shown(&server, &groups).await;
    let group_list = json!({ "groups": [
        { "id": 1, "name": "Sales department", "users": 2 },
        { "id": 2, "name": "Care", "users": 1 },
    ], "next": null });
    assert_eq!(list, group_list);
    // Administrators put users into it as well; it is not there for other accounts.
    let mut user = json!({ "name": "New", "email": "new@example.com", "password": PASSWORD, "rights": floor::rights("D") });
    user["rights"]["group_id"] = json!(2);
    let answer = floor::admin(client, "POST", "/api/v4/users", &json!([user])).await;
    assert_eq!(
        answer.is(201).json["_embedded"]["users"][0]["rights"]["group_id"],
        2
    );
    assert_eq!(
        shown(&server, &format!("{ACCOUNTS}/{OTHER_ACCOUNT}/groups")).await["groups"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn the_last_active_administrator_cannot_be_removed() {
    let server = Server::start().await;
    let client = server.client();
    let ada = format!("{}/1", users());
    for change in [
        json!({ "is_admin": false }),
        json!({ "is_active": false }),
        json!({ "is_free": true }),
    ] {
        client.operates("PATCH", &ada, &change).await.is(409);
    }
    client.get_as(TOKEN, "/api/v4/users").await.is(200);
    let bo = json!({ "name": "Bo", "email": "bo@example.com", "is_admin": true });
    operates(&server, "POST", &users(), &bo).await;
    operates(&server, "PATCH", &ada, &json!({ "is_admin": false })).await;
    client.get_as(TOKEN, "/api/v4/users").await.is(403);
    client
        .operates(
            "PATCH",
            &format!("{}/2", users()),
            &json!({ "is_active": false }),
        )
        .await
        .is(409);
}

#[tokio::test]
async fn every_change_is_in_the_audit_log_without_any_secret() {
    let server = Server::start().await;
    let (users, account) = (users(), format!("{ACCOUNTS}/{ACCOUNT}"));
    let of_bo = |tail: &str| format!("{users}/2{tail}");
    let bo = json!({ "name": "Bo", "email": "bo@example.com", "password": PASSWORD });
    let password = json!({ "password": "An0ther-one" });
    for (method, target, body) in [
        ("POST", users.clone(), bo),
        ("PATCH", of_bo(""), json!({ "is_admin": true })),
        ("POST", of_bo("/password"), password),
        ("POST", of_bo("/tokens"), json!({ "name": "t" })),
    ] {
        operates(&server, method, &target, &body).await;
    }
    let revoked = server.client().operate("DELETE", &of_bo("/tokens/1"));
    revoked.send().await.is(204);
    let group = format!("{account}/groups");
    operates(&server, "POST", &group, &json!({ "name": "G" })).await;
    operates(&server, "PATCH", &account, &json!({ "name": "N" })).await;
    let log = shown(
        &server,
        &format!("/admin/v1/audit?limit=250&account_id={ACCOUNT}"),
    )
    .await;
    let entries = log["entries"].as_array().unwrap();
    let by_operator = entries
        .iter()
        .filter(|entry| entry["by"]["kind"] == "operator");
    let actions: Vec<_> = by_operator
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    let all_actions = [
        "account.update",
        "group.create",
        "token.revoke",
        "token.create",
        "user.update",
        "user.update",
        "user.create",
    ];
    assert_eq!(actions, all_actions);
    let text = log.to_string();
    assert!(
        !text.contains("argon2id") && !text.contains("An0ther-one"),
        "{text}"
    );
}

#[tokio::test]
async fn invalid_bodies_are_refused_with_every_error() {
    let server = Server::start().await;
    let client = server.client();
    let mut failed = Vec::new();
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for line in BAD_BODIES.lines().filter(is_case) {
        let (request, wrong) = line.rsplit_once(" => ").unwrap();
        let (method, rest) = request.split_once(' ').unwrap();
        let (address, body) = rest.split_once(' ').unwrap();
        let address = address.replace("{account}", ACCOUNT).replace("{user}", "1");
        let request = client
            .operate(method, &format!("/admin/v1/{address}"))
            .header("Content-Type", "application/json");
        let answer = request.body(body).send().await;
        let errors: Vec<String> = answer
            .wrong()
            .into_iter()
            .map(|(path, code)| format!("{path} {code}"))
            .collect();
        let errors_text = errors.join(", ");
        if answer.status != 400 || errors_text != wrong.replace("(body)", "") {
            failed.push(format!("{line}\n  but {} {errors_text}", answer.status));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let users = shown(&server, &users()).await;
    assert_eq!(users["users"].as_array().unwrap().len(), 1);
    let list = shown(&server, ACCOUNTS).await;
    assert_eq!(list["accounts"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn every_account_address_needs_the_operator_token() {
    let server = Server::start().await;
    let client = server.client();
    let tokens = format!("{}/1/tokens", users());
    for (method, target) in [
        ("GET", ACCOUNTS.to_owned()),
        ("POST", ACCOUNTS.to_owned()),
        ("GET", format!("{ACCOUNTS}/{ACCOUNT}")),
        ("PATCH", format!("{ACCOUNTS}/{ACCOUNT}")),
        ("GET", users()),
        ("POST", users()),
        ("GET", format!("{}/1", users())),
        ("PATCH", format!("{}/1", users())),
        ("POST", format!("{}/1/password", users())),
        ("GET", tokens.clone()),
        ("POST", tokens.clone()),
        ("DELETE", format!("{tokens}/1")),
        ("GET", format!("{ACCOUNTS}/{ACCOUNT}/groups")),
        ("POST", format!("{ACCOUNTS}/{ACCOUNT}/groups")),
        ("PATCH", format!("{ACCOUNTS}/{ACCOUNT}/groups/1")),
        ("DELETE", format!("{ACCOUNTS}/{ACCOUNT}/groups/1")),
    ] {
        client.request(method, &target).send().await.is(401);
        client
            .request(method, &target)
            .bearer(TOKEN)
            .send()
            .await
            .is(401);
        // An object that does not exist gives 404 before the rest of the request is checked.
        let target_of_other = target.replace(ACCOUNT, "deadbeef-0000-4000-8000-000000000000");
        if target_of_other != target {
            let request = client
                .request(method, &target_of_other)
                .bearer(OPERATOR_TOKEN);
            request.send().await.is(404);
        }
    }
}
