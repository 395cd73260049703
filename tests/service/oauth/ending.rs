//! A client ends only what is its own; what is of others needs an administrator who signed in, as the consent does.

use serde_json::{Value, json};

use crate::support::client::{Client, message};
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OTHER_CLIENT, address, does, installed, installs, offers_the_other,
};
use crate::support::server::{Server, TOKEN};

/// Creates a long-lived token of this client; gives it and its address.
async fn long_lived(ada: &Browser<'_>, oauth_client: &str) -> (String, String) {
    let all = format!("{}/tokens", address(oauth_client));
    let body = json!({ "name": "report", "expires_in_seconds": 86_400 });
    let response = ada.asks("POST", &all, &body).await.is(201).json;
    let token = response["token"].as_str().unwrap().to_owned();
    (token, format!("{all}/{}", response["id"]))
}

async fn is_valid(client: &Client, token: &str) -> bool {
    client.get_as(token, "/api/v4/account").await.status == 200
}

#[tokio::test]
async fn a_client_cannot_end_what_another_client_has() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    offers_the_other(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let (first, _) = installed(client).await;
    let (second, _) = installs(&ada, OTHER_CLIENT).await;
    let (lasting, its_address) = long_lived(&ada, OTHER_CLIENT).await;
    let grant = format!("{}/grant", address(OTHER_CLIENT));
    for target in [&grant, &its_address] {
        let refusal = does(client, &first, "DELETE", target, &Value::Null).await;
        let detail_value = refusal.is(403).json["detail"].clone();
        let detail = detail_value.as_str().unwrap();
        assert!(detail.contains("only its own grant"), "{detail}");
        // Neither does a bearer token of the administrator: a consent needs a session.
        does(client, TOKEN, "DELETE", target, &Value::Null)
            .await
            .is(400);
    }
    // Not even what the account granted to the other client is shown to it.
    for below in ["", "/users"] {
        let target = format!("{}{below}", address(OTHER_CLIENT));
        client.get_as(&first, &target).await.is(404);
        client.get_as(TOKEN, &target).await.is(200);
    }
    let list = client
        .get_as(&first, "/inbox/v1/oauth-clients")
        .await
        .is(200)
        .json["oauth_clients"]
        .clone();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["id"], OAUTH_CLIENT);
    assert!(is_valid(client, &second).await && is_valid(client, &lasting).await);
    client.sent(&message("m1", "c")).await;

    ada.asks("DELETE", &its_address, &Value::Null).await.is(204);
    ada.asks("DELETE", &grant, &Value::Null).await.is(200);
    assert!(!is_valid(client, &second).await && !is_valid(client, &lasting).await);
    assert!(is_valid(client, &first).await);
}

#[tokio::test]
async fn a_client_ends_its_own_tokens_and_its_own_grant() {
    let server = Server::start().await;
    let client = server.client();
    let (access, _) = installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let (lasting, its_address) = long_lived(&ada, OAUTH_CLIENT).await;
    let end = async |target: &str| does(client, &access, "DELETE", target, &Value::Null).await;
    end(&its_address).await.is(204);
    assert!(!is_valid(client, &lasting).await);
    end(&format!("{}/grant", address(OAUTH_CLIENT)))
        .await
        .is(200);
    assert!(!is_valid(client, &access).await);
}

/// Two clients of one channel: the account needs the channel as long as one of them is installed.
#[tokio::test]
async fn a_channel_stays_connected_for_another_client_that_has_it() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    offers_the_other(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    installed(client).await;
    installs(&ada, OTHER_CLIENT).await;
    let uninstall = async |oauth_client: &str| {
        let grant = format!("{}/grant", address(oauth_client));
        ada.asks("DELETE", &grant, &Value::Null).await.is(200);
    };
    uninstall(OAUTH_CLIENT).await;
    client.sent(&message("m1", "c")).await;
    uninstall(OTHER_CLIENT).await;
    client.send(&message("m2", "c")).await.is(404);
}

/// A program decides nothing for people, whatever its token: no consents, tokens or sessions.
#[tokio::test]
async fn no_token_makes_tokens_or_consents() {
    let server = Server::start().await;
    let client = server.client();
    offers_the_other(client).await;
    let (access, _) = installed(client).await;
    let token = json!({ "name": "x", "expires_in_seconds": 86_400 });
    for bearer in [&*access, TOKEN] {
        for oauth_client in [OAUTH_CLIENT, OTHER_CLIENT] {
            let below = |part: &str| format!("{}/{part}", address(oauth_client));
            let consent = json!({ "grant": true });
            for (target, body) in [(below("consent"), &consent), (below("tokens"), &token)] {
                does(client, bearer, "POST", &target, body).await.is(400);
            }
        }
        does(client, bearer, "DELETE", "/inbox/v1/session", &Value::Null)
            .await
            .is(400);
        does(client, bearer, "GET", "/admin/v1/accounts", &Value::Null)
            .await
            .is(401);
    }
}
