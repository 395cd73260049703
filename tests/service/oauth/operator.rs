//! The operator manages clients: through the interface, by command, and in the configuration.

use serde_json::{Value, json};

use crate::support::oauth::{OAUTH_CLIENT, installed};
use crate::support::server::{CHANNEL, Server};

const ALL: &str = "/admin/v1/oauth-clients";

#[tokio::test]
async fn an_oauth_client_is_created_changed_and_given_another_secret() {
    let mut server = Server::start().await;
    let client = server.client();
    let new = json!({ "name": "New", "redirect_uri": "http://127.0.0.1:1/cb", "channel": CHANNEL });
    let response = client.operates("POST", ALL, &new).await.is(201);
    let id = response.json["id"].as_str().unwrap().to_owned();
    let one = format!("{ALL}/{id}");
    assert!(response.header("location").ends_with(&one));
    assert_eq!(response.json["secret"].as_str().unwrap().len(), 40);
    let result = client.operate("GET", &one).send().await.is(200).json;
    assert_eq!(result["secret"], Value::Null);
    assert_eq!(result["accounts"], json!(["*"]));

    let mut same = new.clone();
    same["id"] = json!(id);
    client.operates("POST", ALL, &same).await.is(409);
    let change = json!({ "uninstall_hook": "http://127.0.0.1:1/x", "channel": null });
    let client_view = client.operates("PATCH", &one, &change).await.is(200).json;
    assert_eq!(client_view["channel"], Value::Null);
    assert_eq!(client_view["name"], "New");
    let rotate = format!("{one}/rotate-secret");
    let rotated = client
        .operates("POST", &rotate, &json!({}))
        .await
        .is(200)
        .json;
    assert_ne!(rotated["secret_fingerprint"], result["secret_fingerprint"]);
    let secret = json!({ "secret": rotated["secret"] });
    client.operates("POST", &rotate, &secret).await.is(400);
    for (field, value) in [
        ("channel", json!("unknown")),
        ("redirect_uri", json!("https://e.com/#x")),
        ("redirect_uri", json!("javascript:alert(1)")),
        ("uninstall_hook", json!("ftp://e.com")),
        ("accounts", json!(["x"])),
        ("scope", json!("crm")),
    ] {
        let refusal = client
            .operates("PATCH", &one, &json!({ field: value }))
            .await
            .is(400);
        let error = &refusal.json["validation-errors"][0]["errors"][0];
        assert_eq!(
            error["path"].as_str().unwrap().split(['[', '.']).next(),
            Some(field)
        );
    }
    client
        .operate("GET", &format!("{ALL}/x"))
        .send()
        .await
        .is(404);

    server.kill_9();
    server.restart().await;
    let after = server
        .client()
        .operate("GET", &one)
        .send()
        .await
        .is(200)
        .json;
    assert_eq!(after["secret_fingerprint"], rotated["secret_fingerprint"]);
    let list = server
        .client()
        .operate("GET", ALL)
        .send()
        .await
        .is(200)
        .json;
    assert_eq!(list["oauth_clients"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn no_log_and_no_list_has_a_secret_or_a_token() {
    let server = Server::start().await;
    let client = server.client();
    let (access, token) = installed(client).await;
    let audit = client
        .operate("GET", "/admin/v1/audit")
        .send()
        .await
        .is(200);
    let mut texts = vec![audit.body, server.log()];
    for below in ["", "/grants", "/token-requests"] {
        let target = format!("{ALL}/{OAUTH_CLIENT}{below}");
        texts.push(client.operate("GET", &target).send().await.is(200).body);
    }
    for secret in [&*access, &*token, crate::support::oauth::OAUTH_SECRET] {
        assert!(texts.iter().all(|text| !text.contains(secret)));
    }
}
