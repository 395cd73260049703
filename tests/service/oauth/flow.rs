//! Code, account, refresh: as a bridge does it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OAUTH_SECRET, REDIRECT, asks_for_tokens, exchange, installed,
    parameters, refresh, tokens,
};
use crate::support::server::{ACCOUNT, Server};

async fn account(client: &Client, token: &str) -> Value {
    let answer = client.get_as(token, "/api/v4/account").await;
    answer.is(200).json
}

/// The grant as the administrator of the account sees it.
async fn grant(client: &Client) -> Value {
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let list = browser
        .asks("GET", "/inbox/v1/oauth-clients", &Value::Null)
        .await
        .is(200)
        .json;
    assert_eq!(list["oauth_clients"].as_array().unwrap().len(), 1);
    list["oauth_clients"][0]["grant"].clone()
}

#[tokio::test]
async fn a_consent_leads_to_tokens_that_open_the_account() {
    let mut server = Server::start().await;
    let client = server.client();
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let target = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}");
    let response = browser
        .asks("GET", &target, &Value::Null)
        .await
        .is(200)
        .json;
    assert_eq!(
        (&response["name"], &response["grant"]),
        (&json!("Bridge"), &Value::Null)
    );

    let decision = json!({ "grant": true, "state": "a b&c", "from_widget": true });
    let result = browser.decides(OAUTH_CLIENT, &decision).await.is(200);
    let query = parameters(&result);
    assert_eq!(query["state"], "a b&c");
    assert_eq!(query["from"], "here");
    assert_eq!(query["referer"], client.host());
    assert_eq!(query["client_id"], OAUTH_CLIENT);
    assert_eq!((&*query["platform"], &*query["from_widget"]), ("1", "1"));

    let answer = asks_for_tokens(client, "bridge/1.0", &exchange(&query["code"])).await;
    let (access, first) = tokens(&answer);
    assert_eq!(answer.json["token_type"], "Bearer");
    assert_eq!(answer.json["expires_in"], 86_400);
    assert!(answer.json["server_time"].is_u64());
    assert_eq!(answer.header("cache-control"), "no-store");
    let account_view = account(client, &access).await;
    assert_eq!(account_view["name"], "First");
    let claims_part = access.split('.').nth(1).unwrap();
    let claims: Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims_part).unwrap()).unwrap();
    assert_eq!(claims["account_id"], account_view["id"]);
    assert_eq!(claims["aud"], OAUTH_CLIENT);
    assert_eq!(claims["base_domain"], client.host());

    // As a form, as some libraries send it.
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("client_id", OAUTH_CLIENT),
            ("client_secret", OAUTH_SECRET),
            ("grant_type", "refresh_token"),
            ("refresh_token", &first),
            ("redirect_uri", REDIRECT),
        ])
        .finish();
    let request = client
        .request("POST", "/oauth2/access_token")
        .header("Content-Type", "application/x-www-form-urlencoded");
    let answer = request.body(form).send().await;
    let (second_access, second) = tokens(&answer);
    assert_ne!(second, first);
    account(client, &access).await;
    account(client, &second_access).await;

    server.kill_9();
    server.restart().await;
    let client = server.client();
    account(client, &second_access).await;
    asks_for_tokens(client, "late", &refresh(&first))
        .await
        .is(400);
    let answer = asks_for_tokens(client, "bridge/1.1", &refresh(&second)).await;
    tokens(&answer);
    let grant = grant(client).await;
    assert_eq!(grant["user_id"], 1);
    assert_eq!(grant["codes"][0]["used_by"]["user_agent"], "bridge/1.0");
    assert_eq!(grant["refresh_tokens"].as_array().unwrap().len(), 3);
    assert_eq!(grant["refresh_tokens"][0]["used_by"], Value::Null);
    let use_entry = &grant["refresh_tokens"][1]["used_by"];
    assert_eq!(use_entry["user_agent"], "bridge/1.1");
    assert_eq!(use_entry["address"], "127.0.0.1");
}

#[tokio::test]
async fn of_processes_that_refresh_at_once_one_gets_tokens() {
    let server = Server::start().await;
    let client = server.client();
    let (_, token) = installed(client).await;
    let agents = ["one", "two", "three", "four", "five", "six"];
    let body = refresh(&token);
    let attempts = agents.map(|agent| asks_for_tokens(client, agent, &body));
    let answers = join_all(attempts).await;
    let issued = answers.iter().position(|answer| answer.status == 200);
    let winner = agents[issued.expect("one process gets tokens")];
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert_eq!(answer.json["error"], "invalid_grant");
        let hint = answer.json["hint"].as_str().unwrap();
        let detail = format!("by {winner} from 127.0.0.1. Each use returns a new refresh token");
        assert!(hint.contains(&detail), "{hint}");
        assert_eq!(answer.json["detail"], hint);
    }
    assert_eq!(answers.iter().filter(|it| it.status == 200).count(), 1);
    let (_, next) = tokens(&answers[issued.unwrap()]);
    tokens(&asks_for_tokens(client, winner, &refresh(&next)).await);

    // The operator sees who asked, and what came of it.
    let target = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}/token-requests");
    let response = client.operate("GET", &target).send().await.is(200);
    let log = response.json["token_requests"].as_array().unwrap();
    assert_eq!(log.len(), 1 + agents.len() + 1);
    assert_eq!(log[0]["account_id"], ACCOUNT);
    assert_eq!(log.iter().filter(|it| it["hint"].is_null()).count(), 3);
}

#[tokio::test]
async fn a_long_lived_token_opens_the_account_until_it_is_revoked() {
    let server = Server::start().await;
    let client = server.client();
    let browser = Browser::sign_in(client, "Ada@example.com").await;
    let target = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}/tokens");
    for seconds in [86_399, 5 * 365 * 86_400 + 1] {
        let body = json!({ "name": "report", "expires_in_seconds": seconds });
        browser.asks("POST", &target, &body).await.is(400);
    }
    let body = json!({ "name": "report", "expires_in_seconds": 86_400 });
    let response = browser.asks("POST", &target, &body).await.is(201).json;
    let token = response["token"].as_str().unwrap();
    account(client, token).await;
    let token_view = grant(client).await["long_lived_tokens"][0].clone();
    assert_eq!(token_view["name"], "report");
    assert_eq!(token_view["token"], Value::Null, "shown once");
    let of_this = format!("{target}/{}", response["id"]);
    browser.asks("DELETE", &of_this, &Value::Null).await.is(204);
    browser.asks("DELETE", &of_this, &Value::Null).await.is(404);
    let refusal = client.get_as(token, "/api/v4/account").await.is(401);
    let detail = refusal.json["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("an administrator revoked this long-lived token"),
        "{detail}"
    );
}
