//! Path and channel → signature → content type and size → scope connected → body.

use serde_json::json;

use crate::support::client::{message, scope};
use crate::support::server::{ACCOUNT, CHANNEL, Server};

const UNKNOWN_CHANNEL: &str = "c0ffee00-0000-4000-8000-000000000000";

#[tokio::test]
async fn an_unknown_channel_is_404_before_the_signature_is_checked() {
    let server = Server::start().await;
    let client = server.client();
    let scope = scope(UNKNOWN_CHANNEL, ACCOUNT);
    let tails = [
        format!("{UNKNOWN_CHANNEL}/connect"),
        scope.clone(),
        format!("{scope}/x/y"),
    ];
    for tail in tails {
        let answer = client
            .signed("POST", &tail, "{}")
            .without("X-Signature")
            .send()
            .await
            .is(404);
        assert_eq!(answer.error_type(), "ORIGIN_NOT_REGISTERED");
        assert_eq!(answer.json["error_description"], "NOT_FOUND");
    }
}

#[tokio::test]
async fn the_signature_comes_before_content_type_scope_and_body() {
    let server = Server::start().await;
    let answer = server
        .client()
        .signed("POST", &scope(CHANNEL, ACCOUNT), "no json")
        .header("X-Signature", &"0".repeat(40))
        .header("Content-Type", "text/plain")
        .send()
        .await
        .is(403);
    assert_eq!(answer.error_type(), "ORIGIN_INVALID_SIGNATURE");
    assert_eq!(answer.json["error_description"], "invalid signature");
}

#[tokio::test]
async fn the_content_type_comes_before_scope_and_body() {
    let server = Server::start().await;
    let answer = server
        .client()
        .signed("POST", &scope(CHANNEL, ACCOUNT), "no json")
        .header("Content-Type", "text/plain")
        .send()
        .await
        .is(415);
    assert_eq!(answer.error_type(), "UNSUPPORTED_MEDIA_TYPE");
}

#[tokio::test]
async fn a_disconnected_scope_is_404_whatever_the_body_is() {
    let server = Server::start().await;
    let client = server.client();
    let scope = scope(CHANNEL, ACCOUNT);
    let report = format!("{scope}/deadbeef-0000-4000-8000-000000000000/delivery_status");
    for body in ["no json", "", "{}", &message("m", "c").to_string()] {
        for tail in [&scope, &report] {
            let answer = client.signed("POST", tail, body).send().await.is(404);
            assert_eq!(answer.error_type(), "ORIGIN_NOT_REGISTERED");
        }
    }
}

#[tokio::test]
async fn another_method_is_405_with_allow_on_every_path() {
    let server = Server::start().await;
    let client = server.client();
    let scope = client.connect("v2").await;
    let report = format!("{scope}/deadbeef-0000-4000-8000-000000000000/delivery_status");
    let connect = format!("{CHANNEL}/connect");
    let disconnect = format!("{CHANNEL}/disconnect");
    let cases = [
        (
            &scope,
            "POST",
            &[
                "GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "post",
            ][..],
        ),
        (&report, "POST", &["GET", "DELETE"]),
        (&connect, "POST", &["GET", "DELETE"]),
        (&disconnect, "DELETE", &["GET", "POST"]),
    ];
    for (tail, allow, methods) in cases {
        for method in methods {
            let answer = client
                .signed(method, tail, "{}")
                .send_exactly()
                .await
                .is(405);
            assert_eq!(answer.header("allow"), allow, "{method} {tail}");
        }
    }
}

#[tokio::test]
async fn a_method_override_is_ignored() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let body = json!({ "account_id": ACCOUNT }).to_string();
    client
        .signed("POST", &format!("{CHANNEL}/disconnect"), body)
        .header("X-HTTP-Method-Override", "DELETE")
        .send()
        .await
        .is(405);
    client.send(&message("m", "c")).await.is(200);
}

#[tokio::test]
async fn a_query_changes_nothing() {
    let server = Server::start().await;
    let client = server.client();
    let scope = client.connect("v2").await;
    let tail = format!("{scope}?silent=true&x=%00");
    client
        .signed("POST", &tail, message("m", "c").to_string())
        .send()
        .await
        .is(200);
    assert_eq!(client.leads().await.len(), 1);
}
