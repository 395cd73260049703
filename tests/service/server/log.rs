//! The log: its form, and a line for each request where that is wanted.

use std::collections::BTreeSet;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::answer::Answer;
use crate::support::client::message;
use crate::support::directory::files_in;
use crate::support::eventually;
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup, TOKEN};
use crate::support::upload::uploaded;

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

/// A service that logs each request, as JSON.
async fn logging() -> Server {
    Setup::default()
        .setting("log", "format = \"json\"")
        .setting("log", "requests = true")
        .start()
        .await
}

/// The id of a request, as its answer has it.
fn id(answer: &Answer) -> &str {
    answer.header("x-request-id")
}

/// The line of the log about this request.
async fn line_of(server: &Server, answer: &Answer) -> Value {
    eventually("the request is logged", async || {
        let mut lines = lines(server, "request").into_iter();
        lines.find(|line| line["request_id"] == id(answer))
    })
    .await
}

#[tokio::test]
async fn each_request_is_one_line_without_ids_query_and_secrets() {
    let server = logging().await;
    let client = server.client();
    client.connect("v2").await;
    let response = client
        .send(&message("canary-1", "canary-of-a-customer"))
        .await
        .is(200);
    let conversation = response.json["new_message"]["conversation_id"]
        .as_str()
        .unwrap();
    let messages = format!("/inbox/v1/conversations/{conversation}/messages?query=canary");
    let history = client
        .history("canary-of-a-customer", "?offset=0&limit=7")
        .await;
    let media = client.request("GET", "/media/canary/x").send().await;
    let nowhere = client
        .request("GET", "/canary")
        .bearer("canary")
        .send()
        .await;
    for (answer, method, route) in [
        (&response, "POST", Some("/v2/origin/custom/{scope_id}")),
        (
            &history,
            "GET",
            Some("/v2/origin/custom/{scope_id}/chats/{conversation_id}/history"),
        ),
        (
            &client.get(&messages).await,
            "GET",
            Some("/inbox/v1/conversations/{id}/messages"),
        ),
        (&media, "GET", Some("/media/{id}/{name}")),
        (&nowhere, "GET", None),
    ] {
        let line = line_of(&server, answer).await;
        assert_eq!(line["method"], method, "{line}");
        assert_eq!(line["route"].as_str(), route, "{line}");
        assert_eq!(line["status"], answer.status, "{line}");
        assert_eq!(line["peer"], "127.0.0.1", "{line}");
        assert!(
            line["ms"].is_u64() && line["timestamp"].is_string(),
            "{line}"
        );
        let length: Option<u64> = answer.header("content-length").parse().ok();
        assert_eq!(line["bytes"].as_u64(), length, "{line}");
    }
    let log = server.log();
    for secret in ["canary", conversation, ACCOUNT, CHANNEL, TOKEN, SECRET] {
        let mut requests = log.lines().filter(|line| line.contains("request_id"));
        assert_eq!(requests.find(|line| line.contains(secret)), None);
    }
}

/// The guide for operators lists the fields.
#[tokio::test]
async fn the_line_of_a_request_has_the_fields_of_the_guide() {
    let server = logging().await;
    let answer = server.client().get("/inbox/v1/me").await.is(200);
    let line = line_of(&server, &answer).await;
    let fields = line.as_object().unwrap().keys().map(String::as_str);
    let of_all_lines = ["timestamp", "level", "message"];
    let fields: BTreeSet<&str> = fields.filter(|it| !of_all_lines.contains(it)).collect();
    let guide = include_str!("../../../docs/operating.md");
    let (_, list) = guide.split_once("**One line per request.**").unwrap();
    let (list, _) = list.split_once("\n## ").unwrap();
    let rows = list.lines().filter_map(|row| row.strip_prefix("| `"));
    let documented: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(fields, documented, "{line}");
}

/// Also requests that no handler gets have one. Ids that clients choose do not count.
#[tokio::test]
async fn each_answer_has_its_own_request_id_that_grows() {
    let server = logging().await;
    let client = server.client();
    let request = client
        .request("GET", "/healthz")
        .header("X-Request-Id", "7");
    let answers = [
        request.send().await.is(200),
        client.request("GET", "/nowhere").send().await.is(404),
        client.request("PUT", "/healthz").send().await.is(405),
        client
            .request("GET", "/healthz")
            .header("Host", "a.example")
            .send()
            .await
            .is(421),
    ];
    let ids: Vec<u64> = answers.iter().map(|it| id(it).parse().unwrap()).collect();
    assert!(ids[0] > 7 && ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    for answer in &answers {
        line_of(&server, answer).await;
    }
}

#[tokio::test]
async fn a_recorded_request_is_found_by_its_request_id() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let response = client.send(&message("m-1", "c-1")).await.is(200);
    let target = format!("/admin/v1/requests/{}", id(&response));
    let result = client.operate("GET", &target).send().await.is(200);
    assert_eq!(result.json["id"], id(&response));
    assert_eq!(result.json["status"], 200);
}

/// An error during a request is logged under its id, also when requests are not logged.
#[tokio::test]
async fn an_error_in_the_log_names_its_request() {
    let server = Setup::default()
        .setting("log", "format = \"json\"")
        .start()
        .await;
    let client = server.client();
    let file = uploaded(client, "notes.txt", b"text").await;
    let path = format!("/media/{}/notes.txt", file["id"].as_str().unwrap());
    let media = server.data().join("media");
    for file in files_in(&media) {
        std::fs::write(media.join(file), "damaged").unwrap();
    }
    let answer = client.request("GET", &path).send().await.is(503);
    let logged = lines(&server, "a file cannot be kept or read");
    assert_eq!(logged.len(), 1, "{}", server.log());
    assert_eq!(logged[0]["request_id"], id(&answer));
    assert!(lines(&server, "request").is_empty());
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
    assert!(!server.log().contains("route="), "{}", server.log());
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
