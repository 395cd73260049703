//! Consents: the people who may give one, and its scope.

use serde_json::{Value, json};

use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OTHER_CLIENT, REDIRECT, asks_for_tokens, exchange, parameters, tokens,
};
use crate::support::server::{Server, TOKEN};

#[tokio::test]
async fn only_an_administrator_who_signed_in_consents() {
    let server = Server::start().await;
    let client = server.client();
    let user = json!([{ "name": "Bo", "email": "bo@example.com", "password": "Secr3tive" }]);
    let request = client
        .request("POST", "/api/v4/users")
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    request.body(user.to_string()).send().await.is(201);
    let yes = json!({ "grant": true });

    let bo = Browser::sign_in(client, "bo@example.com").await;
    bo.decides(OAUTH_CLIENT, &yes).await.is(403);
    let target = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}");
    bo.asks("GET", &target, &Value::Null).await.is(403);

    let consent = format!("{target}/consent");
    let by_token = client
        .request("POST", &consent)
        .bearer(TOKEN)
        .header("Content-Type", "application/json");
    by_token.body(yes.to_string()).send().await.is(400);
    client.request("POST", &consent).send().await.is(401);

    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let refusal = ada.decides(OTHER_CLIENT, &yes).await.is(403);
    let detail = refusal.json["detail"].as_str().unwrap();
    assert!(detail.contains("not offered to your account"), "{detail}");
    let unknown = "0aff1ce0-0000-4000-8000-000000000000";
    for unknown in [unknown, "x"] {
        ada.decides(unknown, &yes).await.is(404);
    }
    let other = json!({ "grant": true, "redirect_uri": "https://bridge.example/cb" });
    let refusal = ada.decides(OAUTH_CLIENT, &other).await.is(400);
    assert!(refusal.json["detail"].as_str().unwrap().contains(REDIRECT));
    for (field, value) in [
        ("grant", json!("yes")),
        ("state", json!("x".repeat(1_025))),
        ("code_challenge", json!("short")),
        ("code_challenge_method", json!("S512")),
        ("scope", json!("crm")),
    ] {
        let mut body = yes.clone();
        body[field] = value;
        let refusal = ada.decides(OAUTH_CLIENT, &body).await.is(400);
        let path = &refusal.json["validation-errors"][0]["errors"][0]["path"];
        assert_eq!(path, field);
    }
    ada.decides(OAUTH_CLIENT, &json!({})).await.is(400);
    let no_challenge = json!({ "grant": true, "code_challenge_method": "S256" });
    ada.decides(OAUTH_CLIENT, &no_challenge).await.is(400);
    let response = ada.asks("GET", &target, &Value::Null).await.is(200);
    assert_eq!(response.json["grant"], Value::Null, "nothing was granted");
}

#[tokio::test]
async fn a_denial_reaches_the_client_without_a_grant() {
    let server = Server::start().await;
    let ada = Browser::sign_in(server.client(), "Ada@example.com").await;
    let no = json!({ "grant": false, "state": "s" });
    let denied = parameters(&ada.decides(OAUTH_CLIENT, &no).await.is(200));
    assert_eq!(denied["error"], "access_denied");
    assert_eq!(denied["state"], "s");
    assert_eq!(denied.get("code"), None);
    let target = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}");
    let response = ada.asks("GET", &target, &Value::Null).await.is(200);
    assert_eq!(response.json["grant"], Value::Null);
}

#[tokio::test]
async fn a_code_challenge_must_be_proven() {
    let server = Server::start().await;
    let client = server.client();
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    // The example of RFC 7636, appendix B.
    let decision = json!({
        "grant": true, "code_challenge_method": "S256",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    });
    let response = ada.decides(OAUTH_CLIENT, &decision).await.is(200);
    let mut body = exchange(&parameters(&response)["code"]);
    let refusal = asks_for_tokens(client, "test", &body).await.is(400);
    assert!(
        refusal.json["hint"]
            .as_str()
            .unwrap()
            .contains("code_verifier")
    );
    body["code_verifier"] = json!("x".repeat(43));
    asks_for_tokens(client, "test", &body).await.is(400);
    body["code_verifier"] = json!("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    tokens(&asks_for_tokens(client, "test", &body).await);
}
