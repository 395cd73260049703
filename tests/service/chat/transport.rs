//! The limits of HTTP itself: media types, lengths, paths, hosts.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::support::PATIENCE;
use crate::support::answer::CHAT;
use crate::support::client::{Client, message, parsed, rest, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, Setup};

async fn connected() -> (Server, String) {
    let server = Server::start().await;
    let scope = server.client().connect("v2").await;
    (server, scope)
}

async fn nothing_was_written(client: &Client) {
    assert!(client.conversations().await.is_empty());
}

#[tokio::test]
async fn only_plain_json_in_utf_8_is_accepted() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    for refused in [
        "text/plain",
        "application/json; charset=utf-16",
        "application/json;charset=\"iso-8859-1\"",
        "application/hal+json",
        "application/jsonx",
        "",
    ] {
        let request = client.signed("POST", &scope, body.clone());
        let answer = request.header("Content-Type", refused).send().await.is(415);
        assert_eq!(answer.error_type(), "UNSUPPORTED_MEDIA_TYPE", "{refused}");
    }
    let bare = client
        .signed("POST", &scope, body.clone())
        .without("Content-Type");
    bare.send().await.is(415);
    let packed = client.signed("POST", &scope, body.clone());
    packed
        .header("Content-Encoding", "gzip")
        .send()
        .await
        .is(415);
    nothing_was_written(client).await;
    for taken in [
        "application/json",
        "APPLICATION/JSON;charset=UTF-8",
        "application/json; charset=\"utf-8\"",
    ] {
        let request = client.signed("POST", &scope, body.clone());
        request.header("Content-Type", taken).send().await.is(200);
    }
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_accepted_and_one_more_is_413() {
    let server = Setup::default()
        .setting("server", "body_limit_bytes = 1024")
        .start()
        .await;
    let client = server.client();
    let scope = client.connect("v2").await;
    let body = message("m", "c").to_string();
    let padded = |length: usize| format!("{body}{}", " ".repeat(length - body.len()));
    client
        .signed("POST", &scope, padded(1_024))
        .send()
        .await
        .is(200);
    let answer = client
        .signed("POST", &scope, padded(1_025))
        .send()
        .await
        .is(413);
    assert_eq!(answer.error_type(), "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn a_declared_length_beyond_the_limit_is_413_before_the_body() {
    let (server, scope) = connected().await;
    let client = server.client();
    let head = format!(
        "POST {CHAT}{scope} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         X-Signature: {}\r\nContent-Length: 10000000000\r\n\r\n",
        client.host(),
        "0".repeat(40)
    );
    let text = client.raw(head.as_bytes()).await;
    parsed("POST", &format!("{CHAT}{scope}"), &text).is(413);
}

#[tokio::test]
async fn a_chunked_body_is_accepted_up_to_the_limit() {
    let server = Setup::default()
        .setting("server", "body_limit_bytes = 1024")
        .start()
        .await;
    let client = server.client();
    let scope = client.connect("v2").await;
    let chunked = |body: &str| {
        let chunks: String = body
            .as_bytes()
            .chunks(100)
            .map(|chunk| {
                format!(
                    "{:x}\r\n{}\r\n",
                    chunk.len(),
                    str::from_utf8(chunk).unwrap()
                )
            })
            .collect();
        format!(
            "POST {CHAT}{scope} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             X-Signature: {}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{chunks}0\r\n\r\n",
            client.host(),
            signature(SECRET, body.as_bytes())
        )
    };
    let body = message("m", "c").to_string();
    let text = client.raw(chunked(&body).as_bytes()).await;
    parsed("POST", &format!("{CHAT}{scope}"), &text).is(200);
    let long = format!("{body}{}", " ".repeat(1_024));
    let text = client.raw(chunked(&long).as_bytes()).await;
    parsed("POST", &format!("{CHAT}{scope}"), &text).is(413);
}

#[tokio::test]
async fn a_path_is_used_as_sent_and_never_normalised() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let (channel, account) = (CHANNEL, ACCOUNT);
    for tail in [
        format!("{channel}%5F{account}"),
        format!("{channel}_{account}/"),
        format!("/{channel}_{account}"),
        format!("./{channel}_{account}"),
        format!("x/../{channel}_{account}"),
        format!("{channel}_{account};x=1"),
        format!("{channel}_{account}%00"),
        format!("{channel}_{account}%2Fconnect"),
        format!("{channel}%2fconnect"),
        format!("{channel}_{account}%ff"),
        format!("{channel}_{account}+"),
        format!("{channel}_"),
        format!("_{account}"),
        "a_b_c".to_owned(),
        "connect".to_owned(),
        "..%2F..%2Fapi".to_owned(),
        String::new(),
    ] {
        let answer = client
            .signed("POST", &tail, body.clone())
            .send_exactly()
            .await
            .is(404);
        assert_eq!(answer.error_type(), "ORIGIN_NOT_REGISTERED", "{tail}");
    }
    nothing_was_written(client).await;
    client
        .signed("POST", &scope, body)
        .send_exactly()
        .await
        .is(200);
}

#[tokio::test]
async fn a_path_of_more_than_2_kib_is_414() {
    let server = Server::start().await;
    let client = server.client();
    let long = "a".repeat(3_000);
    let chat = client
        .signed("POST", &long, "{}")
        .send_exactly()
        .await
        .is(414);
    assert_eq!(chat.error_type(), "URI_TOO_LONG");
    client.get(&format!("/api/v4/{long}")).await.is(414);
}

#[tokio::test]
async fn a_request_for_another_host_is_421() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    for host in ["evil.example", "evil.example:80", "8.8.8.8", ""] {
        let request = client
            .signed("POST", &scope, body.clone())
            .header("Host", host);
        let answer = request.send_exactly().await.is(421);
        assert_eq!(answer.error_type(), "MISDIRECTED_REQUEST", "{host}");
        let account = client
            .request("GET", "/api/v4/account")
            .header("Host", host);
        account.send_exactly().await.is(421);
    }
    nothing_was_written(client).await;
    let (_, port) = client.host().rsplit_once(':').unwrap();
    let local = client
        .signed("POST", &scope, body)
        .header("Host", &format!("localhost:{port}"));
    local.send_exactly().await.is(200);
}

/// The answer says in the way of its interface that the request is malformed, and ends the connection.
fn is_malformed(what: &str, text: &str, is_chat: bool) {
    let status = text.lines().next().unwrap_or_default();
    assert!(status.starts_with("HTTP/1.1 400"), "{what}: {text}");
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    if is_chat {
        assert_eq!(body["error_type"], "ORIGIN_INVALID_REQUEST", "{what}");
        assert!(
            head.contains("\r\ncontent-type: application/json"),
            "{head}"
        );
    } else {
        assert_eq!(body["status"], 400, "{what}");
        assert!(
            head.contains("\r\ncontent-type: application/problem+json"),
            "{head}"
        );
    }
    assert!(head.contains("\r\nconnection: close"), "{head}");
}

#[tokio::test]
async fn malformed_requests_are_refused_and_the_connection_is_closed() {
    let (server, scope) = connected().await;
    let client = server.client();
    let host = client.host();
    let body = message("m", "c").to_string();
    let signature_header = signature(SECRET, body.as_bytes());
    let head = format!(
        "POST {CHAT}{scope} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nX-Signature: {signature_header}\r\n"
    );
    let length = body.len();
    let cases = [
        (
            "both lengths",
            format!("{head}Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n{body}"),
        ),
        (
            "two lengths",
            format!(
                "{head}Content-Length: {length}\r\nContent-Length: {}\r\n\r\n{body}",
                length + 1
            ),
        ),
        (
            "a signed length",
            format!("{head}Content-Length: +{length}\r\n\r\n{body}"),
        ),
        (
            "a negative length",
            format!("{head}Content-Length: -1\r\n\r\n{body}"),
        ),
        (
            "a list of lengths",
            format!("{head}Content-Length: {length}, {length}\r\n\r\n{body}"),
        ),
        (
            "another encoding",
            format!("{head}Transfer-Encoding: xchunked\r\n\r\n{body}"),
        ),
        (
            "a NUL in a header",
            format!("{head}X-A: \0\r\nContent-Length: {length}\r\n\r\n{body}"),
        ),
        (
            "a blank before the colon",
            format!("{head}Content-Length : {length}\r\n\r\n{body}"),
        ),
        ("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n".to_owned()),
        ("no HTTP", "hello\r\n\r\n".to_owned()),
    ];
    for (what, request) in cases {
        // Also behind a request that is answered.
        let after = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let mut socket = client.open().await;
        socket.write_all(after.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"ok\n") {
            let read = timeout(PATIENCE, socket.read_buf(&mut answer)).await;
            assert!(read.unwrap().unwrap() > 0, "{what}: {answer:?}");
        }
        socket.write_all(request.as_bytes()).await.unwrap();
        let second = rest(&mut socket).await;
        assert!(second.ends_with('}'), "{what}: {second}");
        let text = client.raw(request.as_bytes()).await;
        is_malformed(what, &text, request.contains(CHAT));
    }
    nothing_was_written(client).await;
    client.signed("POST", &scope, body).send().await.is(200);
}

#[tokio::test]
async fn a_client_that_disconnects_within_a_body_leaves_nothing() {
    let (server, scope) = connected().await;
    let client = server.client();
    let bytes = client
        .signed("POST", &scope, message("m", "c").to_string())
        .bytes();
    let mut socket = client.open().await;
    socket.write_all(&bytes[..bytes.len() - 10]).await.unwrap();
    socket.shutdown().await.unwrap();
    rest(&mut socket).await;
    nothing_was_written(client).await;
}

#[tokio::test]
async fn a_duplicate_known_key_is_400_and_named() {
    let (server, scope) = connected().await;
    let client = server.client();
    let body = message("m", "c").to_string();
    let twice = body.replace("\"msgid\":\"m\"", "\"msgid\":\"m\",\"msgid\":\"n\"");
    assert_ne!(twice, body);
    let answer = client.signed("POST", &scope, twice).send().await.is(400);
    assert!(answer.body.contains("msgid"), "{}", answer.body);
    let body = format!("{{\"account_id\":\"{ACCOUNT}\",\"account_id\":\"{ACCOUNT}\"}}");
    client
        .signed("DELETE", &format!("{CHANNEL}/disconnect"), body)
        .send()
        .await
        .is(400);
    nothing_was_written(client).await;
}

#[tokio::test]
async fn every_error_is_reported_at_once() {
    let (server, scope) = connected().await;
    let body = json!({ "event_type": "edit", "payload": {
        "timestamp": "1", "msgid": "", "sender": { "avatar": "x", "name": 1 }, "message": { "type": "text" } } });
    let answer = server.client().post(&scope, &body).await.is(400);
    let errors: Vec<_> = [
        ("event_type", "NotSupportedChoice"),
        ("payload.conversation_id", "FieldMissing"),
        ("payload.message.text", "FieldMissing"),
        ("payload.msgid", "InvalidValue"),
        ("payload.sender.avatar", "InvalidValue"),
        ("payload.sender.id", "FieldMissing"),
        ("payload.sender.name", "InvalidType"),
        ("payload.timestamp", "InvalidType"),
    ]
    .map(|(path, code)| (path.to_owned(), code.to_owned()))
    .into();
    assert_eq!(answer.wrong(), errors);
}

#[tokio::test]
async fn head_is_answered_without_a_body() {
    let server = Server::start().await;
    let client = server.client();
    let unknown = scope(CHANNEL, ACCOUNT);
    client
        .request("HEAD", &format!("{CHAT}{unknown}"))
        .send()
        .await
        .is(405);
    client.request("HEAD", "/healthz").send().await.is(200);
}
