//! Answers that the client does not read: they take little memory, and their connections are ended.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::limits::crowd::room_for;
use crate::limits::{is_served, memory_mib};
use crate::support::client::{message, parsed};
use crate::support::eventually;
use crate::support::server::{Server, Setup, TOKEN};

/// The connections whose answers are not read.
const CONNECTIONS: usize = 1_500;
/// The requests that each of them sends at once.
const PIPELINED: usize = 60;

/// A service that waits one second for those who do not read.
async fn impatient() -> Server {
    Setup::default()
        .setting("limits", "unread_answer_seconds = 1")
        .start()
        .await
}

/// Opens connections that ask this often at once and read nothing.
async fn deaf(server: &Server, connections: usize, requests: &str) -> Vec<TcpStream> {
    let mut deaf = Vec::new();
    for _ in 0..connections {
        let mut socket = server.client().open().await;
        // All of it is small enough to be taken by the system, and the service may end the connection before.
        socket.write_all(requests.as_bytes()).await.ok();
        deaf.push(socket);
    }
    deaf
}

/// Asks, reads nothing, and gives the memory that the service took more than before, at most, in MiB, when it has ended
/// every one of the connections.
async fn grown(server: &Server, connections: usize, requests: &str) -> u64 {
    is_served(server.client()).await;
    let before = memory_mib(server, "VmRSS:");
    let mut deaf = deaf(server, connections, requests).await;
    is_served(server.client()).await;
    eventually("the service ends every connection", async || {
        // The operating system reports the end without a read.
        deaf.retain(|socket| socket.take_error().unwrap().is_none());
        deaf.is_empty().then_some(())
    })
    .await;
    is_served(server.client()).await;
    memory_mib(server, "VmHWM:").saturating_sub(before)
}

#[tokio::test]
async fn unread_answers_use_little_memory_and_their_connections_end() {
    let Some(_room) = room_for(CONNECTIONS).await else {
        return;
    };
    let server = impatient().await;
    let host = server.client().host();
    let request = format!("GET /openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let growth = grown(&server, CONNECTIONS, &request.repeat(PIPELINED)).await;
    assert!(growth < 200, "{growth} MiB more");
}

#[tokio::test]
async fn requests_behind_an_unread_answer_are_not_read() {
    let server = impatient().await;
    let host = server.client().host();
    let first = format!("GET /openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n");
    // As many as fit what is read of a connection at once: taken in, each takes many times its length.
    let small = format!("GET /x HTTP/1.1\nHost:{host}\n\n").repeat(3_000);
    let growth = grown(&server, 150, &(first + &small)).await;
    assert!(growth < 50, "{growth} MiB more");
}

#[tokio::test]
async fn long_unread_lists_are_built_one_at_a_time() {
    let server = impatient().await;
    let client = server.client();
    client.connect("v2").await;
    let mut conversation = String::new();
    for number in 0..30 {
        let mut event = message(&format!("m{number}"), "c");
        event["payload"]["message"]["text"] = "x".repeat(60_000).into();
        let new_message = client.sent(&event).await;
        new_message["conversation_id"]
            .as_str()
            .unwrap()
            .clone_into(&mut conversation);
    }
    let request = format!(
        "GET /inbox/v1/conversations/{conversation}/messages?limit=250 HTTP/1.1\r\nHost: {}\r\n\
         Authorization: Bearer {TOKEN}\r\n\r\n",
        client.host()
    );
    // One answer of 1.8 MB each, and not eight.
    let growth = grown(&server, 10, &request.repeat(8)).await;
    assert!(growth < 100, "{growth} MiB more");
}

#[tokio::test]
async fn a_slow_reader_gets_the_whole_answer() {
    let server = Setup::default()
        .setting("limits", "unread_answer_seconds = 2")
        .start()
        .await;
    let host = server.client().host();
    let socket = TcpSocket::new_v4().unwrap();
    // The system takes little in advance.
    socket.set_recv_buffer_size(8 << 10).unwrap();
    let mut socket = socket.connect(host.parse().unwrap()).await.unwrap();
    let request =
        format!("GET /openapi.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let (begun, mut answer) = (Instant::now(), Vec::new());
    let mut piece = [0; 16 << 10];
    loop {
        let read = socket.read(&mut piece).await.unwrap();
        if read == 0 {
            break;
        }
        answer.extend_from_slice(&piece[..read]);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(begun.elapsed() > Duration::from_secs(2), "it was not slow");
    let answer = String::from_utf8(answer).unwrap();
    parsed("GET", "/openapi.json", &answer).is(200);
}
