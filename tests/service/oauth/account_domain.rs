//! The host of an account, for clients that ask by a token.

use serde_json::json;

use crate::support::oauth::{
    Browser, OAUTH_SECRET, asks_for_tokens, exchange, installed, refresh, tokens,
};
use crate::support::server::Server;

const BY_REFRESH_TOKEN: &str = "/oauth2/account/current/subdomain";
const BY_ACCESS_TOKEN: &str = "/oauth2/account/subdomain";

#[tokio::test]
async fn a_token_leads_to_the_host_of_its_account() {
    let server = Server::start().await;
    let client = server.client();
    let (access, token) = installed(client).await;
    let account = client.get_as(&access, "/api/v4/account").await.is(200).json;
    let response = client.get_as(&access, BY_ACCESS_TOKEN).await.is(200).json;
    let host_of_account = json!({
        "id": account["id"], "subdomain": account["subdomain"], "domain": client.host(), "top_level_domain": "",
    });
    assert_eq!(response, host_of_account);
    let by_refresh_token = async |token: &str| {
        let request = client.request("GET", BY_REFRESH_TOKEN);
        request.header("X-Refresh-Token", token).send().await
    };
    // The token stays valid.
    for _ in 0..2 {
        assert_eq!(by_refresh_token(&token).await.is(200).json, host_of_account);
    }
    let (_, next) = tokens(&asks_for_tokens(client, "bridge", &refresh(&token)).await);
    by_refresh_token(&next).await.is(200);
    let refusal = by_refresh_token(&token).await.is(401);
    assert!(refusal.body.contains("was used before"), "{}", refusal.body);
    let forged = format!("{}{}", &token[..32], "0".repeat(64));
    for wrong in [forged.as_str(), "x", &access, ""] {
        let rejection = by_refresh_token(wrong).await.is(401);
        assert!(!rejection.body.contains(&next), "{}", rejection.body);
    }
    client.request("GET", BY_REFRESH_TOKEN).send().await.is(401);
    client.request("GET", BY_ACCESS_TOKEN).send().await.is(401);
}

/// A refresh token in the place of an access token is recognised, and the other way round.
#[tokio::test]
async fn a_token_in_the_place_of_another_is_recognised() {
    let server = Server::start().await;
    let client = server.client();
    let (access, token) = installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let code = ada.consents().await;
    for (sent, named) in [
        (token.as_str(), "this is a refresh token"),
        (&code, "this is an authorization code"),
        (OAUTH_SECRET, "this is the secret of an OAuth client"),
    ] {
        let refusal = client.get_as(sent, "/api/v4/account").await.is(401);
        let detail = refusal.json["detail"].as_str().unwrap();
        assert!(detail.starts_with(named), "{detail}");
        assert!(!detail.contains(sent), "{detail}");
    }
    for body in [refresh(&access), exchange(&access)] {
        let refusal = asks_for_tokens(client, "bridge", &body).await.is(400);
        let hint = refusal.json["hint"].as_str().unwrap();
        assert!(hint.starts_with("This is an access token."), "{hint}");
    }
    // None of these attempts used anything up.
    tokens(&asks_for_tokens(client, "bridge", &exchange(&code)).await);
}
