//! Each mistake has a clear answer of its own, and changes nothing.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::client::Client;
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OTHER_CLIENT, asks_for_tokens, exchange, installed, refresh, tokens,
};
use crate::support::server::{OTHER_ACCOUNT, Server, TOKEN};

/// Everything that is stored of grants.
async fn grants(client: &Client) -> Value {
    let target = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}/grants");
    client.operate("GET", &target).send().await.is(200).json
}

fn with(mut body: Value, field: &str, value: &str) -> Value {
    body[field] = json!(value);
    body
}

/// Requests with a used code, an unused one and a refresh token, with what the hint of each says.
fn mistakes(used: &str, fresh: &str, token: &str) -> [(Value, &'static str); 8] {
    const UNKNOWN: &str = "did not issue this authorization code";
    const OTHER: &str = "issued to another client";
    let forged = format!("{}{}", &fresh[..32], "0".repeat(64));
    let elsewhere = with(exchange(fresh), "redirect_uri", "https://bridge.example/");
    [
        (exchange(used), "was used at"),
        (exchange(&forged), UNKNOWN),
        (exchange("x"), UNKNOWN),
        (exchange(token), "Send it with grant_type=refresh_token."),
        (
            refresh(fresh),
            "Send it with grant_type=authorization_code.",
        ),
        (elsewhere, "the code is still valid"),
        (with(exchange(fresh), "client_id", OTHER_CLIENT), OTHER),
        (with(refresh(token), "client_id", OTHER_CLIENT), OTHER),
    ]
}

#[tokio::test]
async fn each_wrong_request_for_tokens_gets_its_own_hint() {
    let server = Server::start().await;
    let client = server.client();
    let (_, token) = installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let (used, fresh) = (ada.consents().await, ada.consents().await);
    tokens(&asks_for_tokens(client, "first", &exchange(&used)).await);
    let before = grants(client).await;
    for (body, hint) in mistakes(&used, &fresh, &token) {
        let answer = asks_for_tokens(client, "second", &body).await.is(400);
        assert_eq!(answer.json["error"], "invalid_grant", "{body}");
        let hint_text = answer.json["hint"].as_str().unwrap();
        assert!(hint_text.contains(hint), "{body}\n{hint_text}");
    }
    let unknown = "0aff1ce0-0000-4000-8000-000000000000";
    for (field, value) in [("client_secret", "other"), ("client_id", unknown)] {
        let body = with(refresh(&token), field, value);
        let answer = asks_for_tokens(client, "second", &body).await.is(401);
        assert_eq!(answer.json["error"], "invalid_client", "{body}");
    }
    assert_eq!(grants(client).await, before);
    tokens(&asks_for_tokens(client, "last", &exchange(&fresh)).await);
    tokens(&asks_for_tokens(client, "last", &refresh(&token)).await);
}

#[tokio::test]
async fn a_malformed_request_for_tokens_names_every_field() {
    let server = Server::start().await;
    let client = server.client();
    let bare = json!({ "grant_type": "authorization_code" });
    let answer = asks_for_tokens(client, "test", &bare).await.is(400);
    let errors = answer.json["validation-errors"][0]["errors"]
        .as_array()
        .unwrap();
    let paths: Vec<_> = errors
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        ["client_id", "client_secret", "code", "redirect_uri"]
    );
    let password = json!({ "grant_type": "password" });
    let answer = asks_for_tokens(client, "test", &password).await.is(400);
    assert!(
        answer.body.contains("authorization_code"),
        "{}",
        answer.body
    );
    let request = client.request("POST", "/oauth2/access_token");
    request.clone().body("x").send().await.is(415);
    let form = request.header("Content-Type", "application/x-www-form-urlencoded");
    let twice = form.body("code=a&code=b").send().await.is(400);
    assert!(twice.body.contains("the parameter code is given twice"));
}

#[tokio::test]
async fn a_guesser_of_secrets_has_to_wait() {
    let server = Server::start().await;
    let client = server.client();
    let (_, token) = installed(client).await;
    let wrong = with(refresh(&token), "client_secret", "wrong");
    for _ in 0..30 {
        asks_for_tokens(client, "test", &wrong).await.is(401);
    }
    let waiting = asks_for_tokens(client, "test", &wrong).await.is(429);
    assert!(!waiting.header("retry-after").is_empty());
    asks_for_tokens(client, "test", &refresh(&token))
        .await
        .is(429);
}

/// A token with these claims, signed with another key.
fn signed_elsewhere(header: &Value, claims: &Value) -> String {
    let encoded = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
    let message = format!("{}.{}", encoded(header), encoded(claims));
    let mut mac = Hmac::<Sha256>::new_from_slice(b"another key").unwrap();
    mac.update(message.as_bytes());
    let signature = URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
    format!("{message}.{signature}")
}

#[tokio::test]
async fn a_forged_access_token_is_refused_with_its_fault() {
    let server = Server::start().await;
    let client = server.client();
    let (good, _) = installed(client).await;
    let part = |at: usize| {
        let part = good.split('.').nth(at).unwrap();
        let json = URL_SAFE_NO_PAD.decode(part).unwrap();
        serde_json::from_slice::<Value>(&json).unwrap()
    };
    let (header, claims) = (part(0), part(1));
    let none = with(header.clone(), "alg", "none");
    let mut other_claims = claims.clone();
    other_claims["account_id"] = json!(2);
    let (_, signature) = good.rsplit_once('.').unwrap();
    let other_token = format!(
        "{}.{}.{signature}",
        good.split('.').next().unwrap(),
        URL_SAFE_NO_PAD.encode(other_claims.to_string())
    );
    for (token, fault) in [
        (
            signed_elsewhere(&header, &claims),
            "the signature of the access token is invalid",
        ),
        (signed_elsewhere(&none, &claims), "names another algorithm"),
        (other_token, "the signature of the access token is invalid"),
    ] {
        let refusal = client.get_as(&token, "/api/v4/account").await.is(401);
        let detail = refusal.json["detail"].as_str().unwrap();
        assert!(detail.contains(fault), "{detail}");
        assert_eq!(refusal.header("www-authenticate"), "Bearer");
    }
    client.get_as(&good, "/api/v4/account").await.is(200);
}

#[tokio::test]
async fn tokens_of_a_deactivated_user_are_refused() {
    let server = Server::start().await;
    let client = server.client();
    let admin = json!({ "name": "Eve", "email": "eve@example.com", "password": "Secr3tive", "is_admin": true });
    let users = format!(
        "/admin/v1/accounts/{}/users",
        crate::support::server::ACCOUNT
    );
    let eve = client.operates("POST", &users, &admin).await.is(201).json;
    let browser = Browser::sign_in(client, "eve@example.com").await;
    let (code, unused) = (browser.consents().await, browser.consents().await);
    let (access, token) = tokens(&asks_for_tokens(client, "test", &exchange(&code)).await);
    client.get_as(&access, "/api/v4/account").await.is(200);
    let target = format!("{users}/{}", eve["id"]);
    let off = json!({ "is_active": false });
    client.operates("PATCH", &target, &off).await.is(200);
    let before = grants(client).await;
    let refusal = client.get_as(&access, "/api/v4/account").await.is(401);
    let detail = refusal.json["detail"].as_str().unwrap();
    assert!(detail.contains("is deactivated"), "{detail}");
    for body in [refresh(&token), exchange(&unused)] {
        let refusal = asks_for_tokens(client, "test", &body).await.is(400);
        let hint = refusal.json["hint"].as_str().unwrap();
        assert!(
            hint.contains("The user who consented is deactivated."),
            "{hint}"
        );
    }
    assert_eq!(grants(client).await, before);
    let on = json!({ "is_active": true });
    client.operates("PATCH", &target, &on).await.is(200);
    client.get_as(&access, "/api/v4/account").await.is(200);
    tokens(&asks_for_tokens(client, "test", &refresh(&token)).await);
}

/// Neither the grants of another account show, nor a client that is not offered.
#[tokio::test]
async fn an_account_sees_its_own_grants_only() {
    let server = Server::start().await;
    let client = server.client();
    installed(client).await;
    let list = client
        .get_as(
            crate::support::server::OTHER_TOKEN,
            "/inbox/v1/oauth-clients",
        )
        .await
        .is(200)
        .json;
    let clients = list["oauth_clients"].as_array().unwrap();
    assert_eq!(clients.len(), 2);
    assert!(
        clients.iter().all(|it| it["grant"].is_null()),
        "{OTHER_ACCOUNT} granted nothing"
    );
    let list = client
        .get_as(TOKEN, "/inbox/v1/oauth-clients")
        .await
        .is(200)
        .json;
    assert_eq!(list["oauth_clients"].as_array().unwrap().len(), 1);
}
