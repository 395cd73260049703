//! `POST <channel_id>/connect`.

use serde_json::json;

use crate::support::client::{message, scope, signature};
use crate::support::server::{
    ACCOUNT, CHANNEL, OTHER_ACCOUNT, OTHER_CHANNEL, OTHER_SECRET, Server,
};

#[tokio::test]
async fn connecting_answers_with_all_five_keys() {
    let server = Server::start().await;
    let answer = server.client().connect_account(ACCOUNT, "v2").await.is(200);
    assert_eq!(
        answer.json,
        json!({
            "account_id": ACCOUNT,
            "scope_id": scope(CHANNEL, ACCOUNT),
            "title": "First messenger",
            "hook_api_version": "v2",
            "is_time_window_disabled": false,
        })
    );
}

#[tokio::test]
async fn connecting_defaults_to_v1_and_the_name_of_the_channel() {
    let server = Server::start().await;
    let body = json!({ "account_id": ACCOUNT });
    let path = format!("{CHANNEL}/connect");
    let answer = server.client().post(&path, &body).await.is(200);
    assert_eq!(answer.json["hook_api_version"], "v1");
    assert_eq!(answer.json["title"], "First messenger");
}

#[tokio::test]
async fn reconnecting_updates_title_and_version_and_keeps_the_scope() {
    let server = Server::start().await;
    let client = server.client();
    let path = format!("{CHANNEL}/connect");
    let first_body = json!({ "account_id": ACCOUNT, "title": "+7 900", "hook_api_version": "v2" });
    let first = client.post(&path, &first_body).await.is(200);
    assert_eq!(first.json["title"], "+7 900");
    let second_body =
        json!({ "account_id": ACCOUNT, "title": "<b>new</b>", "hook_api_version": "v1" });
    let second = client.post(&path, &second_body).await.is(200);
    assert_eq!(second.json["title"], "<b>new</b>");
    assert_eq!(second.json["hook_api_version"], "v1");
    assert_eq!(second.json["scope_id"], first.json["scope_id"]);
}

#[tokio::test]
async fn an_upper_case_account_id_is_answered_in_canonical_form() {
    let server = Server::start().await;
    let upper = ACCOUNT.to_uppercase();
    let answer = server.client().connect_account(&upper, "v2").await.is(200);
    assert_eq!(answer.json["account_id"], ACCOUNT);
    assert_eq!(answer.json["scope_id"], scope(CHANNEL, ACCOUNT).as_str());
}

#[tokio::test]
async fn an_unknown_account_is_named_as_the_invalid_field() {
    let server = Server::start().await;
    let unknown = "deadbeef-0000-4000-8000-000000000000";
    let answer = server.client().connect_account(unknown, "v2").await.is(400);
    assert_eq!(answer.error_type(), "ORIGIN_INVALID_REQUEST");
    let wrong = ("account_id".to_owned(), "InvalidValue".to_owned());
    assert_eq!(answer.wrong(), [wrong]);
}

#[tokio::test]
async fn an_account_without_access_is_403_and_stays_unconnected() {
    let server = Server::start().await;
    let client = server.client();
    let connect = async |account: &str| {
        let body = json!({ "account_id": account }).to_string();
        client
            .signed("POST", &format!("{OTHER_CHANNEL}/connect"), body.clone())
            .header("X-Signature", &signature(OTHER_SECRET, body.as_bytes()))
            .send()
            .await
    };
    connect(OTHER_ACCOUNT).await.is(200);
    let refusal = connect(ACCOUNT).await.is(403);
    assert_eq!(refusal.error_type(), "ORIGIN_ACCOUNT_NOT_ALLOWED");
    let event = message("m", "c").to_string();
    let answer = client
        .signed("POST", &scope(OTHER_CHANNEL, ACCOUNT), event.clone())
        .header("X-Signature", &signature(OTHER_SECRET, event.as_bytes()))
        .send()
        .await
        .is(404);
    assert_eq!(answer.error_type(), "ORIGIN_NOT_REGISTERED");
}

#[tokio::test]
async fn an_unknown_key_is_refused_by_its_name() {
    let server = Server::start().await;
    let body = json!({ "account_id": ACCOUNT, "acount": 1 });
    let path = format!("{CHANNEL}/connect");
    let answer = server.client().post(&path, &body).await.is(400);
    let wrong = ("acount".to_owned(), "InvalidValue".to_owned());
    assert_eq!(answer.wrong(), [wrong]);
}

#[tokio::test]
async fn one_account_connected_to_two_channels_has_two_scopes() {
    let server = Server::start().await;
    let client = server.client();
    client.connect_account(OTHER_ACCOUNT, "v2").await.is(200);
    let body = json!({ "account_id": OTHER_ACCOUNT }).to_string();
    let other = client
        .signed("POST", &format!("{OTHER_CHANNEL}/connect"), body.clone())
        .header("X-Signature", &signature(OTHER_SECRET, body.as_bytes()))
        .send()
        .await
        .is(200);
    let other_scope = scope(OTHER_CHANNEL, OTHER_ACCOUNT);
    assert_eq!(other.json["scope_id"], other_scope.as_str());
    // The second connection did not end the first.
    let event = message("m", "c");
    client
        .post(&scope(CHANNEL, OTHER_ACCOUNT), &event)
        .await
        .is(200);
}

#[tokio::test]
async fn the_time_window_setting_is_kept_and_answered() {
    let server = Server::start().await;
    let client = server.client();
    let tail = format!("{CHANNEL}/connect");
    let mut body = json!({ "account_id": ACCOUNT, "title": null, "is_time_window_disabled": true });
    let answer = client.post_today(&tail, &body).await.is(200);
    assert_eq!(answer.json["is_time_window_disabled"], true);
    assert_eq!(answer.json["title"], "First messenger");
    // The key is not of the 2019 generation, and the last call wins.
    let unknown = client.post(&tail, &body).await.is(400).wrong();
    assert!(
        unknown.contains(&(
            "is_time_window_disabled".to_owned(),
            "InvalidValue".to_owned()
        )),
        "{unknown:?}"
    );
    body["is_time_window_disabled"] = serde_json::Value::Null;
    let answer = client.post_today(&tail, &body).await.is(200);
    assert_eq!(answer.json["is_time_window_disabled"], false);
}
