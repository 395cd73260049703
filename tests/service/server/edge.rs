//! The demands of HTTP itself on a server, whatever the interface.

use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::support::answer::CHAT;
use crate::support::client::{message, parsed, rest, scope, signature};
use crate::support::server::{ACCOUNT, CHANNEL, SECRET, Server, TOKEN};

#[tokio::test]
async fn expect_100_with_a_body_that_is_too_long_is_refused() {
    let server = Server::start().await;
    let client = server.client();
    let chat = format!("{CHAT}{}", client.connect("v2").await);
    for (target, length) in [
        (chat.as_str(), 10_000_000),
        ("/api/v4/users", 10_000_000),
        ("/inbox/v1/media", 1_000_000_000),
    ] {
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {}\r\nExpect: 100-continue\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
            client.host()
        );
        let text = client.raw(head.as_bytes()).await;
        parsed("POST", target, &text).is(413);
    }
}

#[tokio::test]
async fn expect_100_with_a_body_that_fits_is_continued() {
    let server = Server::start().await;
    let client = server.client();
    client.connect("v2").await;
    let target = format!("{CHAT}{}", scope(CHANNEL, ACCOUNT));
    let body = message("m", "c").to_string();
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: {}\r\nExpect: 100-continue\r\nX-Signature: {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        client.host(),
        signature(SECRET, body.as_bytes()),
        body.len()
    );
    let mut socket = client.open().await;
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut line = vec![0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    tokio::io::AsyncReadExt::read_exact(&mut socket, &mut line)
        .await
        .unwrap();
    assert!(line.starts_with(b"HTTP/1.1 100 "));
    socket.write_all(body.as_bytes()).await.unwrap();
    parsed("POST", &target, &rest(&mut socket).await).is(200);
}

#[tokio::test]
async fn a_truncated_or_malformed_chunked_body_is_refused() {
    let server = Server::start().await;
    let client = server.client();
    let chat = format!("{CHAT}{}", client.connect("v2").await);
    for target in [chat.as_str(), "/api/v4/users"] {
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Signature: {}\r\n\
             Authorization: Bearer {TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n",
            client.host(),
            "0".repeat(40)
        );
        let answer = parsed("POST", target, &client.raw(head.as_bytes()).await).is(400);
        assert!(answer.body.contains("chunks"), "{}", answer.body);
        assert!(!answer.body.contains("payload"), "{}", answer.body);
    }
    let form = "--b\r\nno header at all\r\n\r\nx\r\n--b--\r\n";
    let upload = client
        .request("POST", "/inbox/v1/media")
        .bearer(TOKEN)
        .header("Content-Type", "multipart/form-data; boundary=b");
    let answer = upload.body(form).send().await.is(400);
    assert!(
        answer.body.contains("the form is malformed"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_full_disk_leaves_the_service_ready_and_reports_no_writes() {
    let mut server = Server::start().await;
    let ready = server
        .client()
        .request("GET", "/readyz")
        .send()
        .await
        .is(200);
    let open = json!({
        "ready": true,
        "writable": true,
        "checks": { "store": "ok", "index": "ok", "draining": false },
    });
    let mut document = ready.json.clone();
    let installation = document
        .as_object_mut()
        .unwrap()
        .remove("installation")
        .unwrap();
    let id = installation.as_str().unwrap();
    assert!(
        id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{id}"
    );
    assert_eq!(document, open);
    server.client().connect("v2").await;
    assert_eq!(server.terminate().await, Some(0));
    // More than any disk has.
    server.change(|setup| setup.setting("store", "low_water_mib = 1048576"));
    server.restart().await;
    let client = server.client();
    let ready = client.request("GET", "/readyz").send().await.is(200);
    assert_eq!(ready.json["ready"], true);
    assert_eq!(ready.json["writable"], false);
    let why = ready.json["checks"]["store"].as_str().unwrap();
    assert!(why.contains("the disk is full"), "{why}");
    client.send(&message("m", "c")).await.is(503);
    client.get("/inbox/v1/conversations").await.is(200);
}
