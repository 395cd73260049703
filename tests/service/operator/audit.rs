//! The audit log.

use serde_json::{Value, json};

use crate::operator::{act, again, change};
use crate::support::rounds::Rounds;
use crate::support::server::{ACCOUNT, CHANNEL, OTHER_ACCOUNT, SECRET, Server};

async fn log(server: &Server, query: &str) -> Value {
    let request = server
        .client()
        .operate("GET", &format!("/admin/v1/audit{query}"));
    request.send().await.is(200).json
}

#[tokio::test]
async fn the_audit_log_shows_actor_action_and_object_but_no_secret() {
    let mut server = Server::start().await;
    change(&server, &json!({ "name": "Renamed", "webhook_v1": null })).await;
    act(&server, "rotate-secret", &json!({ "secret": "brand-new" })).await;
    again(&mut server).await;
    let log = log(&server, "?limit=2").await;
    let [rotated, renamed] = log["entries"].as_array().unwrap().as_slice() else {
        panic!("{log}");
    };
    assert_eq!(renamed["by"], json!({ "kind": "operator" }));
    assert_eq!(renamed["action"], "channel.update");
    assert_eq!(renamed["object"], CHANNEL);
    assert!(renamed["at"].as_u64().unwrap() > 1_700_000_000);
    let changes = json!([
        { "field": "name", "before": "First messenger", "after": "Renamed" },
        { "field": "webhook_v1", "before": "http://127.0.0.1:9/v1/:scope_id", "after": null },
    ]);
    assert_eq!(renamed["changes"], changes);
    assert_eq!(rotated["action"], "channel.rotate-secret");
    assert_eq!(rotated["changes"][0]["field"], "secret_fingerprint");
    let all = self::log(&server, "").await.to_string();
    assert!(!all.contains("brand-new") && !all.contains(SECRET));
}

#[tokio::test]
async fn the_audit_log_is_paged_newest_first() {
    let server = Server::start().await;
    for number in 0..7 {
        change(&server, &json!({ "name": number.to_string() })).await;
    }
    let mut names = Vec::new();
    let mut query = "?limit=3".to_owned();
    let mut pages = 0;
    let mut rounds = Rounds::default();
    loop {
        rounds.note();
        let page = log(&server, &query).await;
        let entries = page["entries"].as_array().unwrap().clone();
        assert!(entries.len() <= 3);
        names.extend(
            entries
                .iter()
                .map(|entry| entry["changes"][0]["after"].clone()),
        );
        pages += 1;
        let Some(next) = page["next"].as_str() else {
            break;
        };
        query = format!("?limit=3&cursor={next}");
    }
    // Behind them: two accounts, two users, two channels, two OAuth clients and the token, as configured.
    assert_eq!((pages, names.len()), (6, 16));
    assert_eq!(names[..7], ["6", "5", "4", "3", "2", "1", "0"]);
}

#[tokio::test]
async fn the_audit_log_can_be_read_for_one_account() {
    let server = Server::start().await;
    change(&server, &json!({ "name": "Of no account" })).await;
    act(&server, "test-send", &json!({ "account_id": ACCOUNT })).await;
    let own = log(&server, &format!("?account_id={ACCOUNT}")).await;
    let entries = own["entries"].as_array().unwrap();
    // The first were that the configuration declared the account and its user.
    let actions: Vec<&Value> = entries.iter().map(|entry| &entry["action"]).collect();
    let all_actions = ["channel.test-send", "user.create", "account.create"];
    assert_eq!(actions, all_actions, "{own}");
    assert_eq!(entries[0]["account_id"], ACCOUNT);
    let other_log = log(&server, &format!("?account_id={OTHER_ACCOUNT}")).await;
    let other = other_log["entries"].as_array().unwrap();
    assert_eq!(other.len(), 2, "{other:?}");
    assert_eq!(other[0]["changes"][0]["after"], "Bob");
}

#[tokio::test]
async fn invalid_parameters_are_named() {
    let server = Server::start().await;
    for query in [
        "limit=0",
        "limit=x",
        "cursor=zz",
        "cursor=00",
        "account_id=x",
    ] {
        let target = format!("/admin/v1/audit?{query}");
        let answer = server.client().operate("GET", &target).send().await.is(400);
        let name = query.split('=').next().unwrap();
        assert!(answer.json["detail"].as_str().unwrap().contains(name));
    }
}
