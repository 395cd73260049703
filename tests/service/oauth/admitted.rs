//! The users whom a client created or activated stay when it is uninstalled; both interfaces list them then.

use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::Client;
use crate::support::oauth::{Browser, OAUTH_CLIENT, address, does, installed};
use crate::support::operating::{printed_by, run_here as run};
use crate::support::server::{ACCOUNT, Server, TOKEN};

const EVE: &str = "eve@example.com";

/// A client adds a user with a password.
async fn adds(client: &Client, access: &str, name: &str, email: &str) {
    let user = json!([{ "name": name, "email": email, "password": floor::PASSWORD }]);
    does(client, access, "POST", "/api/v4/users", &user)
        .await
        .is(201);
}

/// The users whom the client admitted, as both interfaces list them.
async fn admitted(client: &Client) -> Value {
    let target = format!("{}/users", address(OAUTH_CLIENT));
    let page = client.get_as(TOKEN, &target).await.is(200).json;
    let target = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}/grants/{ACCOUNT}/users");
    let response = client.operate("GET", &target).send().await.is(200).json;
    assert_eq!(response, page);
    page["users"].clone()
}

#[tokio::test]
async fn an_uninstalled_client_leaves_a_list_of_the_users_it_created() {
    let mut server = Server::start().await;
    let client = server.client();
    let (access, _) = installed(client).await;
    adds(client, &access, "Eve", EVE).await;
    let tokens = format!("/admin/v1/accounts/{ACCOUNT}/users/2/tokens");
    let new_token = json!({ "name": "report" });
    let token = client
        .operates("POST", &tokens, &new_token)
        .await
        .is(201)
        .json;
    let sign_in = json!({ "email": EVE, "password": floor::PASSWORD });
    floor::sign_in(client, &sign_in).await.is(201);
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let grant = format!("{}/grant", address(OAUTH_CLIENT));
    let response = ada.asks("DELETE", &grant, &Value::Null).await.is(200).json;
    assert_eq!(response["next"], Value::Null);
    let eve = &response["users"][0];
    for (key, value) in [
        ("id", json!(2)),
        ("name", json!("Eve")),
        ("email", json!(EVE)),
        ("sessions", json!(1)),
    ] {
        assert_eq!(eve[key], value, "{key}");
    }
    assert_eq!(eve["tokens"][0]["name"], "report");
    assert!(
        !response
            .to_string()
            .contains(token["token"].as_str().unwrap())
    );

    server.kill_9();
    server.restart().await;
    let client = server.client();
    assert_eq!(admitted(client).await, response["users"]);
    let list = client.get_as(TOKEN, "/inbox/v1/oauth-clients").await;
    let bridge = &list.is(200).json["oauth_clients"][0];
    assert_eq!(
        (&bridge["grant"], &bridge["admitted_users"]),
        (&Value::Null, &json!(1))
    );
    // The list also has the client when the operator offers it to the account no longer.
    let target = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}");
    let other = json!({ "accounts": [crate::support::server::OTHER_ACCOUNT] });
    client.operates("PATCH", &target, &other).await.is(200);
    let list = client.get_as(TOKEN, "/inbox/v1/oauth-clients").await;
    assert_eq!(list.is(200).json["oauth_clients"][0]["id"], OAUTH_CLIENT);
    let deactivate = json!([{ "id": 2 }]);
    floor::admin(client, "POST", "/api/v4/users/deactivate", &deactivate).await;
    assert_eq!(admitted(client).await, json!([]));
    let list = client.get_as(TOKEN, "/inbox/v1/oauth-clients").await;
    assert_eq!(list.is(200).json["oauth_clients"], json!([]));
}

#[tokio::test]
async fn who_activates_a_user_last_has_admitted_them() {
    let server = Server::start().await;
    let client = server.client();
    floor::add(client, "Max", &json!({ "is_free": true })).await;
    let (access, _) = installed(client).await;
    let switch = async |token: &str, what: &str| {
        let target = format!("/api/v4/users/{what}");
        let body = json!([{ "id": 2 }]);
        let answer = does(client, token, "POST", &target, &body).await;
        assert!((200..300).contains(&answer.status), "{}", answer.body);
        admitted(client).await.as_array().unwrap().len()
    };
    // A user who is active already is not admitted again.
    assert_eq!(switch(&access, "activate").await, 0);
    assert_eq!(switch(&access, "deactivate").await, 0);
    assert_eq!(switch(&access, "activate").await, 1);
    assert_eq!(switch(TOKEN, "activate").await, 1);
    assert_eq!(switch(TOKEN, "deactivate").await, 0);
    assert_eq!(switch(TOKEN, "activate").await, 0);
    assert_eq!(switch(&access, "deactivate").await, 0);
    assert_eq!(switch(&access, "activate").await, 1);
    let user = format!("/admin/v1/accounts/{ACCOUNT}/users/2");
    for is_active in [false, true] {
        let body = json!({ "is_active": is_active });
        client.operates("PATCH", &user, &body).await.is(200);
    }
    assert_eq!(admitted(client).await, json!([]));
}

#[tokio::test]
async fn the_list_of_admitted_users_has_pages() {
    let server = Server::start().await;
    let client = server.client();
    let (access, _) = installed(client).await;
    for name in ["One", "Two", "Three"] {
        adds(client, &access, name, &format!("{name}@example.com")).await;
    }
    let all = format!("{}/users?limit=2", address(OAUTH_CLIENT));
    let first = client.get_as(&access, &all).await.is(200).json;
    assert_eq!(first["users"].as_array().unwrap().len(), 2);
    let next = format!("{all}&cursor={}", first["next"].as_str().unwrap());
    let second = client.get_as(&access, &next).await.is(200).json;
    assert_eq!(second["users"][0]["name"], "Three");
    assert_eq!(second["next"], Value::Null);
    client
        .get_as(&access, &format!("{all}&cursor=x"))
        .await
        .is(400);
}

#[tokio::test]
async fn the_operators_command_lists_the_users_whom_a_client_leaves() {
    let server = Server::start().await;
    let client = server.client();
    let (access, _) = installed(client).await;
    adds(client, &access, "Eve", EVE).await;
    let args = ["oauth-client", "revoke", OAUTH_CLIENT, ACCOUNT];
    let printed = printed_by(run(&server, &args, ""), &args);
    for part in ["uninstalled from account", "still active:", EVE] {
        assert!(printed.contains(part), "{printed}");
    }
}
