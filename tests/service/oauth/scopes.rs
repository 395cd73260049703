//! Scopes: what an OAuth client asks for, what a consent grants, and what is refused without.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::rights::floor;
use crate::support::client::Client;
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, address, asks_for_tokens, does, exchange, installed, parameters,
    refresh, tokens,
};
use crate::support::server::{Server, TOKEN};

const LIST: &str = "list_external_messages";
const SEND: &str = "send_external_messages";

/// The words in the claims of a token.
fn words(token: &str) -> Value {
    let json = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap());
    let claims: Value = serde_json::from_slice(&json.unwrap()).unwrap();
    claims["scopes"].clone()
}

/// The operator sets what the client asks for.
async fn asks(client: &Client, list: bool, send: bool) {
    let target = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}");
    let change = json!({ LIST: list, SEND: send });
    let changed = client.operates("PATCH", &target, &change).await.is(200);
    assert_eq!(changed.json[LIST], list);
    assert_eq!(changed.json[SEND], send);
}

/// Reads and writes to the talk of the world; each must have this result.
async fn may(client: &Client, token: &str, reads: bool, writes: bool) {
    let text = json!({ "text": "We open at nine." });
    let (messages, send) = ("/api/v4/talks/1/messages", "/api/v4/talks/1/send_message");
    let read = does(client, token, "GET", messages, &Value::Null).await;
    let sent = does(client, token, "POST", send, &text).await;
    for (answer, is_allowed, status, word) in [(read, reads, 200, LIST), (sent, writes, 202, SEND)]
    {
        if is_allowed {
            answer.is(status);
            continue;
        }
        let refusal = answer.is(403);
        let detail = refusal.json["detail"].as_str().unwrap();
        assert!(detail.starts_with("Invalid scope"), "{detail}");
        assert!(detail.contains(word), "{detail}");
    }
}

#[tokio::test]
async fn an_unchanged_client_has_both_scopes_and_others_have_less() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    let (access, _) = installed(client).await;
    assert_eq!(words(&access), json!(["crm", "notifications", LIST, SEND]));
    may(client, &access, true, true).await;

    // What the operator takes away is refused at once, whatever the token says.
    asks(client, true, false).await;
    may(client, &access, true, false).await;
    let (reader, _) = installed(client).await;
    assert_eq!(words(&reader), json!(["crm", "notifications", LIST]));
    may(client, &reader, true, false).await;
    asks(client, false, true).await;
    let (writer, _) = installed(client).await;
    may(client, &writer, false, true).await;
    // Neither the list of talks, nor the closing of one, nor a user needs a scope.
    does(client, &writer, "GET", "/api/v4/talks", &Value::Null)
        .await
        .is(200);
    may(client, TOKEN, true, true).await;
    asks(client, false, false).await;
    may(client, TOKEN, true, true).await;
    let close = "/api/v4/talks/1/close";
    does(client, &writer, "POST", close, &Value::Null)
        .await
        .is(202);
}

#[tokio::test]
async fn what_is_added_needs_a_consent_and_a_new_token() {
    let mut server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    asks(client, false, false).await;
    let (plain, first) = installed(client).await;
    assert_eq!(words(&plain), json!(["crm", "notifications"]));
    may(client, &plain, false, false).await;

    asks(client, true, true).await;
    let answer = asks_for_tokens(client, "bridge", &refresh(&first)).await;
    let (refreshed, second) = tokens(&answer);
    may(client, &refreshed, false, false).await;

    // The administrator saw one of both on the page, and agreed to that one.
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let seen = ada.asks("GET", &address(OAUTH_CLIENT), &Value::Null).await;
    assert_eq!(seen.is(200).json["scopes"], json!([LIST, SEND]));
    let unknown = json!({ "grant": true, "scopes": [LIST, "crm"] });
    let refusal = ada.decides(OAUTH_CLIENT, &unknown).await.is(400);
    let path = &refusal.json["validation-errors"][0]["errors"][0]["path"];
    assert_eq!(path, "scopes.1");
    let one = json!({ "grant": true, "scopes": [SEND] });
    let code = parameters(&ada.decides(OAUTH_CLIENT, &one).await.is(200))["code"].clone();
    // Tokens from before do not have it; the next ones do, however the client gets them.
    may(client, &refreshed, false, false).await;
    let (exchanged, _) = tokens(&asks_for_tokens(client, "bridge", &exchange(&code)).await);
    may(client, &exchanged, false, true).await;
    let answer = asks_for_tokens(client, "bridge", &refresh(&second)).await;
    let (again, _) = tokens(&answer);
    assert_eq!(words(&again), json!(["crm", "notifications", SEND]));
    let grant = ada.asks("GET", &address(OAUTH_CLIENT), &Value::Null).await;
    assert_eq!(grant.is(200).json["grant"]["scopes"], json!([SEND]));
    server.kill_9();
    server.restart().await;
    may(server.client(), &again, false, true).await;
}

#[tokio::test]
async fn a_long_lived_token_has_the_scopes_of_the_grant() {
    let server = Server::start().await;
    let client = server.client();
    floor::conversations(client, 1).await;
    asks(client, true, false).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let target = format!("{}/tokens", address(OAUTH_CLIENT));
    let body = json!({ "name": "report", "expires_in_seconds": 86_400 });
    // The first one installs the client.
    let answer = ada.asks("POST", &target, &body).await.is(201).json;
    let first = answer["token"].as_str().unwrap();
    assert_eq!(words(first), json!(["crm", "notifications", LIST]));
    may(client, first, true, false).await;
    asks(client, true, true).await;
    let second = ada.asks("POST", &target, &body).await.is(201).json;
    may(client, second["token"].as_str().unwrap(), true, false).await;
}
