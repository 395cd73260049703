//! An account uninstalls a client.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::client::{Client, message};
use crate::support::eventually;
use crate::support::oauth::{
    Browser, OAUTH_CLIENT, OAUTH_SECRET, asks_for_tokens, installed, refresh, tokens,
};
use crate::support::receiver::Receiver;
use crate::support::server::{ACCOUNT, Setup};

/// Returns the ends of the reports of uninstallations, newest first.
async fn reports(client: &Client) -> Vec<Value> {
    let target = format!("/admin/v1/audit?account_id={ACCOUNT}");
    let log = client.operate("GET", &target).send().await.is(200).json;
    let entries = log["entries"].as_array().unwrap().clone();
    let ends = entries.into_iter();
    ends.filter(|entry| entry["action"] == "grant.uninstall_hook")
        .collect()
}

#[tokio::test]
async fn uninstalling_ends_tokens_and_connection_and_is_reported() {
    let receiver = Receiver::start().await;
    receiver.fail_next(1, 500);
    let mut server = Setup::default()
        .uninstall_hook(&receiver.webhook("hook"))
        .start()
        .await;
    let client = server.client();
    client.connect("v2").await;
    client.sent(&message("m1", "c")).await;
    let (access, token) = installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let grant = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}/grant");
    ada.asks("DELETE", &grant, &Value::Null).await.is(200);
    ada.asks("DELETE", &grant, &Value::Null).await.is(404);

    let refusal = client.get_as(&access, "/api/v4/account").await.is(401);
    let detail = refusal.json["detail"].as_str().unwrap();
    assert!(detail.contains("has uninstalled the client"), "{detail}");
    let refusal = asks_for_tokens(client, "test", &refresh(&token))
        .await
        .is(400);
    let hint = refusal.json["hint"].as_str().unwrap();
    assert!(
        hint.starts_with("The account uninstalled the client at "),
        "{hint}"
    );
    client.send(&message("m2", "c")).await.is(404);

    // The first request fails; a stop does not lose the report.
    receiver.requests(1).await;
    server.kill_9();
    server.restart().await;
    let client = server.client();
    let end = eventually("the end of the report is in the audit log", async || {
        let reports = reports(client).await;
        reports.first().cloned()
    })
    .await;
    assert_eq!(end["changes"][0]["after"], "200");
    let requests = receiver.requests(2).await;
    for request in &requests {
        assert_eq!(request.method, "GET");
        let (_, query) = request.target.split_once('?').unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(OAUTH_SECRET.as_bytes()).unwrap();
        mac.update(format!("{OAUTH_CLIENT}|1").as_bytes());
        let signature = hex::encode(mac.finalize().into_bytes());
        let report_query = format!("account_id=1&client_uuid={OAUTH_CLIENT}&signature={signature}");
        assert_eq!(query, report_query);
    }
    // The attempts before the kill count. It may have ended one that was stored and not yet sent.
    let attempts = end["changes"][1]["after"].as_u64().unwrap();
    let arrived = u64::try_from(requests.len()).unwrap();
    assert!(
        (arrived..=arrived + 1).contains(&attempts),
        "{attempts} attempts, of which {arrived} arrived"
    );

    // A later consent begins anew.
    let (again, _) = installed(client).await;
    client.get_as(&again, "/api/v4/account").await.is(200);
    client.get_as(&access, "/api/v4/account").await.is(401);
    client.connect("v2").await;
}

/// The client would take a late report for the end of its new installation.
#[tokio::test]
async fn a_report_is_not_sent_after_the_client_is_installed_again() {
    let receiver = Receiver::answering(500).await;
    let setup = Setup::default().uninstall_hook(&receiver.webhook("hook"));
    let server = setup.start().await;
    let client = server.client();
    installed(client).await;
    let ada = Browser::sign_in(client, "Ada@example.com").await;
    let grant = format!("/inbox/v1/oauth-clients/{OAUTH_CLIENT}/grant");
    ada.asks("DELETE", &grant, &Value::Null).await.is(200);
    receiver.requests(1).await;
    installed(client).await;
    let end = eventually("the end of the report is in the audit log", async || {
        let reports = reports(client).await;
        reports.first().cloned()
    });
    let outcome = end.await["changes"][0]["after"].clone();
    assert_eq!(outcome, "not sent: installed again");
    assert_eq!(receiver.requests(1).await.len(), 1);
}

#[tokio::test]
async fn the_operator_uninstalls_a_client_from_an_account() {
    let server = Setup::default().start().await;
    let client = server.client();
    let (_, token) = installed(client).await;
    tokens(&asks_for_tokens(client, "test", &refresh(&token)).await);
    let grants = format!("/admin/v1/oauth-clients/{OAUTH_CLIENT}/grants");
    let response = client.operate("GET", &grants).send().await.is(200).json;
    assert_eq!(response["grants"][0]["account_id"], ACCOUNT);
    let grant = format!("{grants}/{ACCOUNT}");
    client.operate("DELETE", &grant).send().await.is(200);
    client.operate("DELETE", &grant).send().await.is(404);
    let response = client.operate("GET", &grants).send().await.is(200).json;
    assert_eq!(response, json!({ "grants": [], "next": null }));
}
