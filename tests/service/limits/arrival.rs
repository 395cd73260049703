//! Requests that do not arrive in time: slow heads, slow bodies, and what arrived while the process was paused.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::limits::is_served;
use crate::support::answer::CHAT;
use crate::support::client::{Client, message, parsed, rest, signature};
use crate::support::server::{SECRET, Server, Setup};
use crate::support::{PATIENCE, eventually};

/// The time limit of heads and bodies in these tests.
const LIMIT: Duration = Duration::from_secs(1);

/// A service that waits for a head or a body for as long as [`LIMIT`].
async fn impatient() -> Server {
    Setup::default()
        .setting("limits", "request_head_seconds = 1")
        .setting("limits", "request_body_seconds = 1")
        .start()
        .await
}

async fn others_are_served(client: &Client) {
    for _ in 0..10 {
        is_served(client).await;
    }
}

/// Sends the head of a request byte by byte until there is an answer or the end, and returns what came.
async fn head_in_bytes(client: &Client) -> String {
    let mut socket = client.open().await;
    let start = Instant::now();
    let head = format!("GET /healthz HTTP/1.1\r\nHost: {}\r\nX-A: ", client.host());
    socket.write_all(head.as_bytes()).await.ok();
    let mut answer = Vec::new();
    loop {
        match timeout(LIMIT / 10, socket.read_buf(&mut answer)).await {
            Ok(Ok(0) | Err(_)) => return String::from_utf8(answer).unwrap(),
            Ok(Ok(_)) => {}
            Err(_elapsed) => {
                // The end may come between two bytes; the next read sees it.
                socket.write_all(b"a").await.ok();
            }
        }
        assert!(start.elapsed() < PATIENCE, "the connection is still open");
    }
}

#[tokio::test]
async fn silent_connections_end_after_the_time_for_a_head() {
    let server = impatient().await;
    let client = server.client();
    let start = Instant::now();
    let silent = join_all((0..200).map(|_| client.open())).await;
    others_are_served(client).await;
    for mut socket in silent {
        let answer = rest(&mut socket).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
            "{answer}"
        );
    }
    assert!(start.elapsed() >= LIMIT);
    is_served(client).await;
}

#[tokio::test]
async fn slow_heads_are_408_after_the_time_for_a_head() {
    let server = impatient().await;
    let client = server.client();
    let start = Instant::now();
    let trickling = join_all((0..20).map(|_| head_in_bytes(client)));
    let (answers, ()) = tokio::join!(trickling, others_are_served(client));
    assert!(start.elapsed() >= LIMIT);
    for answer in answers {
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(
            answer.contains("\"detail\":\"the head of the request did not arrive within 1 s\""),
            "{answer}"
        );
    }
    is_served(client).await;
}

/// The process had no processor for longer than the deadline: what has arrived meanwhile is read.
#[tokio::test]
async fn a_head_that_arrived_during_a_pause_is_answered() {
    let server = Setup::default()
        .setting("limits", "request_head_seconds = 2")
        .start()
        .await;
    let client = server.client();
    // On a busy machine the deadline of a connection may be near before it is known to be waited on.
    let mut socket = eventually("a connection is waited on in good time", async || {
        let start = Instant::now();
        let socket = client.open().await;
        // Connections are accepted in their order, so this one is waited on when a later one was served.
        others_are_served(client).await;
        (start.elapsed() < LIMIT).then_some(socket)
    })
    .await;
    server.signal(Signal::STOP);
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        client.host()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    // The clock of a stopped process goes on and cannot be moved.
    tokio::time::sleep(LIMIT * 5 / 2).await;
    server.signal(Signal::CONT);
    let answer = rest(&mut socket).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn a_body_that_trickles_is_408_after_the_time_for_a_body() {
    let server = impatient().await;
    let client = server.client();
    let scope = client.connect("v2").await;
    // So long that no machine is slow enough for its end to come in time.
    let body = message("m", "c").to_string() + &" ".repeat(100_000);
    let target = format!("{CHAT}{scope}");
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Signature: {}\r\n\
         Content-Length: {}\r\n\r\n",
        client.host(),
        signature(SECRET, body.as_bytes()),
        body.len()
    );
    let start = Instant::now();
    let trickling = (0..20).map(|_| async {
        let mut socket = client.open().await;
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        for byte in body.bytes() {
            socket.write_all(&[byte]).await.ok();
            let read = timeout(LIMIT / 20, socket.read_buf(&mut answer));
            if read.await.is_ok() {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "the body is still awaited");
        }
        let beginning = String::from_utf8(answer).unwrap();
        parsed("POST", &target, &(beginning + &rest(&mut socket).await))
    });
    let (answers, ()) = tokio::join!(join_all(trickling), others_are_served(client));
    assert!(start.elapsed() >= LIMIT);
    for answer in answers {
        let refusal = answer.is(408);
        assert_eq!(refusal.error_type(), "REQUEST_TIMEOUT");
        assert!(refusal.body.contains("did not arrive within 1 s"));
    }
    assert!(client.conversations().await.is_empty());
}
