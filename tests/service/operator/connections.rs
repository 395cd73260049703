//! The accounts that are connected to a channel, as the operator sees and ends them.

use serde_json::{Value, json};

use crate::operator::{OF_THE_CHANNEL, again, audit_log};
use crate::support::answer::Answer;
use crate::support::client::{message, scope};
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, Server};

async fn listed(server: &Server, query: &str) -> Value {
    let path = format!("{OF_THE_CHANNEL}/connections{query}");
    let request = server.client().operate("GET", &path);
    request.send().await.is(200).json
}

async fn ended(server: &Server, account: &str) -> Answer {
    let path = format!("{OF_THE_CHANNEL}/connections/{account}");
    server.client().operate("DELETE", &path).send().await
}

#[tokio::test]
async fn connected_accounts_are_listed_with_version_and_title() {
    let mut server = Server::start().await;
    assert_eq!(
        listed(&server, "").await,
        json!({ "connections": [], "next": null })
    );
    let client = server.client();
    let titled = json!({ "account_id": ACCOUNT, "title": "+44 20 7946 0000" });
    client
        .post(&format!("{CHANNEL}/connect"), &titled)
        .await
        .is(200);
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let mut all = Vec::new();
    for (account, title, version) in [
        (ACCOUNT, "+44 20 7946 0000", "v1"),
        (OTHER_ACCOUNT, "First messenger", "v2"),
    ] {
        all.push(json!({
            "account_id": account,
            "scope_id": scope(CHANNEL, account),
            "title": title,
            "hook_api_version": version,
            "is_time_window_disabled": false,
        }));
    }
    all.sort_by_key(|connection| connection["account_id"].to_string());
    assert_eq!(listed(&server, "").await["connections"], json!(all));
    again(&mut server).await;
    let first = listed(&server, "?limit=1").await;
    assert_eq!(first["connections"], json!([all[0]]));
    let next = first["next"].as_str().unwrap();
    let second = listed(&server, &format!("?limit=1&cursor={next}")).await;
    assert_eq!(second, json!({ "connections": [all[1]], "next": null }));
}

#[tokio::test]
async fn an_ended_connection_refuses_messages_until_a_reconnect() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    ended(&server, ACCOUNT).await.is(204);
    assert_eq!(listed(&server, "").await["connections"], json!([]));
    client.send(&message("m-1", "c-1")).await.is(404);
    ended(&server, ACCOUNT).await.is(404);
    let log = audit_log(&server).await;
    let entries = log["entries"].as_array().unwrap().iter();
    let entries_of_end: Vec<&Value> = entries
        .filter(|entry| entry["action"] == "connection.disconnect")
        .collect();
    assert_eq!(entries_of_end.len(), 1, "{log}");
    assert_eq!(entries_of_end[0]["by"], json!({ "kind": "operator" }));
    assert_eq!(entries_of_end[0]["object"], scope(CHANNEL, ACCOUNT));
    assert_eq!(entries_of_end[0]["account_id"], ACCOUNT);
    client.connect("v2").await;
    client.send(&message("m-1", "c-1")).await.is(200);
}

#[tokio::test]
async fn unknown_channels_and_accounts_are_404() {
    let server = Server::start().await;
    ended(&server, OTHER_ACCOUNT).await.is(404);
    ended(&server, "nobody").await.is(404);
    let client = server.client();
    for (method, path) in [
        ("GET", "/admin/v1/channels/unknown/connections".to_owned()),
        (
            "DELETE",
            format!("/admin/v1/channels/unknown/connections/{ACCOUNT}"),
        ),
    ] {
        client.operate(method, &path).send().await.is(404);
    }
    let path = format!("{OF_THE_CHANNEL}/connections?cursor=wrong");
    client.operate("GET", &path).send().await.is(400);
}
