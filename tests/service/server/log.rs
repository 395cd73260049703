//! The log: its form, and a line for each request where that is wanted.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::eventually;
use crate::support::server::{Server, Setup};

/// The lines of the log that say this, as JSON.
fn lines(server: &Server, message: &str) -> Vec<Value> {
    let log = server.log();
    let lines = log
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    lines
        .filter(|line: &Value| line["message"] == message)
        .collect()
}

#[tokio::test]
async fn each_request_is_logged_without_its_query_if_configured() {
    let server = Setup::default()
        .setting("log", "format = \"json\"")
        .setting("log", "requests = true")
        .start()
        .await;
    let target = "/inbox/v1/conversations?query=canary";
    server.client().get(target).await.is(200);
    server
        .client()
        .request("GET", "/media/canary/x")
        .send()
        .await
        .is(404);
    server.client().get("/nowhere").await.is(404);
    let requests = eventually("the requests are logged", async || {
        let lines = lines(&server, "request");
        lines
            .iter()
            .any(|it| it["path"] == "/nowhere")
            .then_some(lines)
    })
    .await;
    let asked = requests
        .iter()
        .find(|it| it["path"] == "/inbox/v1/conversations");
    let asked = asked.unwrap();
    assert_eq!(
        (&asked["method"], &asked["status"]),
        (&"GET".into(), &200.into())
    );
    assert!(
        asked["ms"].is_u64() && asked["peer"] == "127.0.0.1",
        "{asked}"
    );
    assert!(requests.iter().any(|it| it["path"] == "/media/{id}/{name}"));
    assert!(!server.log().contains("canary"), "{}", server.log());
}

#[tokio::test]
async fn an_invalid_log_filter_is_reported_and_the_default_counts() {
    let server = Setup::default().variable("RUST_LOG", "a=b=c").start().await;
    server.client().get("/nowhere").await.is(404);
    assert!(
        server.log().contains("RUST_LOG is invalid"),
        "{}",
        server.log()
    );
    assert!(!server.log().contains("path="), "{}", server.log());
}

#[tokio::test]
async fn requests_that_are_not_http_are_logged_for_debugging_only() {
    for (filter, logged) in [("info", false), ("info,actix_http=debug", true)] {
        let server = Setup::default().variable("RUST_LOG", filter).start().await;
        for bytes in ["GET /\0 HTTP/1.1\r\n\r\n".to_owned(), "x".repeat(200_000)] {
            let mut stream = server.client().open().await;
            // The service ends the connection before it has read all of it.
            stream.write_all(bytes.as_bytes()).await.unwrap_or_default();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.unwrap_or_default();
        }
        server.client().get("/nowhere").await.is(404);
        let log = server.log();
        assert_eq!(log.contains("stream error"), logged, "{log}");
        assert_eq!(log.contains(" ERROR "), logged, "{log}");
    }
}
