//! The caching headers of answers, and their compression.

use std::io::Read;

use flate2::read::GzDecoder;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::support::client::{Client, message};
use crate::support::server::{OPERATOR_TOKEN, Server, TOKEN};

/// Requests a target with this accepted encoding; returns the headers and the bytes received.
async fn take(client: &Client, target: &str, token: &str, encoding: &str) -> (HeaderMap, Vec<u8>) {
    let url = format!("http://{}{target}", client.host());
    let request = reqwest::Client::builder()
        .no_proxy()
        .build()
        .unwrap()
        .get(url)
        .bearer_auth(token)
        .header("Accept-Encoding", encoding);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200, "{target}");
    (
        response.headers().clone(),
        response.bytes().await.unwrap().to_vec(),
    )
}

#[tokio::test]
async fn long_json_is_compressed_on_request_without_changing_it() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    for number in 0..20 {
        client
            .sent(&message(&format!("m{number}"), &format!("c{number}")))
            .await;
    }
    for (target, token) in [
        ("/inbox/v1/conversations?limit=250", TOKEN),
        ("/api/v4/contacts?limit=250", TOKEN),
        ("/api/v4/leads?limit=250", TOKEN),
        ("/admin/v1/requests", OPERATOR_TOKEN),
        ("/openapi.json", TOKEN),
    ] {
        let (plain, expected) = take(client, target, token, "gzip;q=0, br").await;
        assert!(!plain.contains_key("content-encoding"), "{target}");
        let (headers, packed) = take(client, target, token, "br, gzip").await;
        assert_eq!(headers["content-encoding"], "gzip", "{target}");
        assert!(
            packed.len() * 2 < expected.len(),
            "{target}: {}",
            packed.len()
        );
        assert_eq!(headers["content-length"], packed.len().to_string().as_str());
        for headers in [plain, headers] {
            let values: Vec<_> = headers.get_all("vary").iter().collect();
            assert_eq!(values, ["Accept-Encoding"], "{target}");
        }
        let mut unpacked = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
        let (unpacked, expected): (Value, Value) = (
            serde_json::from_slice(&unpacked).unwrap(),
            serde_json::from_slice(&expected).unwrap(),
        );
        assert_eq!(unpacked, expected, "{target}");
    }
}

#[tokio::test]
async fn short_answers_and_those_with_a_secret_are_not_compressed() {
    let server = Server::start().await;
    let client = server.client();
    for target in [
        "/inbox/v1/me",
        "/readyz",
        "/api/v4/leads/pipelines/1/statuses/142",
    ] {
        let (headers, _) = take(client, target, TOKEN, "gzip").await;
        assert!(!headers.contains_key("content-encoding"), "{target}");
    }
    let request = client
        .operate("POST", "/admin/v1/channels")
        .header("Accept-Encoding", "gzip")
        .header("Content-Type", "application/json");
    let title = "x".repeat(200);
    let response = request
        .body(format!("{{\"name\":\"{title}\"}}"))
        .send()
        .await
        .is(201);
    assert_eq!(response.header("content-encoding"), "");
}

#[tokio::test]
async fn answers_with_data_are_not_cached_nor_sniffed() {
    let server = Server::start().await;
    let client = server.client();
    for (target, token) in [
        ("/api/v4/account", TOKEN),
        ("/inbox/v1/me", TOKEN),
        ("/inbox/v1/conversations", TOKEN),
        ("/admin/v1/channels", OPERATOR_TOKEN),
        ("/api/v4/nothing", TOKEN),
        ("/inbox/v1/me", "nobody"),
    ] {
        let answer = client.get_as(token, target).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{target}");
        assert_eq!(
            answer.header("x-content-type-options"),
            "nosniff",
            "{target}"
        );
    }
}
